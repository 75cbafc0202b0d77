"""Blobs of a rank that a layer's window does not fit: one message with the layer and its rank."""

from collections.abc import Sequence

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.interpreters.run import run

CASES = {
    "Convolution c 1 1 x y 0=4 1=3 6=288": (3, [(8, 8), (8,)]),
    "Deconvolution c 1 1 x y 0=4 1=3 6=288": (3, [(8,), (8, 8)]),
    "DeconvolutionDepthWise c 1 1 x y 0=8 1=3 6=72 7=8": (3, [(8,)]),
    "Deconvolution1D c 1 1 x y 0=4 1=3 6=96": (2, [(8,), (8, 8, 8)]),
    "Deconvolution3D c 1 1 x y 0=4 1=3 6=864": (4, [(8, 8, 8)]),
    "Pooling c 1 1 x y 1=2": (3, [(8,), (8, 8)]),
    "Pooling c 1 1 x y 7=1 8=2 18=2": (3, [(8,)]),
    "Pooling3D c 1 1 x y 1=2": (4, [(8, 8, 8)]),
    "Unfold c 1 1 x y 1=2": (3, [(8,)]),
    "MultiHeadAttention c 1 1 x y 0=8 1=2 2=64": (2, [(8,), (2, 3, 8)]),
    "SDPA c 3 1 x x x y": (3, [(3, 8), (1, 2, 3, 8)]),
    "ShuffleChannel c 1 1 x y 0=2": ("3 or 4", [(8,), (8, 3)]),
}
"""The rank that a layer takes, and shapes of other ranks."""


@pytest.mark.parametrize(
    ("line", "rank", "shape"),
    [(line, rank, shape) for line, (rank, shapes) in CASES.items() for shape in shapes],
)
def test_other_ranks(line: str, rank: int | str, shape: Sequence[int]) -> None:
    split = "Split s 1 3 x x0 x1 x2\n" if "x x x" in line else ""
    line = line.replace("x x x", "x0 x1 x2")
    text = f"7767517\n{2 + bool(split)} 5\nInput x 0 1 x\n{split}{line}\n".encode()
    module, _ = import_param(text, "m.param", ReadOptions("random"))
    words = rf"{line.split()[0]} 'c' takes a blob of {rank} dims, and gets one of {len(shape)}"
    with pytest.raises(RunError, match=words):
        run(model_of(module), {"x": np.zeros(shape, "f4")})


def test_vectors_of_a_convolution() -> None:
    text = b"7767517\n2 2\nInput x 0 1 x\nConvolution c 1 1 x y 0=4 1=1 6=32\n"
    module, _ = import_param(text, "m.param", ReadOptions("random"))
    (y,) = run(model_of(module), {"x": np.zeros(8, "f4")}).values()
    assert y.shape == (4,)


@pytest.mark.parametrize(
    ("heads", "ok"),
    [((4, 2, 2), True), ((2, 2, 2), True), ((1, 4, 4), False), ((3, 2, 2), False)]
    + [((4, 2, 4), False), ((4, 4, 2), False), ((4, 0, 0), False)],
)
def test_heads_share_keys_and_values(heads: Sequence[int], ok: bool) -> None:
    """Their number divides that of the queries' heads; otherwise the runtime crashes, or reads
    beyond the last head. A proof must not compare results of such inputs."""
    text = b"7767517\n2 4\nInput i 0 3 q k v\nSDPA c 3 1 q k v y\n"
    module, _ = import_param(text, "m.param", ReadOptions("random"))
    blobs = {name: np.ones((n, 3, 8), "f4") for name, n in zip("qkv", heads, strict=True)}
    if ok:
        assert run(model_of(module), blobs)["y"].shape == (heads[0], 3, 8)
    else:
        words = f"SDPA 'c' has {heads[0]} heads of queries, and gets {heads[1]} heads of keys"
        with pytest.raises(RunError, match=words):
            run(model_of(module), blobs)
