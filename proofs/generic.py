"""Elements of traced tensors at generic indices: the same computation for all extents.

An index along an axis of unknown extent is a term over *index symbols*: `2 * i + k` for a window.
An element of an input at such an index is a random exact number, one for each index. A border is a
number times 0 or 1, where the 0 or 1 is a random number, too: the identity is then proven for both.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, cast

from xdsl.ir import SSAValue

from ..conversion.tracing import nodes
from ..conversion.tracing.nodes import Node
from ..dialects.shapes.terms import Atom, Extent, ExtentTerm, at_least
from .array import ExactArray, NotExact
from .indices import Axis, Index, axis, flat, is_natural, level, moved, places, regrouped
from .numbers import (
    NO,
    YES,
    Element,
    ExactNumber,
    RandomElements,
    add,
    applied,
    compared,
    converted,
    folded,
    is_neutral,
    mixed,
    multiply,
    number,
    plain,
    selected,
)

MAX_STEPS = 300_000
"""The largest number of elements that are computed for one side."""


class GenericElements:
    """Computes elements of nodes, each once."""

    def __init__(
        self, inputs: Mapping[SSAValue, int], weights: Mapping[SSAValue, Any], draws: RandomElements
    ) -> None:
        self._inputs = inputs
        """The arguments of the function, by position."""
        self._weights = weights
        """The constants: exact numbers, or NumPy arrays."""
        self._draws = draws
        self._made: dict[tuple[Node, Index], Element] = {}

    def of(self, node: Node, index: Index) -> Element:
        """Return an element of a node. Raises `NotExact`."""
        key = (node, index)
        if key not in self._made:
            if len(self._made) > MAX_STEPS:
                raise NotExact(f"more than {MAX_STEPS:,} elements")
            compute = _NODES.get(type(node))
            if compute is None:
                raise NotExact(f"{type(node).__name__} at unknown extents")
            self._made[key] = compute(self, node, index)
        return self._made[key]

    def input_(self, node: nodes.Input, index: Index) -> Element:
        at = tuple(map(flat, index))
        if node.value in self._inputs:
            return self._draws.number("input", self._inputs[node.value], at)
        weight: Any = self._weights[node.value]
        if not all(isinstance(i, int) for i in at):
            raise NotExact("a weight at an unknown index")
        if isinstance(weight, ExactArray):
            return ExactNumber(weight.residues[at], float(weight.values[at]), weight.is_fixed)
        return plain(weight[at])

    def scalar(self, node: nodes.Scalar, index: Index) -> Element:
        return (
            self._draws.extent(node.value)
            if isinstance(node.value, ExtentTerm)
            else plain(node.value)
        )

    def dense(self, node: nodes.Dense, index: Index) -> Element:
        values: Any = node.values
        at = tuple(map(flat, index))
        if not all(isinstance(i, int) for i in at):
            raise NotExact("known numbers at an unknown index")
        return plain(values[at])

    def empty(self, node: nodes.Empty, index: Index) -> Element:
        """Return a number that no layer reads: the other case of a border that is not reached."""
        return self._draws.number("empty", tuple(map(flat, index)))

    def elementwise(self, node: nodes.Elementwise, index: Index) -> Element:
        args = [self.of(arg, () if arg.shape == () else index) for arg in node.of]
        if node.name == "convert":
            return converted(args[0], node.dtype.kind)
        if node.predicate:
            return compared(node.predicate, *args)
        if node.name == "arith.select":
            return selected(*args)
        return applied(node.name, args)

    def view(self, node: nodes.View, index: Index) -> Element:
        of: list[Axis] = [()] * len(node.of.shape)
        for i, place in zip(node.axes, index, strict=True):
            if i is not None and node.of.shape[i] != 1:
                of[i] = place
        return self.of(node.of, tuple(of))

    def reshape(self, node: nodes.Reshape, index: Index) -> Element:
        return self.of(node.of, regrouped(index, node.of.shape))

    def slice_(self, node: nodes.Slice, index: Index) -> Element:
        rows = zip(index, node.offsets, node.strides, node.shape, node.of.shape, strict=True)
        return self.of(node.of, tuple(moved(i, s, o, n, m) for i, o, s, n, m in rows))

    def pad(self, node: nodes.Pad, index: Index) -> Element:
        node = _merged(node)
        inner: list[Axis] = []
        flags: list[ExactNumber] = []
        for place, low, n, m in zip(index, node.low, node.shape, node.of.shape, strict=True):
            inner.append(moved(place, 1, -low, n, m))
            flags += self._within(flat(place) - low, m)
        border = self.of(node.value, ())
        if NO in flags:
            return border
        return mixed(flags, self.of(node.of, tuple(inner)), border)

    def insert(self, node: nodes.Insert, index: Index) -> Element:
        inner: list[Axis] = []
        flags: list[ExactNumber] = []
        rows = zip(index, node.offsets, node.strides, node.shape, node.part.shape, strict=True)
        for place, low, stride, n, m in rows:
            at = flat(place) - low
            if stride == 1:
                inner.append(moved(place, 1, -low, n, m))
            elif isinstance(at, int):
                flags += [] if at % stride == 0 else [NO]
                at //= stride
                inner.append(axis(at, m))
            else:
                raise NotExact("elements are written apart at an unknown index")
            flags += self._within(at, m)
        if NO in flags:
            return self.of(node.into, index)
        if not flags:
            return self.of(node.part, tuple(inner))
        return mixed(flags, self.of(node.part, tuple(inner)), self.of(node.into, index))

    def _within(self, at: Extent, n: Extent) -> list[ExactNumber]:
        """Return factors that are 1 if an index is between 0 and an extent, and 0 otherwise; none
        if it is provably between them."""
        flags = [self._natural(difference) for difference in (at, n - 1 - at)]
        return [flag for flag in flags if flag != YES]

    def _natural(self, n: Extent) -> ExactNumber:
        """Return 1 if a number is at least 0, and 0 otherwise."""
        known = is_natural(n)
        if known is None:
            return self._draws.flag("natural", n)
        return YES if known else NO

    def concat(self, node: nodes.Concat, index: Index) -> Element:
        at, end = flat(index[node.axis]), cast(Extent, 0)
        rest: list[tuple[ExactNumber, Element]] = []
        for i, part in enumerate(node.parts):
            begin, end = end, end + part.shape[node.axis]
            here = YES
            if i < len(node.parts) - 1:
                here = self._natural(end - 1 - at)
            if here == NO:
                continue
            n = part.shape[node.axis]
            own = (*index[: node.axis], axis(at - begin, n), *index[node.axis + 1 :])
            rest.append((here, self.of(part, own)))
            if here == YES:
                break
        result = rest[-1][1]
        for here, element in reversed(rest[:-1]):
            result = mixed([here], element, result)
        return result

    def reduce(self, node: nodes.Reduce, index: Index) -> Element:
        kept = iter(index)
        outer = [None if i in node.axes else next(kept) for i in range(len(node.of.shape))]
        extents = [node.of.shape[i] for i in node.axes]

        def body(loops: Sequence[Axis]) -> Element:
            own = iter(loops)
            return self.of(node.of, tuple(next(own) if i is None else i for i in outer))

        return self._combined(node.name, node.first, extents, body, index)

    def contract(self, node: nodes.Contract, index: Index) -> Element:
        rank = len(node.shape)
        loops: dict[int, Extent] = {}
        for arg, dims in zip(node.of, node.dims, strict=True):
            loops |= dict(zip(dims, arg.shape, strict=True))
        summed = sorted(d for d in loops if d >= rank)

        def body(inner: Sequence[Axis]) -> Element:
            at = {**dict(enumerate(index)), **dict(zip(summed, inner, strict=True))}
            a, b = (
                self.of(
                    arg,
                    tuple(() if n == 1 else at[d] for d, n in zip(dims, arg.shape, strict=True)),
                )
                for arg, dims in zip(node.of, node.dims, strict=True)
            )
            return multiply(number(a), number(b))

        return self._combined("arith.addf", 0.0, [loops[d] for d in summed], body, index)

    def convolve(self, node: nodes.Convolve, index: Index) -> Element:
        outputs, inputs, *kernel = node.weight.shape
        channel, *windows = index
        output = flat(channel)
        if not isinstance(output, int) or not isinstance(outputs, int):
            raise NotExact("a channel at an unknown index")
        if not isinstance(inputs, int) or not all(isinstance(k, int) for k in kernel):
            raise NotExact("a weight of unknown extents")
        group = output // (outputs // node.groups)
        total = ExactNumber(0, 0.0)
        for i, *at in product(range(inputs), *map(range, cast("list[int]", kernel))):
            rows = zip(windows, at, node.strides, node.dilations, node.x.shape[1:], strict=True)
            read = [axis(flat(p) * s + k * d, m) for p, k, s, d, m in rows]
            x = self.of(node.x, (axis(group * inputs + i, node.x.shape[0]), *read))
            window = [axis(k, n) for k, n in zip(at, kernel, strict=True)]
            weight = self.of(node.weight, (axis(output, outputs), axis(i, inputs), *window))
            total = add(total, multiply(number(x), number(weight)))
        return total

    def reduce_windows(self, node: nodes.ReduceWindows, index: Index) -> Element:
        before = len(index) - len(node.kernel)
        extents = node.of.shape[before:]

        def element(at: Sequence[int]) -> Element:
            rows = zip(index[before:], at, node.strides, node.dilations, extents, strict=True)
            read = [axis(flat(p) * s + k * d, m) for p, k, s, d, m in rows]
            return self.of(node.of, (*index[:before], *read))

        elements = map(element, product(*map(range, node.kernel)))
        return folded(node.name, node.first, elements)

    def gather(self, node: nodes.Gather, index: Index) -> Element:
        begin, end = node.axis, node.axis + len(node.indices.shape)
        at = self.of(node.indices, index[begin:end])
        if not isinstance(at, int):
            raise NotExact("an index that depends on values")
        return self.of(node.of, (*index[:begin], axis(at, node.of.shape[begin]), *index[end:]))

    def _combined(
        self,
        combine: str,
        first: float,
        extents: Sequence[Extent],
        body: Callable[[Sequence[Axis]], Element],
        outside: Index,
    ) -> Element:
        """Return the elements of a body along loops, combined. The loops of unknown extents are one
        unknown number, the same for equal bodies."""
        bound: dict[Atom, Extent] = {}
        name = 1 + max(map(level, outside), default=0)
        loops = [list(places(n, name, bound)) for n in extents]
        result = folded(combine, None if bound else first, map(body, product(*loops)))
        if not bound:
            return result
        lengths = tuple(sorted(bound.values(), key=str))
        start = None if is_neutral(combine, first) else first
        kind = combine.replace("num", "imum")  # NaN aside, these are equal
        return self._draws.positive("combined", kind, start, lengths, number(result).residue)


def _merged(node: nodes.Pad) -> nodes.Pad:
    """Return one border for two of the same value, one around the other. The inner one cuts off no
    elements, which would be back in the place of the outer one."""
    inner = node.of
    if not isinstance(inner, nodes.Pad) or inner.value.value != node.value.value:
        return node
    low = tuple(a + b for a, b in zip(node.low, inner.low, strict=True))
    sizes = zip(inner.low, inner.shape, inner.of.shape, strict=True)
    if not all(at_least(a, 0) and at_least(n - m - a, 0) for a, n, m in sizes):
        return node
    return _merged(nodes.Pad(node.shape, node.dtype, inner.of, low, node.value))


_NODES: Mapping[type[Node], Callable[[GenericElements, Any, Index], Element]] = {
    nodes.Input: GenericElements.input_,
    nodes.Scalar: GenericElements.scalar,
    nodes.Dense: GenericElements.dense,
    nodes.Empty: GenericElements.empty,
    nodes.Elementwise: GenericElements.elementwise,
    nodes.View: GenericElements.view,
    nodes.Reshape: GenericElements.reshape,
    nodes.Slice: GenericElements.slice_,
    nodes.Pad: GenericElements.pad,
    nodes.Insert: GenericElements.insert,
    nodes.Concat: GenericElements.concat,
    nodes.Reduce: GenericElements.reduce,
    nodes.Contract: GenericElements.contract,
    nodes.Convolve: GenericElements.convolve,
    nodes.ReduceWindows: GenericElements.reduce_windows,
    nodes.Gather: GenericElements.gather,
}
