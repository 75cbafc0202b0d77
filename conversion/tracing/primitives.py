"""Traced forms of functions of the reference semantics.

Traced one NumPy call after the other, a convolution would be many slices and sums. Here it is one
node, and `to_linalg` chooses its form.

Example, of a transposed convolution by phases (`_phases`): stride 2 and the kernel (a, b, c, d), in
one dimension. Zeros between the inputs would make 4 products per output, 2 of them with a zero. But
the output 2i is `a x[i] + c x[i-1]`, and 2i + 1 is `b x[i] + d x[i-1]`. So one convolution of 2
outputs with the kernels (c, a) and (d, b) computes both, and their pixels are interleaved.
"""

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith

from ...dialects.shapes.terms import Extent, Extents
from ...dialects.shapes.windows import Window, span_of
from . import nodes
from .arrays import Traced, cast_to, node_of
from .indexing import get
from .nodes import Node
from .ufuncs import operation_of, scalar_op


class DoesNotFit(ValueError):
    """A window is larger than a blob, as in the reference semantics."""


def _float(x: Any) -> Node:
    return node_of(x, x.dtype if x.dtype.kind == "f" else "f4")


def erf(x: Any) -> Traced:
    return Traced(scalar_op("math.erf", [_float(x)], x.dtype))


def erfc(x: Any) -> Any:
    return np.float32(1) - erf(x)


def rounded(x: Any) -> Traced:
    return Traced(scalar_op("math.round", [node_of(x)], x.dtype))


def as_float(extent: Extent, like: Any) -> Any:
    number = nodes.Scalar((), np.dtype("f4"), extent)
    return np.float32(extent) if isinstance(extent, int) else Traced(number)


def exact(x: Any) -> Traced:
    """Convert sums of integers to integers."""
    return x.astype("i4")


def mac_body(a: Any, b: Any, c: Any) -> Traced:
    args = [node_of(value, "f4") for value in (a, b, c)]
    return Traced(scalar_op("math.fma", args, "f4"))


def inverse_root(x: Any) -> Traced:
    return Traced(scalar_op("math.rsqrt", [_float(x)], x.dtype))


def compared(predicate: int, a: Any, b: Any) -> Traced:
    name = arith.CMPF_COMPARISON_OPERATIONS[predicate]
    return Traced(scalar_op("arith.cmpf", [node_of(a), node_of(b)], bool, name))


def power(x: Any, exponent: float) -> Any:
    """Compute LRN's usual power by square roots: in IREE, a power takes as long as five roots."""
    if exponent == -0.75:
        root = np.sqrt(x)
        return np.float32(1) / (root * np.sqrt(root))
    return np.power(x, np.float32(exponent))


def c_fmod(x: Any, y: Any) -> Any:
    """Compute fmod of float64. It is exact for float32 unless the quotient exceeds float64's
    precision."""
    beyond = (np.abs(y) == np.inf) & (np.abs(x) != np.inf)
    return np.where(beyond, x, x - np.trunc(x / y) * y)  # pyright: ignore


def pad(x: Any, pads: Sequence[tuple[Extent, Extent]], value: float) -> Any:
    numbers = [(a, b) for a, b in pads if isinstance(a, int) and isinstance(b, int)]
    if len(numbers) < len(pads):  # terms come from `Window.padded`
        return np.pad(x, [(0, 0)] * (x.ndim - len(pads)) + [*pads], constant_values=value)  # pyright: ignore
    pads = numbers
    if any(n < 0 for pair in pads for n in pair):
        rows = zip(pads, x.shape[x.ndim - len(pads) :], strict=True)
        cuts = tuple(slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in rows)
        x = x[(..., *cuts)]
    if not any(n > 0 for pair in pads for n in pair):
        return x
    widths = [(max(a, 0), max(b, 0)) for a, b in pads]
    return np.pad(x, [(0, 0)] * (x.ndim - len(pads)) + widths, constant_values=value)


