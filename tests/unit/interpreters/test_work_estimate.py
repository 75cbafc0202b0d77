"""What a layer may need on the way is told before it is computed."""

import pytest
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from ncnn_opt.interpreters.ncnn.work_estimate import reach


def last_layer(*lines: str) -> LayerOp:
    blobs = sum(int(line.split()[3]) for line in lines)
    text = "\n".join(["7767517", f"{len(lines)} {blobs}", *lines, ""])
    module, _ = import_param(text.encode(), "it.param", ReadOptions(weights="none"))
    *_, last = (op for op in module.walk() if isinstance(op, LayerOp))
    return last


@pytest.mark.parametrize(
    ("layer", "least"),
    [
        ("Pooling p 1 1 x p 1=2 3=1000", 3 * 2004 * 2005),  # with its border
        ("Pooling p 1 1 x p 0=1 1=2 2=8193", 3 * 8194 * 8194),  # to fill the last window
        ("Pooling p 1 1 x p 1=4000", 4000 * 4000),  # places of the kernel
        ("Pooling p 1 1 x p 7=1 8=5000", 3 * 5000 * 5000),
        ("LRN n 1 1 x n 1=100000", 100000),
        ("SDPA a 3 1 x x x a", (3 * 4) ** 2),
        ("Unfold u 1 1 x u 1=2 3=9000", 9000 * 9000),
    ],
)
def test_windows(layer: str, least: int) -> None:
    assert reach(last_layer("Input x 0 1 x 0=5 1=4 2=3", layer)) >= least


def test_frames() -> None:
    op = last_layer("Input x 0 1 x 0=90000", "Spectrogram s 1 1 x s 0=4096")
    assert reach(op) >= 4096 * 90000 / (4096 / 4)


def test_indices_of_an_einsum() -> None:
    shapes = [f"Input {name} 0 1 {name} 0=200" for name in "abc"]
    equation = ",".join(str(ord(ch)) for ch in "i,j,k->i")
    assert reach(last_layer(*shapes, f"Einsum e 3 1 a b c e -23300=8,{equation}")) == 200**3


def test_what_does_not_go_beyond_its_operands() -> None:
    assert reach(last_layer("Input x 0 1 x 0=5 1=4 2=3", "UnaryOp u 1 1 x u 0=7")) == 0
    small = last_layer("Input x 0 1 x 0=14 1=14 2=64", "Pooling p 1 1 x p 0=1 1=2 2=2")
    assert reach(small) < 64 * 40 * 40
