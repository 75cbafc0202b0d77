"""Lint of models, with near misses."""

from pathlib import Path

import pytest
from ncnn_opt.analysis.lint import lint
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions

FOUND = {
    "ReLU a 1 1 x y\nReLU a 1 1 y z": "several layers are named 'a'; --unique-names renames them",
    "ReLU a 1 1 x b\nReLU b 1 1 b z": "ReLU 'b' has the name of a blob that layer 'a' writes; "
    "--unique-names renames it",
    "Softmax a 1 1 x z 0=3 1=1": "Softmax 'a' has axis 3, but its input has 3 axes; correct the "
    "axis, or the shape of the input (--input-shape)",
    "Softmax a 1 1 x z 0=-4 1=1": "Softmax 'a' has axis -4, but its input has 3 axes; correct the "
    "axis, or the shape of the input (--input-shape)",
    "Reduction a 1 1 x z 0=0 1=0 -23303=1,3 5=1": "Reduction 'a' has axis 3, but its input has 3 "
    "axes; correct the axis, or the shape of the input (--input-shape)",
    "Reduction a 1 1 x z 0=0 1=0": "Reduction 'a' reduces no axis; add the axes (-23303=…), or 1=1 "
    "to reduce all of them",
    "Slice a 1 2 x y z": "Slice 'a' has no parts; add their extents (-23300=…; -233: equal parts) "
    "or the indices between (-23302=…)",
    "Permute a 1 1 x z 0=0": "Permute 'a' keeps the order of the axes of a 3-D blob; -O removes "
    "it; if another order is meant, correct 0=…",
    "ReLU a 1 1 x y\nReLU b 1 1 x z": "several layers read 'x' without a Split, so that a program "
    "with ncnn's default options fails; --eliminate-split and -O write a Split, "
    "opt.lightmode = false does without it",
}

CLEAN = [
    "ReLU a 1 1 x y\nReLU b 1 1 y z",
    "ReLU a 1 1 x a\nReLU b 1 1 a b",
    "Softmax a 1 1 x z 0=2 1=1",
    "Softmax a 1 1 x z 0=-3 1=1",
    "ExpandDims a 1 1 x z -23303=1,3",
    "Reduction a 1 1 x z 0=0 1=0 -23303=1,2 5=1",
    "Reduction a 1 1 x z 0=0 1=1",
    "Slice a 1 2 x y z -23300=2,-233,-233",
    "Slice a 1 2 x y z -23302=1,1",
    "Permute a 1 1 x z 0=1",
    "Tile a 1 1 x z -23302=3,1,1,2",
    "Split s 1 2 x x0 x1\nReLU a 1 1 x0 y\nReLU b 1 1 x1 z",
]


def lint_of(tmp_path: Path, layers: str, shape: str = "0=4 1=3 2=2") -> list[str]:
    lines = [f"Input x 0 1 x {shape}", *layers.splitlines()]
    blobs = sum(int(line.split()[3]) for line in lines)
    model = tmp_path / "m.param"
    model.write_text(f"7767517\n{len(lines)} {blobs}\n" + "\n".join(lines) + "\n")
    return [*map(str, lint(model_of(read_model(str(model), ReadOptions("none")).module)))]


@pytest.mark.parametrize("layers", FOUND)
def test_suspicious_layers(tmp_path: Path, layers: str) -> None:
    assert lint_of(tmp_path, layers) == [FOUND[layers]]


@pytest.mark.parametrize("layers", CLEAN)
def test_near_misses(tmp_path: Path, layers: str) -> None:
    assert lint_of(tmp_path, layers) == []


def test_unknown_ranks_are_not_judged(tmp_path: Path) -> None:
    for layers in ("Softmax a 1 1 x z 0=3 1=1", "Permute a 1 1 x z 0=0"):
        assert lint_of(tmp_path, layers, "") == []


def test_a_vector_is_always_reduced(tmp_path: Path) -> None:
    assert lint_of(tmp_path, "Reduction a 1 1 x z 0=0 1=0", "0=4") == []