def correlate(x: Any, weight: Any, window: Window[int]) -> Traced:
    data, factors = node_of(x), node_of(weight)
    outputs, inputs, *kernel = factors.shape
    if inputs * window.groups != data.shape[0]:
        raise ValueError(f"{x.shape[0]} channels, the weight is for {inputs * window.groups}")
    extents = _places(data.shape[1:], tuple(kernel), window.strides, window.dilations)
    data = _of_one_place(data, kernel, extents, window.dilations)
    data, factors, dtype = _factors(data, factors)
    return Traced(
        nodes.Convolve(
            (outputs, *extents),
            dtype,
            data,
            factors,
            window.strides,
            window.dilations,
            window.groups,
        )
    )


def _of_one_place(
    x: Node, kernel: Sequence[Extent], places: Extents, dilations: Sequence[int]
) -> Node:
    """Return only the elements that windows read along axes with one window. IREE would combine all
    elements."""
    before = len(x.shape) - len(places)
    rows = zip(x.shape[before:], kernel, places, dilations, strict=True)
    cuts = [
        slice(None, span_of(k, d)) if n == 1 and span_of(k, d) != extent else slice(None)
        for extent, k, n, d in rows
    ]
    if all(cut == slice(None) for cut in cuts):
        return x
    return get(x, (*[slice(None)] * before, *cuts))[0]


def _factors(a: Node, b: Node) -> tuple[Node, Node, Any]:
    """Return factors, as int8 where they were widened, with the type of their sums."""
    dtype = np.result_type(a.dtype, b.dtype)
    narrow = [nodes.before_widening(node) for node in (a, b)]
    if all(node.dtype == np.int8 for node in narrow):
        return narrow[0], narrow[1], np.dtype("i4")
    return cast_to(a, dtype), cast_to(b, dtype), dtype


def _places(
    extents: Extents, kernel: Extents, strides: Sequence[int], dilations: Sequence[int]
) -> Extents:
    """Return the number of windows along each axis."""
    count = len(extents)
    window = Window(kernel, tuple(strides), tuple(dilations), ((0, 0),) * count)
    found = window.places(extents)
    if any(isinstance(n, int) and n < 1 for n in found):
        raise DoesNotFit(f"a window of {list(window.spans)} does not fit into {list(extents)}")
    return found


def spread(x: Any, weight: Any, window: Window[int]) -> Any:
    """Compute a transposed convolution: by phases, or as the convolution of the input, with zeros
    between its elements, by the flipped kernel."""
    if set(window.dilations) == {1} != set(window.strides) and window.groups in (1, len(weight)):
        return _phases(x, weight, window)
    kernel = weight.shape[2:]
    flipped = np.flip(weight, tuple(range(2, weight.ndim)))
    rows = zip(kernel, window.dilations, window.pads, window.more, strict=True)
    ends = [(cast(int, span_of(k, d)) - 1, pads, m) for k, d, pads, m in rows]
    borders = [(n - a, n - b + m) for n, (a, b), m in ends]
    if any(s > 1 for s in window.strides):
        # Write the border at once: IREE compiles a border around strided elements wrongly.
        x = _apart(x, window.strides, [(max(a, 0), max(b, 0)) for a, b in borders])
        borders = [(min(a, 0), min(b, 0)) for a, b in borders]
    ones = (1,) * len(kernel)
    whole = Window(tuple(kernel), ones, window.dilations, ((0, 0),) * len(kernel), window.groups)
    return correlate(pad(x, borders, 0), flipped, whole)


