"""Five nets that overflow float16, with samples."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp

Array = NDArray[Any]
Weights = Sequence[tuple[bool, Array]]
"""Weights in the order of the `.bin`; whether each has a tag."""


def linear(r: np.random.Generator, outputs: int, inputs: int, scale: float) -> Weights:
    """A weight and a bias."""
    weight = (True, r.standard_normal((outputs, inputs)) * scale)
    return [weight, (False, r.standard_normal(outputs) * 0.1)]


def norm(r: np.random.Generator) -> tuple[Sequence[str], Weights, Array]:
    """Large activations before a LayerNorm."""
    lines = [
        "Input in0 0 1 in0 0=16 1=6",
        "Gemm grow 1 1 in0 a 3=1 5=1 6=1 8=32 9=16 10=4",
        "LayerNorm norm 1 1 a b 0=32 1=1e-5 2=1",
        "InnerProduct head 1 1 b out0 0=8 1=1 2=256",
    ]
    grow = [(True, r.standard_normal((32, 16)) * 300), (True, r.standard_normal(32))]
    affine = [(False, np.ones(32)), (False, np.zeros(32))]
    return lines, [*grow, *affine, *linear(r, 8, 32, 0.2)], r.standard_normal((3, 6, 16))


def attention(r: np.random.Generator) -> tuple[Sequence[str], Weights, Array]:
    """Large attention logits."""
    lines = [
        "Input in0 0 1 in0 0=32 1=12",
        "MultiHeadAttention mha 1 1 in0 a 0=32 1=4 2=1024 3=32 4=32 6=1.0",
        "InnerProduct head 1 1 a out0 0=8 1=1 2=256",
    ]
    weights = [w for scale in (9, 9, 0.3, 0.3) for w in linear(r, 32, 32, scale)]
    return lines, [*weights, *linear(r, 8, 32, 0.2)], 1.5 * r.standard_normal((3, 12, 32))


def scale(r: np.random.Generator) -> tuple[Sequence[str], Weights, Array]:
    """A scale of 1e5 that was folded into the first convolution."""
    lines = [
        "Input in0 0 1 in0 0=10 1=10 2=4",
        "Convolution c1 1 1 in0 a 0=8 1=3 4=1 5=1 6=288 9=1",
        "ConvolutionDepthWise dw 1 1 a b 0=8 1=3 4=1 5=1 6=72 7=8",
        "Convolution c2 1 1 b out0 0=4 1=1 5=1 6=32",
    ]
    weights = [
        *linear(r, 8, 36, 3e4),
        (True, r.standard_normal((8, 9)) * 0.2),
        (False, r.standard_normal(8) * 1e3),
        *linear(r, 4, 8, 1e-5),
    ]
    return lines, weights, r.standard_normal((3, 4, 10, 10))


def sums(r: np.random.Generator) -> tuple[Sequence[str], Weights, Array]:
    """A mean by Reduction whose sum is large."""
    lines = [
        "Input in0 0 1 in0 0=64 1=64 2=3",
        "Convolution c1 1 1 in0 a 0=8 1=3 4=1 5=1 6=216 9=1",
        "Reduction mean 1 1 a b 0=3 1=0 -23303=2,1,2 4=0 5=1",
        "InnerProduct head 1 1 b out0 0=6 1=1 2=48",
    ]
    first = [(True, r.standard_normal((8, 27)) * 2 + 0.5), (False, np.full(8, 60.0))]
    return lines, [*first, *linear(r, 6, 8, 0.3)], r.standard_normal((3, 3, 64, 64))


def winograd(r: np.random.Generator) -> tuple[Sequence[str], Weights, Array]:
    """A convolution whose blobs overflow only as Winograd's algorithm transforms them."""
    lines = [
        "Input in0 0 1 in0 0=24 1=24 2=16",
        "Convolution c1 1 1 in0 a 0=16 1=3 4=1 5=1 6=2304",
        "BatchNorm bn 1 1 a b 0=16",
        "Pooling gap 1 1 b c 0=1 4=1",
        "InnerProduct head 1 1 c out0 0=5 1=1 2=80",
    ]
    values = [np.ones(16), r.standard_normal(16), np.full(16, 1e6), r.standard_normal(16)]
    batch_norm = [(False, v) for v in values]
    weights = [*linear(r, 16, 144, 0.02), *batch_norm, *linear(r, 5, 16, 1)]
    stripes = np.sign(np.sin(2 * np.arange(24)))
    return lines, weights, stripes * np.abs(3000 * r.standard_normal((3, 16, 24, 24))) + 2000


def roundings(r: np.random.Generator) -> tuple[Sequence[str], Weights, Array]:
    """Long sums, of which arm rounds each term: no layer breaks, and the outputs are inaccurate."""
    lines = [
        "Input in0 0 1 in0 0=1024 1=8",
        "InnerProduct long 1 1 in0 a 0=32 1=1 2=32768",
        "ReLU relu 1 1 a b",
        "InnerProduct short 1 1 b out0 0=8 1=1 2=256",
    ]
    long = [(True, r.random((32, 1024)) * 0.05), (False, r.standard_normal(32))]
    return lines, [*long, *linear(r, 8, 32, 0.2)], r.random((3, 8, 1024))


NETS: Mapping[str, Callable[[np.random.Generator], tuple[Sequence[str], Weights, Array]]] = {
    "norm": norm,
    "attention": attention,
    "scale": scale,
    "sums": sums,
    "winograd": winograd,
}


def write_net(folder: Path, name: str) -> tuple[Path, Path]:
    """Write a net and its samples. Returns the `.param` and the `.npy`."""
    lines, weights, samples = {**NETS, "roundings": roundings}[name](np.random.default_rng(1))
    param, data = folder / f"{name}.param", folder / f"{name}.npy"
    text = "\n".join([f"7767517\n{len(lines)} {len(lines)}", *lines, ""])
    param.write_text(text)
    content = b"".join((bytes(4) if tag else b"") + w.astype("<f4").tobytes() for tag, w in weights)
    param.with_suffix(".bin").write_bytes(content)
    np.save(data, samples.astype("f4"))
    return param, data


def func_of(*lines: str) -> FuncOp:
    """The function of a model whose input `x` has 4 elements."""
    layers = ["Input x 0 1 x 0=4", *lines]
    blobs = sum(int(line.split()[3]) for line in layers)
    text = "\n".join(["7767517", f"{len(layers)} {blobs}", *layers]) + "\n"
    return model_of(import_param(text.encode(), "it.param", ReadOptions("none"))[0])
