"""Weights as integers: the runtime takes what `quantize-weights` writes, the reference computes the
same, and that is near to what the floats gave."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.interpreters.ncnn import int8
from ncnn_opt.transforms.rewriting.remarks import Remark
from numpy.typing import NDArray

import ncnn_opt

from .nets import Net
from .runtime import Blobs, Failure, Runtime
from .semantics import error, interpret

Array = NDArray[np.float32]
Build = Callable[[Net], None]


def gemm(k: int, n: int, transB: int = 1, **more: float) -> Build:
    """A constant B and a C for each column."""

    def build(net: Net) -> None:
        x = net.input("x", (5, k), declared=False)
        net.tagged(net.normal(n, k) if transB else net.normal(k, n))
        net.tagged(net.normal(1, n))
        params = {3: transB, 5: 1, 6: 1, 8: n, 9: k, 10: 4}
        net.layer("Gemm", x, "y", {**params, **{int(key[1:]): v for key, v in more.items()}})

    return build


def gemm_left(transA: int) -> Build:
    """A constant A."""

    def build(net: Net) -> None:
        x = net.input("x", (20, 6), declared=False)
        net.tagged(net.normal(20, 9) if transA else net.normal(9, 20))
        net.layer("Gemm", x, "y", {2: transA, 4: 1, 6: 1, 7: 9, 9: 20, 10: -1})

    return build


def gemm_of_blobs(net: Net) -> None:
    blobs = [net.input("x", (5, 20), declared=False), net.input("z", (20, 6), declared=False)]
    net.layer("Gemm", blobs, "y", {0: 0.5})


def attention(qdim: int = 24, kdim: int = 24, vdim: int = 24, embed: int = 24) -> Build:
    def build(net: Net) -> None:
        shapes = {"q": (5, qdim), "k": (7, kdim), "v": (7, vdim)}
        if kdim == vdim == qdim:
            shapes = {"q": (5, qdim)}
        blobs = [net.input(name, shape, declared=False) for name, shape in shapes.items()]
        for rows, columns in ((embed, qdim), (embed, kdim), (embed, vdim), (qdim, embed)):
            net.tagged(net.normal(rows, columns, scale=columns**-0.5))
            net.plain(net.normal(rows, scale=0.1))
        params = {0: embed, 1: 4, 2: embed * qdim, 3: kdim, 4: vdim}
        net.layer("MultiHeadAttention", blobs, "y", params)

    return build


def sdpa(net: Net) -> None:
    blobs = [net.input(name, (2, n, 8), declared=False) for name, n in zip("qkv", (5, 7, 7))]
    net.layer("SDPA", blobs, "y")


def recurrent(kind: str, direction: int, hidden: int = 6) -> Build:
    gates = {"RNN": 1, "LSTM": 4, "GRU": 3}[kind]

    def build(net: Net) -> None:
        x = net.input("x", (4, 10), declared=False)
        ways = 2 if direction == 2 else 1
        net.tagged(net.normal(ways, gates * hidden, 10, scale=0.3))
        net.tagged(net.normal(ways, gates + (kind == "GRU"), hidden, scale=0.1))
        net.tagged(net.normal(ways, gates * hidden, 6, scale=0.3))
        params = {0: 6, 1: ways * gates * hidden * 10, 2: direction}
        if hidden != 6:
            net.tagged(net.normal(ways, 6, hidden, scale=0.3))
            params[3] = hidden
        net.layer(kind, x, "y", params)

    return build


def embed(net: Net) -> None:
    x = net.input("x", (5,), declared=False)
    net.inputs["x"] = np.array([0, 3, 8, 1, 3], "i4").view("f4")
    net.tagged(net.normal(9, 7))
    net.plain(net.normal(7))
    net.layer("Embed", x, "y", {0: 7, 1: 9, 2: 1, 3: 63})


LAYERS: dict[str, Build] = {
    "gemm": gemm(20, 6),
    "gemm, turned": gemm(20, 6, 0, _0=0.5, _1=2.0),
    "gemm, left": gemm_left(0),
    "gemm, left and turned": gemm_left(1),
    "gemm of blobs": gemm_of_blobs,
    "attention": attention(),
    "attention of three": attention(20, 12, 28, 16),
    "sdpa": sdpa,
    **{
        f"{kind} {direction}": recurrent(kind, direction)
        for kind in ("RNN", "LSTM", "GRU")
        for direction in (0, 1, 2)
    },
    "LSTM, projected": recurrent("LSTM", 2, 9),
    "embed": embed,
}

MATRICES: dict[str, Build] = {
    "gemm": gemm(70, 9),
    "gemm, turned": gemm(70, 9, 0),
    "gemm, scaled": gemm(130, 5, 1, _0=0.5, _1=2.0),
    "gemm of whole blocks": gemm(128, 8),
    "gemm of few": gemm(7, 3),
    "attention": attention(72, 72, 72, 72),
    "attention of three": attention(68, 44, 36, 52),
}


def quantized(net: Net, folder: Path, options: str) -> tuple[Path, list[Remark]]:
    """The model after the pass."""
    model = ncnn_opt.load(net.write(folder))
    remarks = ncnn_opt.optimize(model, [f"quantize-weights{{{options}}}"])
    ncnn_opt.save(model, folder / "quantized.param")
    return folder / "quantized.param", remarks


def write_sample(path: Path, blobs: Blobs) -> None:
    arrays: Any = blobs
    np.savez(path, **{name: values[None] for name, values in arrays.items()})


def run(runtime: Runtime, param: Path, net: Net) -> Blobs:
    found = runtime.run(param, net.inputs, net.outputs)
    assert not isinstance(found, Failure), found
    return found


def decibels(found: Array, wanted: Array) -> float:
    """The signal to noise ratio."""
    noise = np.square(found - wanted, dtype="f8").sum()
    signal = float(np.square(wanted, dtype="f8").sum())
    return 10 * math.log10(signal / float(noise or 1e-30))


@pytest.mark.parametrize("storage", ["float", "half"])
@pytest.mark.parametrize("method", ["minmax", "mse"])
@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_in_int8(
    layer: str, method: str, storage: str, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net(1)
    net.dress = type(net.dress)(weights=storage)
    LAYERS[layer](net)
    param, remarks = quantized(net, tmp_path, f"method={method}")
    assert [r.note for r in remarks] in (["weights of 8 bits"], ["multiplies blobs in int8"])
    floats, integers = (run(runtime, p, net)["y"] for p in (tmp_path / "net.param", param))
    assert error(interpret(param, net.inputs)[0], integers) <= 1e-5
    assert 30 < decibels(integers, floats) < 60  # near, and not the floats themselves
    before, after = ((tmp_path / f"{n}.bin").stat().st_size for n in ("net", "quantized"))
    if before > 1000 and storage == "float":
        assert after < 0.6 * before


@pytest.mark.parametrize("method", ["minmax", "mse", "awq", "gptq"])
@pytest.mark.parametrize("block", [32, 64, 128])
@pytest.mark.parametrize("bits", [4, 6, 8])
@pytest.mark.parametrize("layer", MATRICES)
def test_a_layer_in_blocks(
    layer: str, bits: int, block: int, method: str, runtime: Runtime, tmp_path: Path
) -> None:
    net = Net(2)
    MATRICES[layer](net)
    options = f"bits={bits} block={block} method={method}"
    if method in ("awq", "gptq"):
        paths = [str(tmp_path / f"{i}.npz") for i in range(2)]
        for i, path in enumerate(paths):
            scale = np.float32(1 - 0.5 * i)
            write_sample(Path(path), {name: scale * x for name, x in net.inputs.items()})
        options += f' data="{paths[0]}","{paths[1]}"'
    param, remarks = quantized(net, tmp_path, options)
    assert [r.note for r in remarks] == [f"weights of {bits} bits in blocks of {block}"]
    floats, integers = (run(runtime, p, net)["y"] for p in (tmp_path / "net.param", param))
    assert error(interpret(param, net.inputs)[0], integers) <= 1e-5
    assert {4: 12, 6: 25, 8: 33}[bits] < decibels(integers, floats) < 70
    if "gemm" in layer:
        k = net.inputs["x"].shape[1]
        wanted = by_the_bytes(param, net.inputs["x"], k, bits, block, method == "awq")
        assert error(wanted.astype("f4"), integers) <= 1e-5


def by_the_bytes(
    param: Path, x: Array, k: int, bits: int, block: int, scaled: bool
) -> NDArray[np.float64]:
    """What a Gemm of such a file computes, element by element from the `.bin`: packed rows, the tag
    and values of C, scales of blocks, scales of the input."""
    params = dict(pair.split("=") for pair in param.read_text().split("\n")[3].split()[6:])
    n, data = int(params["8"]), param.with_suffix(".bin").read_bytes()
    assert int(params["18"]) == 100 * bits + 10 * scaled + {32: 0, 64: 1, 128: 2}[block]
    row = (k * bits + 7) // 8
    place = (n * row + 3) // 4 * 4 + 4
    c = np.frombuffer(data, "<f4", n, place)
    place += 4 * n
    blocks = -(-k // block)
    scales = np.frombuffer(data, "<f4", n * blocks, place).reshape(n, blocks)
    place += 4 * n * blocks
    factors = np.frombuffer(data, "<f4", k, place) if scaled else np.ones(k, "f4")
    assert len(data) == place + (4 * k if scaled else 0)
    w = np.zeros((n, k))
    for j in range(n):
        stream = int.from_bytes(data[j * row : (j + 1) * row], "little")
        for i in range(k):
            digit = stream >> i * bits & (1 << bits) - 1
            integer = digit - (1 << bits if digit >> bits - 1 else 0)
            w[j, i] = integer / scales[j, i // block]
    x = x * factors
    if bits == 8:  # the runtime rounds the blocks of the input as well
        x = np.concatenate(
            [
                int8.to_int8(part * (127 / most)) * (most / np.float32(127))
                for part in np.split(x, range(block, k, block), axis=1)
                for most in [np.abs(part).max(1, keepdims=True)]
            ],
            axis=1,
        )
    alpha, beta = float(params.get("0", 1)), float(params.get("1", 1))
    return alpha * (x.astype("f8") @ w.T + beta * c)


def test_other_layers_follow_the_quantized_ones_before_them(
    runtime: Runtime, tmp_path: Path
) -> None:
    """Two layers, of which the second one is calibrated on what the first one has become, with an
    input that the file leaves open."""
    net = Net(3)
    x = net.input("x", (40, 64), declared=False)
    net.inputs["x"][:, :4] *= 20  # few large features, as language models have them
    for name, below, n, k in (("a", x, 48, 64), ("y", "ra", 32, 48)):
        net.tagged(net.normal(n, k, scale=k**-0.5))
        net.layer("Gemm", below, name, {3: 1, 5: 1, 6: 1, 8: n, 9: k, 10: -1})
        if name == "a":
            net.layer("ReLU", "a", "ra")
    write_sample(tmp_path / "x.npz", net.inputs)
    floats = run(runtime, net.write(tmp_path), net)["y"]
    noise: dict[str, float] = {}
    for method in ("minmax", "mse", "awq", "gptq"):
        data = f' data="{tmp_path / "x.npz"}"' if method in ("awq", "gptq") else ""
        param, _ = quantized(net, tmp_path, f"bits=4 block=32 method={method}{data}")
        found = run(runtime, param, net)["y"]
        assert error(interpret(param, net.inputs)[0], found) <= 1e-5
        noise[method] = decibels(found, floats)
    assert noise["awq"] > noise["minmax"] + 2, noise
    assert noise["gptq"] > noise["minmax"] + 6, noise


@pytest.mark.parametrize("method", ["awq", "gptq"])
def test_a_mask_may_be_a_constant(method: str, tmp_path: Path) -> None:
    """What a layer reads is told apart by place, whether it is an input or a constant."""
    found: list[bytes] = []
    for constant in (False, True):
        net = Net(4)
        x = net.input("x", (6, 32), declared=False)
        mask = np.triu(np.full((6, 6), -1e9, "f4"), 1)
        if constant:
            net.constant("mask", mask)
        else:
            net.input("mask", (6, 6), declared=False)
            net.inputs["mask"] = mask
        net.rng = np.random.default_rng(5)
        for _ in range(4):
            net.tagged(net.normal(32, 32, scale=0.2))
            net.plain(net.normal(32, scale=0.1))
        net.layer("MultiHeadAttention", [x, "mask"], "y", {0: 32, 1: 4, 2: 1024, 5: 1})
        net.inputs["x"] = net.normal(6, 32)
        folder = tmp_path / str(constant)
        folder.mkdir()
        write_sample(folder / "x.npz", net.inputs)
        data = f'data="{folder / "x.npz"}"'
        param, _ = quantized(net, folder, f"bits=4 block=32 method={method} {data}")
        found.append(param.with_suffix(".bin").read_bytes())
    assert found[1].endswith(found[0])
