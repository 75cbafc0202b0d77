"""Code that was compiled before is not compiled again."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.native import code_cache, iree_compile
from ncnn_opt.native.iree_compile import compile_code
from ncnn_opt.native.lowering import Lowered, lower
from ncnn_opt.native.options import CompileOptions

import ncnn_opt

MACHINE = {"cpu": "Some CPU", "iree": "3.13.0", "ncnn-opt": "0.1.0"}

Count = Callable[..., int]


def written(folder: Path, extent: int = 6) -> Path:
    """A model of one convolution, with an input of this width."""
    rows = (f"Input in 0 1 data 0={extent} 1=5 2=3", "Convolution c 1 1 data y 0=40 1=1 6=120")
    path = folder / "net.param"
    path.write_text("\n".join(["7767517", "2 2", *rows, ""]))
    return path


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Count:
    """Compiles a model with a compiler that writes a number. Returns the number: the count of
    compilations so far, unless the code was kept."""
    made: list[str] = []

    def compiler(text: str, lowered: Lowered, options: CompileOptions, tick: Any) -> bytes:
        made.append(text)
        return b"%d" % len(made)

    monkeypatch.setattr(iree_compile, "_compiled", compiler)
    monkeypatch.setattr(code_cache, "machine", lambda: MACHINE)

    def call(
        *, extent: int = 6, weights: str = "parameters", cached: bool = True, **more: Any
    ) -> int:
        module = ncnn_opt.load(written(tmp_path, extent), weights="random:1").module
        cache = str(tmp_path / "cache") if cached else None
        options = CompileOptions(weights=weights, cache=cache, **more)
        return int(compile_code(lower(module, options), options))

    return call


def test_equal_models_are_compiled_once(compiled: Count, tmp_path: Path) -> None:
    assert [compiled(), compiled()] == [1, 1]
    assert len(list((tmp_path / "cache").iterdir())) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"extent": 7},
        {"weights": "dense"},
        {"flags": ("--iree-opt-level=O2",)},
        {"target_cpu": "haswell"},
        {"conv": "named"},
    ],
    ids=str,
)
def test_other_models_and_options_are_other_code(change: dict[str, Any], compiled: Count) -> None:
    assert [compiled(), compiled(**change), compiled(), compiled(**change)] == [1, 2, 1, 2]


@pytest.mark.parametrize("name", MACHINE)
def test_other_machines_and_versions_have_other_code(
    name: str, compiled: Count, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compiled() == 1
    monkeypatch.setattr(code_cache, "machine", lambda: MACHINE | {name: "another"})
    assert compiled() == 2


def test_values_of_parameters_are_no_part_of_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """IREE would make them constants of the code, beside the file of weights."""
    texts: list[str] = []

    def compiler(text: str, *_: Any) -> bytes:
        texts.append(text)
        return b""

    monkeypatch.setattr(iree_compile, "_compiled", compiler)
    model = ncnn_opt.load(written(tmp_path), weights="random:1")
    ncnn_opt.save(model, tmp_path / "kept.param")
    for each in (model, ncnn_opt.load(tmp_path / "kept.param")):  # in memory, in a file
        lowered = lower(each.module, CompileOptions())
        compile_code(lowered, CompileOptions())
        assert [op.has_values() for op in lowered.parameters()] == [True]
    assert texts[0] == texts[1]
    assert "util.global private @c_weight = #flow.parameter.named" in texts[0]


def test_without_a_cache_nothing_is_kept(compiled: Count, tmp_path: Path) -> None:
    assert [compiled(cached=False), compiled(cached=False)] == [1, 2]
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 40])
def test_a_damaged_file_is_replaced(damage: bytes, compiled: Count, tmp_path: Path) -> None:
    compiled()
    (file,) = (tmp_path / "cache").iterdir()
    file.write_bytes(damage)
    assert [compiled(), compiled()] == [2, 2]


def test_a_folder_that_cannot_be_written_is_no_error(compiled: Count, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    assert [compiled(), compiled()] == [1, 2]


def test_the_code_that_was_used_last_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_cache, "MAX_BYTES", 250)
    other = tmp_path / "tuning-x.json"
    other.write_text("x" * 300)
    folder = str(tmp_path)
    for age, key in ((30, "a"), (20, "b")):
        code_cache.keep(folder, key, bytes(68))  # 100 bytes with the digest
        os.utime(tmp_path / f"code-{key}.vmfb", (1e9 - age, 1e9 - age))
    assert code_cache.find(folder, "a") is not None  # now the last one
    code_cache.keep(folder, "c", bytes(68))
    kept = [code_cache.find(folder, key) is not None for key in "abc"]
    assert kept == [True, False, True]
    assert other.exists()
