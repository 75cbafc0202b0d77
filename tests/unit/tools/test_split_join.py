"""Parts of `--split-at`, `--split-size` and `--split` that `--join` makes one model again."""

import json
from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.tools.ncnn_opt_main import main

ROOT = Path(__file__).parents[3]
MODELS = sorted(p for p in (ROOT / "examples").rglob("*.param") if p.with_suffix(".bin").exists())


@pytest.mark.parametrize("model", MODELS, ids=[path.stem for path in MODELS])
def test_the_parts_joined_are_the_model(model: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.param"
    main([str(model), "-q", "-o", str(whole)])
    size = whole.with_suffix(".bin").stat().st_size
    first = split(whole, "--split", "2")
    largest = max(part["weight_bytes"] for part in first["parts"])
    for option, value in (
        ("--split-size", str(largest)),
        ("--split-at", first["parts"][0]["outputs"][-1]),
    ):
        made = split(whole, option, value)
        assert len(made["parts"]) > 1
        assert sum(part["weight_bytes"] for part in made["parts"]) == size
        assert made["outputs"] == first["outputs"]
        if option == "--split-size":
            assert all(part["weight_bytes"] <= largest for part in made["parts"])


def split(whole: Path, *options: str) -> dict[str, Any]:
    """Split a model, and join it again. Return the manifest."""
    manifest, again = whole.with_name("p.json"), whole.with_name("again.param")
    main([str(whole), "-q", *options, "-o", str(manifest.with_suffix(".param"))])
    main([str(manifest), "-q", "--join", "-o", str(again)])
    assert again.read_bytes() == whole.read_bytes()
    assert again.with_suffix(".bin").read_bytes() == whole.with_suffix(".bin").read_bytes()
    return json.loads(manifest.read_text("utf-8"))


def test_a_constant_blob_that_a_later_part_reads(tmp_path: Path) -> None:
    whole = tmp_path / "m.param"
    whole.write_text(
        "7767517\n4 4\n"
        "Input                    x                        0 1 x 0=4\n"
        "MemoryData               m                        0 1 m 0=4\n"
        "ReLU                     a                        1 1 x a\n"
        "BinaryOp                 y                        2 1 a m y\n"
    )
    whole.with_suffix(".bin").write_bytes(bytes(range(16)))
    made = split(whole, "--split-at", "a")
    assert [sorted(part["outputs"]) for part in made["parts"]] == [["a", "m"], ["y"]]
