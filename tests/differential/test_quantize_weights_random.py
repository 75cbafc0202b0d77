"""Layers of any sizes with weights as integers: the reference computes what the runtime does."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

import ncnn_opt

from .nets import Net, Number
from .runtime import Failure, Runtime
from .semantics import TOLERANCE, error, interpret

NETS = 60

ROWS = ("quantize-weights", "quantize-weights{method=mse}")
BLOCKS = tuple(
    f"quantize-weights{{bits={bits} block={block}}}" for bits in (4, 6, 8) for block in (32, 128)
)


class Draw:
    """A net of one layer."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.net = Net(seed)
        self.storage = self.rng.choice(("float", "half"))

    def weight(self, *shape: int) -> None:
        self.net.tagged(self.net.normal(*shape, scale=shape[-1] ** -0.5), self.storage)

    def input(self, name: str, *shape: int) -> str:
        return self.net.input(name, shape, declared=False)


def recurrent(draw: Draw, kind: str) -> Sequence[str]:
    pick, gates = draw.rng.choice, {"RNN": 1, "LSTM": 4, "GRU": 3}[kind]
    outputs, features, direction = pick((1, 3, 8, 13, 33)), pick((1, 5, 16, 70)), pick((0, 1, 2))
    cells, ways = outputs, 2 if direction == 2 else 1
    params: dict[int, Number] = {0: outputs, 2: direction}
    if kind == "LSTM" and pick((False, True)):
        cells = params[3] = pick((2, 7, 16))
    params[1] = ways * gates * cells * features
    blobs, tops = [draw.input("x", pick((1, 2, 9)), features)], ["y"]
    if pick((False, True)):
        draw.net.inputs["x"][0] = 0  # a step of zeros has no scale
    draw.weight(ways, gates * cells, features)
    draw.weight(ways, gates + (kind == "GRU"), cells)
    draw.weight(ways, gates * cells, outputs)
    if cells != outputs:
        draw.weight(ways, outputs, cells)
    if pick((False, True)):
        blobs.append(draw.input("h", ways, outputs))
        tops.append("last_h")
        if kind == "LSTM":
            blobs.append(draw.input("c", ways, cells))
            tops.append("last_c")
    draw.net.layer(kind, blobs, tops, params)
    return ROWS


def attention(draw: Draw, kind: str) -> Sequence[str]:
    pick = draw.rng.choice
    heads = pick((1, 2, 4))
    embed = heads * pick((3, 4, 8, 16))
    qdim = pick((embed, 5, 24, 33))
    kdim = pick((qdim, 7, 16))
    vdim, steps = pick((kdim, 9)), pick((1, 5, 8))
    blobs = [draw.input("q", pick((1, 4, 9)), qdim)]
    if not qdim == kdim == vdim or pick((False, True)):
        blobs += [draw.input("k", steps, kdim), draw.input("v", steps, vdim)]
    for rows, columns in ((embed, qdim), (embed, kdim), (embed, vdim), (qdim, embed)):
        draw.weight(rows, columns)
        draw.net.plain(draw.net.normal(rows, scale=0.1))
    params = {0: embed, 1: heads, 2: embed * qdim, 3: kdim, 4: vdim}
    draw.net.layer(kind, blobs, "y", params)
    return (*ROWS, *BLOCKS)


def sdpa(draw: Draw, kind: str) -> Sequence[str]:
    pick = draw.rng.choice
    heads, groups = pick(((1, 1), (4, 2), (4, 4), (8, 1)))
    e, steps = pick((4, 8, 20)), pick((1, 7, 16))
    sizes = {"q": (heads, pick((1, 5, 9)), e), "k": (groups, steps, e)}
    sizes["v"] = (groups, steps, e + pick((0, 4)))
    draw.net.layer(kind, [draw.input(name, *shape) for name, shape in sizes.items()], "y")
    return ROWS[:1]


def embed(draw: Draw, kind: str) -> Sequence[str]:
    rows, columns = draw.rng.choice(((9, 7), (40, 16), (33, 1), (100, 64)))
    x, count = draw.input("x", 8), draw.rng.choice((1, 8))
    indices = np.random.default_rng(rows).integers(-2, rows + 2, count).astype("i4")
    draw.net.inputs[x] = indices.view("f4")
    draw.weight(rows, columns)
    draw.net.plain(draw.net.normal(columns))
    draw.net.layer(kind, x, "y", {0: columns, 1: rows, 2: 1, 3: rows * columns})
    return ROWS


def gemm(draw: Draw, kind: str) -> Sequence[str]:
    pick = draw.rng.choice
    m, n, k = pick((2, 5, 8, 17)), pick((1, 3, 8, 30, 65)), pick((1, 31, 32, 33, 100, 257))
    transposed = pick((0, 1, 1))
    blobs = [draw.input("x", *pick(((m, k), (m, 1, k))))]
    draw.weight(*((n, k) if transposed else (k, n)))
    params: dict[int, Number] = {3: transposed, 5: 1, 8: n, 9: k}
    params |= {0: pick((1.0, 0.5)), 1: pick((1.0, 2.0))}
    shapes = {0: (1,), 1: (m,), 3: (m, n), 4: (1, n)}
    match pick(("", "constant", "blob")):
        case "constant":
            broadcast = pick(tuple(shapes))
            draw.net.tagged(draw.net.normal(*shapes[broadcast]))
            params |= {6: 1, 7: m, 10: broadcast}
        case "blob":
            blobs.append(draw.input("c", *pick(((n,), (m, n), (m, 1)))))
        case _:
            params |= {6: 1, 10: -1}
    draw.net.layer(kind, blobs, "y", params)
    return (ROWS[0], *BLOCKS)


KINDS: Mapping[str, Callable[[Draw, str], Sequence[str]]] = {
    **dict.fromkeys(("RNN", "LSTM", "GRU"), recurrent),
    "MultiHeadAttention": attention,
    "SDPA": sdpa,
    "Embed": embed,
    "Gemm": gemm,
}


def test_layers_of_any_sizes(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for seed in range(NETS):
        draw = Draw(seed)
        kind = list(KINDS)[seed % len(KINDS)]
        spec = draw.rng.choice(KINDS[kind](draw, kind))
        model = ncnn_opt.load(draw.net.write(tmp_path))
        notes = [remark.note for remark in ncnn_opt.optimize(model, [spec])]
        path = tmp_path / "quantized.param"
        ncnn_opt.save(model, path)
        found = runtime.run(path, draw.net.inputs, draw.net.outputs)
        assert not isinstance(found, Failure), (seed, found)
        wanted = interpret(path, draw.net.inputs)
        for name, value in zip(draw.net.outputs, wanted, strict=True):
            assert error(value, found[name]) <= TOLERANCE, (seed, kind, spec, name)
        seen[kind] += len(notes) == 1 and "stays" not in notes[0]
    assert seen == Counter({kind: len(range(i, NETS, len(KINDS))) for i, kind in enumerate(KINDS)})
