"""A decoder of language as a small net, with all that those of real models have."""

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from .nets import Array, Net, Shape

WIDTH, HEADS, GROUPS, FEATURES = 16, 4, 2, 8
"""Features of a step; heads of queries, and of keys and values; features of a head."""


def decoder(layers: int, cached: bool = True, steps: int = 0, tables: bool = False) -> Net:
    """A decoder with a cache of keys and values, in the layers that pnnx makes of it; or without a
    cache. `steps`: exported for so many steps; `tables`: with constants for these steps."""
    net = Net()
    net.steps = steps  # pyright: ignore[reportAttributeAccessIssue]
    for name, shape in decoder_inputs(0, steps or 4).items():
        if name == "x" or not tables:
            net.input(name, shape, declared=bool(steps))
        else:
            net.constant(name, TABLES[name](*shape))
    if cached:
        net.layer("Input", (), cache_names(layers), name="caches")
    turns = [*zip(split(net, "cos", 2 * layers), split(net, "sin", 2 * layers), strict=True)]
    masks, x = split(net, "mask", layers), "x"
    for i in range(layers):
        past = (f"keys{i}", f"values{i}") if cached else ()
        x = residual(net, f"attended{i}", x, attention(turns[2 * i :][:2], masks[i], past))
        x = residual(net, f"fed{i}", x, feed_forward)
    return net


def cache_names(layers: int) -> list[str]:
    """The inputs with past keys and values."""
    return [f"{kind}{i}" for i in range(layers) for kind in ("keys", "values")]


def decoder_inputs(past: int, steps: int, layers: int = 0) -> dict[str, Shape]:
    """The shapes of the inputs for so many steps after past ones, both known or both not; with the
    caches of that many layers."""
    every = DYNAMIC_INDEX if DYNAMIC_INDEX in (past, steps) else past + steps
    turn = (steps, FEATURES // 2)
    inputs = {"x": (steps, WIDTH), "cos": turn, "sin": turn, "mask": (steps, every)}
    return inputs | dict.fromkeys(cache_names(layers), (HEADS, past, FEATURES))


def turns_of(steps: int, width: int) -> Array:
    """The angles of so many steps."""
    return np.outer(np.arange(steps), 2.0 ** -np.arange(width)).astype("f4")


TABLES: dict[str, Callable[[int, int], Array]] = {
    "cos": lambda steps, width: np.cos(turns_of(steps, width)).astype("f4"),
    "sin": lambda steps, width: np.sin(turns_of(steps, width)).astype("f4"),
    "mask": lambda steps, every: np.triu(np.full((steps, every), -1e9, "f4"), 1),
}
"""The values of inputs for the first steps."""

Block = Callable[[Net, str, str], str]
"""Layers that make a blob of one, with names that begin as told; returns the blob's."""


def residual(net: Net, name: str, x: str, block: Block) -> str:
    """`x + block(norm(x))`."""
    x, other = split(net, x, 2)
    net.plain(net.normal(WIDTH))
    normed = net.layer("RMSNorm", x, f"{name}_norm", {0: WIDTH, 1: 1e-6, 2: 1})
    return net.layer("BinaryOp", [other, block(net, name, normed)], name, {0: 0})


def feed_forward(net: Net, name: str, x: str) -> str:
    """`down(swish(gate(x)) * up(x))`."""
    x, other = split(net, x, 2)
    gate = net.layer("Swish", linear(net, x, f"{name}_gate", WIDTH, 24), f"{name}_swish")
    up = linear(net, other, f"{name}_up", WIDTH, 24)
    product = net.layer("BinaryOp", [gate, up], f"{name}_product", {0: 2})
    return linear(net, product, f"{name}_down", 24, WIDTH)


def attention(turns: Sequence[tuple[str, str]], mask: str, past: Sequence[str]) -> Block:
    """Attention of queries and keys that are turned, each key and value for several queries."""

    def block(net: Net, name: str, x: str) -> str:
        q, k, v = split(net, x, 3)
        q, k = heads(net, f"{name}_q", q, HEADS), heads(net, f"{name}_k", k, GROUPS)
        q = net.layer("RotaryEmbed", [q, *turns[0]], f"{name}_q_turned")
        k = net.layer("RotaryEmbed", [k, *turns[1]], f"{name}_k_turned")
        k, v = repeated(net, k), repeated(net, heads(net, f"{name}_v", v, GROUPS))
        tops = [f"{name}_heads", *([f"{name}_keys", f"{name}_values"] if past else [])]
        params = {5: 1, 6: 0.35, **({7: 1} if past else {})}
        x = net.layer("SDPA", [q, k, v, mask, *past], tops, params)
        x = net.layer("Permute", x, f"{name}_rows", {0: 2})
        rows = exported(net) or -1
        x = net.layer("Reshape", x, f"{name}_flat", {0: HEADS * FEATURES, 1: rows})
        return linear(net, x, f"{name}_out", HEADS * FEATURES, WIDTH)

    return block


def heads(net: Net, name: str, x: str, count: int) -> str:
    """`count x steps x features` of `steps x width`."""
    x = linear(net, x, f"{name}_gemm", WIDTH, count * FEATURES)
    x = net.layer("Reshape", x, f"{name}_split", {0: FEATURES, 1: count, 2: exported(net) or -1})
    return net.layer("Permute", x, name, {0: 2})


def repeated(net: Net, x: str) -> str:
    """Each of the heads several times."""
    tiled = net.layer("ExpandDims", x, f"{x}_groups", {3: [1]})
    tiled = net.layer("Tile", tiled, f"{x}_tiled", {2: [1, HEADS // GROUPS, 1, 1]})
    return net.layer("Reshape", tiled, f"{x}_repeated", {0: FEATURES, 1: -1, 2: HEADS})


def linear(net: Net, x: str, y: str, inputs: int, outputs: int) -> str:
    """A product with a constant matrix."""
    net.tagged(net.normal(outputs, inputs))
    params = {3: 1, 5: 1, 6: 1, 7: exported(net), 8: outputs, 9: inputs, 10: -1}
    return net.layer("Gemm", x, y, params)


def exported(net: Net) -> int:
    """The number of steps that a decoder is exported for; 0: any."""
    return getattr(net, "steps", 0)


def split(net: Net, x: str, count: int) -> list[str]:
    """A blob under several names."""
    tops = [f"{x}_{i}" for i in range(count)]
    net.layer("Split", x, tops)
    return tops