def _phases(x: Any, weight: Any, window: Window[int]) -> Any:
    """Compute all phases of a transposed convolution (a phase is the elements of the result at one
    remainder by the strides) as the outputs of one convolution, or as products with slices for
    groups of one output. Interleave their pixels. (Shi et al., Real-Time Single Image and Video
    Super-Resolution Using an Efficient Sub-Pixel Convolutional Neural Network, 2016.)"""
    outputs, inputs, *kernel = weight.shape
    strides, count = window.strides, len(kernel)
    taps = tuple(-(-k // s) for k, s in zip(kernel, strides, strict=True))
    weight = pad(weight, [(0, t * s - k) for t, s, k in zip(taps, strides, kernel, strict=True)], 0)
    weight = weight.reshape(outputs, inputs, *(n for pair in zip(taps, strides) for n in pair))
    phase, tap = range(3, 3 + 2 * count, 2), range(2, 2 + 2 * count, 2)
    several = tuple(count + 2 + i for i, t in enumerate(taps) if t > 1)
    weight = np.flip(weight.transpose(*phase, 0, 1, *tap), several)
    borders: list[tuple[Extent, Extent]] = []
    kept = [slice(None)]
    places: list[Extent] = []
    rows = zip(x.shape[1:], strides, kernel, taps, window.pads, window.more, strict=True)
    for n, s, k, t, (low, high), more in rows:
        places.append(n - (s + high - k - more) // s)
        borders.append((t - 1, places[-1] - n))
        kept.append(slice(low, (n - 1) * s + k + more - high))
    x, ones = pad(x, borders, 0), (1,) * count
    if window.groups == 1:
        whole = Window(taps, ones, ones, ((0, 0),) * count)
        made: Any = correlate(x, weight.reshape(-1, inputs, *taps), whole)
    else:
        products: list[Any] = []
        split = x.reshape(outputs, inputs, *x.shape[1:])
        split = split.transpose(1, 0, *range(2, split.ndim))
        for i, *at in product(range(inputs), *map(range, taps)):
            seen = [slice(start, start + n) for start, n in zip(at, places, strict=True)]
            factors = weight[(..., i, *at)].reshape(*strides, outputs, *ones)
            products.append(split[(i, slice(None), *seen)] * factors)
        made = sum(products[1:], products[0])
    order = [axis for i in range(count) for axis in (count + 1 + i, i)]
    made = made.reshape(*strides, outputs, *places).transpose(count, *order)
    made = made.reshape(outputs, *(n * s for n, s in zip(places, strides, strict=True)))
    return made[tuple(kept)]


def _apart(x: Any, strides: Sequence[int], borders: Sequence[tuple[int, int]]) -> Any:
    """Return the elements with zeros between and around them."""
    rows = list(zip(x.shape[1:], strides, borders, strict=True))
    shape = [a + (n - 1) * s + 1 + b for n, s, (a, b) in rows]
    result = np.full((x.shape[0], *shape), 0, x.dtype, like=x)
    places = (slice(a, a + (n - 1) * s + 1, s) for n, s, (a, _) in rows)
    result[(slice(None), *places)] = x
    return result


def over_windows(function: Any, x: Any, window: Window[int]) -> Traced:
    node = node_of(x)
    name, first = operation_of(function, node.dtype)
    places = _places(
        node.shape[-len(window.kernel) :], window.kernel, window.strides, window.dilations
    )
    shape = (*node.shape[: len(node.shape) - len(places)], *places)
    node = _of_one_place(node, window.kernel, places, window.dilations)
    if isinstance(node, nodes.View) and isinstance(node.of, nodes.Scalar):
        # IREE combines one element per window here if strides exceed the kernel.
        times = prod(window.kernel) if name in ("arith.addf", "arith.addi") else 1
        result: Any = np.full(cast(Any, shape), node.of.value * times, node.dtype, like=x)
        return result
    return Traced(
        nodes.ReduceWindows(
            shape, node.dtype, node, name, window.kernel, window.strides, window.dilations, first
        )
    )


def windows(x: Any, kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> Any:
    """Return all windows: the elements that each position of the kernel reads, one position after
    the other."""
    extents: Extents = x.shape[x.ndim - len(kernel) :]
    counts = _places(extents, tuple(kernel), strides, dilations)
    parts: list[Any] = []
    for place in product(*map(range, kernel)):
        rows = zip(place, dilations, counts, strides, strict=True)
        parts.append(x[(..., *(_seen(p * d, n, s) for p, d, n, s in rows))])
    rank = parts[0].ndim
    flat = np.stack(parts, rank)
    return flat.reshape(*parts[0].shape, *kernel)


def _seen(offset: int, count: Extent, stride: int) -> slice:
    return slice(offset, offset + (count - 1) * stride + 1, stride)
