"""`layer.shapes`."""

from pathlib import Path

import pytest

import ncnn_opt

GRAPH = """7767517
6 8
Input x 0 1 x{shape}
Split s 1 2 x a b
ReLU r 1 1 a c
Convolution k 1 1 b d 0=5 1=3 11=1 6=60
MyLayer my 1 2 c e f
Noop n 1 1 d g
"""


def model(folder: Path, shape: str) -> ncnn_opt.Model:
    path = folder / "m.param"
    path.write_text(GRAPH.format(shape=shape))
    types = {"MyLayer": list[int]()}
    return ncnn_opt.load(path, weights="none", custom_weights=types)


@pytest.mark.parametrize(
    ("declared", "x", "d"),
    [
        (" 0=8 1=6 2=4", (4, 6, 8), (5, 6, 6)),
        ("", None, (5, None, None)),
    ],
)
def test_each_output_has_a_shape(
    declared: str, x: tuple[int, ...] | None, d: tuple[int | None, ...], tmp_path: Path
) -> None:
    shapes = {layer.name: layer.shapes for layer in model(tmp_path, declared).layers}
    assert shapes == {"x": (x,), "s": (x, x), "r": (x,), "k": (d,), "my": (None, None), "n": (d,)}


def test_copies_that_saving_adds_have_the_shape_of_their_input(tmp_path: Path) -> None:
    ours = model(tmp_path, " 0=8 1=6 2=4")
    ncnn_opt.optimize(ours, ["eliminate-split"])
    (split,) = [layer for layer in ours.layers if layer.type == "Split"]
    assert split.inputs == ("x",)
    assert split.outputs != ("a", "b")
    assert split.shapes == ((4, 6, 8), (4, 6, 8))


def test_shapes_that_are_given_in_loading_are_used(tmp_path: Path) -> None:
    path = tmp_path / "m.param"
    path.write_text("7767517\n2 2\nInput x 0 1 x\nReLU r 1 1 x y\n")
    again = ncnn_opt.load(path, weights="none", shapes={"x": (2, None, 9)})
    assert again.layer("r").shapes == ((2, None, 9),)
