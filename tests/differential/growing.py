"""Nets that grow a layer at a time, each layer drawn so that it may take the blob that it reads."""

from collections.abc import Callable
from math import prod
from typing import Any

from hypothesis import strategies as st

from .nets import Net, Shape

Draw = Callable[[st.SearchStrategy[Any]], Any]


def small(least: int, most: int) -> st.SearchStrategy[int]:
    return st.integers(least, most)


def window(draw: Draw, net: Net, kind: str, x: str, shape: Shape) -> list[str]:
    """A convolution or deconvolution along all axes but the outermost. (The runtime reads past a
    blob that the window does not fit into.)"""
    outputs, kernel, group = draw(small(1, 8)), draw(small(1, min(3, *shape[1:]))), 1
    if "DepthWise" in kind:
        group = shape[0]
        outputs = group * draw(small(1, 2))
    weight = net.normal(outputs, shape[0] // group, *(kernel,) * (len(shape) - 1))
    params = {0: outputs, 1: kernel, 6: weight.size, 5: draw(small(0, 1))}
    params |= {3: draw(small(1, 3)), 4: draw(st.sampled_from([0, 1, -233]))}
    if 2 * kernel - 1 <= min(shape[1:]):
        params[2] = draw(small(1, 2))
    if group > 1:
        params[7] = group
    net.tagged(weight)
    if params[5]:
        net.plain(net.normal(outputs))
    return [net.layer(kind, x, f"{x}_w", params)]


def pooling(draw: Draw, net: Net, kind: str, x: str, shape: Shape) -> list[str]:
    params = {1: draw(small(1, min(3, *shape[1:]))), 2: draw(small(1, 3))}
    params |= {3: draw(small(0, 1)), 5: draw(small(0, 3))}
    if draw(small(0, 4)) == 0:
        params = draw(st.sampled_from([{4: 1}, {7: 1, 8: 2}]))
    return [net.layer(kind, x, f"{x}_p", {0: draw(small(0, 1)), **params})]


def product_with_constant(draw: Draw, net: Net, kind: str, x: str, shape: Shape) -> list[str]:
    inputs, outputs = shape[-1], draw(small(1, 8))
    if kind == "MatMul":
        constant = net.constant(f"{x}_c", net.normal(inputs, outputs))
        return [net.layer(kind, [x, constant], f"{x}_m")]
    if kind == "Gemm":
        net.tagged(net.normal(outputs, inputs))
        params = {3: 1, 5: 1, 8: outputs, 9: inputs, 14: draw(small(0, 1)), 10: -1, 6: 1}
        return [net.layer(kind, x, f"{x}_g", params)]
    rows = len(shape) == 2 and draw(st.booleans())
    weight = net.normal(outputs, inputs if rows else prod(shape))
    net.tagged(weight)
    return [net.layer(kind, x, f"{x}_f", {0: outputs, 2: weight.size})]


def recurrent(draw: Draw, net: Net, x: str, shape: Shape) -> list[str]:
    outputs, direction = draw(small(1, 4)), draw(small(0, 2))
    both = 2 if direction == 2 else 1
    weight = net.normal(both, 4 * outputs, shape[-1])
    for values in (weight, net.normal(both, 4, outputs), net.normal(both, 4 * outputs, outputs)):
        net.tagged(values)
    tops = [f"{x}_l", f"{x}_lh", f"{x}_lc"][: draw(st.sampled_from([1, 3]))]
    net.layer("LSTM", x, tops, {0: outputs, 1: weight.size, 2: direction})
    return tops[:1]


def with_constant(draw: Draw, net: Net, x: str, shape: Shape) -> list[str]:
    other = tuple(n if draw(st.booleans()) else 1 for n in shape)
    wide = tuple(3 if n == 1 else n for n in shape)
    other = draw(st.sampled_from([other, shape[:1], shape[-1:], wide]))
    constant = net.constant(f"{x}_c", net.normal(*other))
    return [net.layer("BinaryOp", draw(st.permutations([x, constant])), f"{x}_b", {0: 2})]


def moved(draw: Draw, net: Net, x: str, shape: Shape) -> list[str]:
    """A layer that moves, repeats, cuts or reduces."""
    rank = len(shape)
    axis = draw(small(-rank, rank - 1))
    match draw(st.sampled_from("reshape permute squeeze expand tile pad reduce slice".split())):
        case "reshape":
            divisor = draw(st.sampled_from([n for n in range(1, 9) if prod(shape) % n == 0]))
            wanted: list[dict[int, int]] = [{0: -1}, {0: divisor, 1: -1}, {0: 1, 1: -1, 2: divisor}]
            wanted += [{0: 0, 1: -1}] if rank > 1 else [{0: 1, 1: divisor, 11: 1, 2: -1}]
            return [net.layer("Reshape", x, f"{x}_r", draw(st.sampled_from(wanted)))]
        case "permute":
            order = draw(small(0, {1: 0, 2: 1, 3: 5, 4: 23}[rank]))
            return [net.layer("Permute", x, f"{x}_t", {0: order})]
        case "squeeze":
            return [net.layer("Squeeze", x, f"{x}_s", {3: [axis]})]
        case "expand":
            return [net.layer("ExpandDims", x, f"{x}_e", {3: [axis]})]
        case "tile":
            repeats = draw(st.lists(small(1, 2), min_size=1, max_size=4))
            return [net.layer("Tile", x, f"{x}_n", {2: repeats})]
        case "pad":
            params = {i: draw(small(0, 2)) for i in ((2, 3) if rank == 1 else (0, 1, 2, 3))}
            return [net.layer("Padding", x, f"{x}_d", params)]
        case "reduce":
            params = {0: 3, 1: 0, 3: [axis], 4: draw(small(0, 1)), 5: 1}
            return [net.layer("Reduction", x, f"{x}_a", params)]
        case _:
            tops = [f"{x}_1", f"{x}_2"]
            net.layer("Slice", x, tops, {0: [-233, -233], 1: axis})
            return tops


def joined(draw: Draw, net: Net, x: str, shape: Shape) -> list[str]:
    """A value that goes two ways and comes together again."""
    a, b = f"{x}_i", f"{x}_j"
    net.layer("Split", x, [a, b])
    b = net.layer("ReLU", b, f"{b}_u")
    axis = draw(small(-len(shape), len(shape) - 1))
    kind, params = draw(st.sampled_from([("Concat", {0: axis}), ("Eltwise", {0: 1})]))
    return [net.layer(kind, [a, b], f"{x}_k", params)]


def grow(draw: Draw, net: Net, x: str, shape: Shape) -> list[str]:
    """Appends a layer or a few that may take a blob of this shape; returns their last blobs."""
    rank = len(shape)
    kinds = {
        2: ("Convolution1D", "ConvolutionDepthWise1D", "Deconvolution1D", "Pooling1D"),
        3: ("Convolution", "ConvolutionDepthWise", "Deconvolution", "Pooling", "Interp"),
        4: ("Convolution3D", "Deconvolution3D", "Pooling3D"),
    }.get(rank, ())
    kinds += ("InnerProduct", "MatMul", *(("Gemm", "LSTM") if rank == 2 else ()))
    kind = draw(st.sampled_from([*kinds, *["move"] * 3, "binary", "join"]))
    match kind:
        case "move":
            return moved(draw, net, x, shape)
        case "binary":
            return with_constant(draw, net, x, shape)
        case "join":
            return joined(draw, net, x, shape)
        case "LSTM":
            return recurrent(draw, net, x, shape)
        case "InnerProduct" | "MatMul" | "Gemm":
            return product_with_constant(draw, net, kind, x, shape)
        case "Interp":
            scales = {1: draw(st.sampled_from([0.5, 1.7])), 2: draw(st.sampled_from([2.0, 0.3]))}
            return [net.layer(kind, x, f"{x}_o", {0: 1, **scales})]
        case _ if kind.startswith("Pooling"):
            return pooling(draw, net, kind, x, shape)
        case _:
            return window(draw, net, kind, x, shape)
