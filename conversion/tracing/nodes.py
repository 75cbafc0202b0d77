"""The graph of tensor operations that traced arrays record.

Nodes are immutable. Extents may be terms over the extents of a model's inputs
(`dialects/shapes/terms.py`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ...dialects.shapes.terms import Extent, Extents, ExtentTerm, provably_equal

DType: TypeAlias = np.dtype[Any]


class NotTraced(Exception):
    """Tensor operations cannot express a computation. The text is the reason."""


def extents_text(shape: Sequence[Any]) -> str:
    """Return extents for a message, outermost first, with `?` for unknown ones."""
    return "x".join(str(n) if isinstance(n, int) and n >= 0 else "?" for n in shape) or "no extents"


@dataclass(frozen=True, eq=False)
class Node:
    """A tensor: its shape, outermost axis first, and the type of its elements."""

    shape: Extents
    dtype: DType

    @property
    def args(self) -> "tuple[Node, ...]":
        """The nodes that it is computed from."""
        return ()


@dataclass(frozen=True, eq=False)
class UnaryNode(Node):
    """A tensor computed from one other tensor."""

    of: Node

    @property
    def args(self) -> tuple[Node, ...]:
        return (self.of,)


@dataclass(frozen=True, eq=False)
class Input(Node):
    """A value of the IR."""

    value: SSAValue


@dataclass(frozen=True, eq=False)
class Scalar(Node):
    """A number, or an extent as a number. Its shape is empty."""

    value: bool | int | float | ExtentTerm


@dataclass(frozen=True, eq=False)
class Dense(Node):
    """Known numbers."""

    values: NDArray[Any] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Empty(Node):
    """A tensor whose elements are not read."""


@dataclass(frozen=True, eq=False)
class Elementwise(Node):
    """A scalar operation for each element (`arith.addf`). The arguments have the shape of the
    result, or are scalars."""

    name: str
    of: tuple[Node, ...]
    predicate: str = ""
    """The predicate of a comparison."""

    @property
    def args(self) -> tuple[Node, ...]:
        return self.of


@dataclass(frozen=True, eq=False)
class View(UnaryNode):
    """The same elements along other axes. For each axis of the result: the axis of the operand, or
    `None` if the operand is repeated along it. Omitted axes of the operand have extent 1, and so
    have axes that are mapped to a longer axis."""

    axes: tuple[int | None, ...]

    @property
    def repeats(self) -> bool:
        """Whether elements occur more than once."""
        return any(
            n != 1 and (axis is None or self.of.shape[axis] != n)
            for n, axis in zip(self.shape, self.axes, strict=True)
        )


@dataclass(frozen=True, eq=False)
class Tensor(UnaryNode):
    """The same tensor. Its readers neither compute its elements themselves, nor read the tensors
    that it is computed from instead."""


@dataclass(frozen=True, eq=False)
class Reshape(UnaryNode):
    """The same elements, row-major, in another shape."""


@dataclass(frozen=True, eq=False)
class Slice(UnaryNode):
    """Some of the elements along each axis: from an offset, with a stride."""

    offsets: Extents
    strides: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Insert(Node):
    """A tensor with some of its elements replaced by another tensor."""

    into: Node
    part: Node
    offsets: Extents
    strides: tuple[int, ...]

    @property
    def args(self) -> tuple[Node, ...]:
        return self.into, self.part


@dataclass(frozen=True, eq=False)
class Concat(Node):
    """Tensors joined along an axis."""

    parts: tuple[Node, ...]
    axis: int

    @property
    def args(self) -> tuple[Node, ...]:
        return self.parts


@dataclass(frozen=True, eq=False)
class Pad(UnaryNode):
    """A tensor with a border of one value. `low` is the number of elements before each axis; the
    shape determines the number after it."""

    low: Extents
    value: Scalar

    @property
    def args(self) -> tuple[Node, ...]:
        return self.of, self.value


@dataclass(frozen=True, eq=False)
class Reduce(UnaryNode):
    """The elements along some axes combined by a scalar operation, from a first value on. The axes
    are removed."""

    name: str
    axes: tuple[int, ...]
    first: bool | int | float


@dataclass(frozen=True, eq=False)
class Contract(Node):
    """A sum of products (a matrix product, an einsum). `dims` lists the loops of each argument's
    axes. The first loops are the axes of the result; the others are summed."""

    of: tuple[Node, Node]
    dims: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def args(self) -> tuple[Node, ...]:
        return self.of


@dataclass(frozen=True, eq=False)
class Convolve(Node):
    """The sums of a convolution without padding: x `c x …`, weight `outputs x c / groups x kernel`
    -> `outputs x …`."""

    x: Node
    weight: Node
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    groups: int

    @property
    def args(self) -> tuple[Node, ...]:
        return self.x, self.weight


@dataclass(frozen=True, eq=False)
class ReduceWindows(UnaryNode):
    """The elements of each window along the innermost axes, combined by a scalar operation."""

    name: str
    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    first: bool | int | float


@dataclass(frozen=True, eq=False)
class Gather(UnaryNode):
    """Elements at computed indices along an axis. The axes of the indices replace that axis."""

    indices: Node
    axis: int

    @property
    def args(self) -> tuple[Node, ...]:
        return self.of, self.indices


def scalar(value: Any, dtype: Any) -> Scalar:
    """Return a number of this type."""
    return Scalar((), np.dtype(dtype), np.asarray(value).astype(dtype).item())


def dense(values: NDArray[Any]) -> Node:
    """Return known numbers; as a view of a scalar if all are equal."""
    if values.ndim == 0:
        return scalar(values, values.dtype)
    if values.size and (values.dtype.kind != "f" or not np.isnan(values).any()):
        flat = values.reshape(-1)
        if (flat == flat[0]).all() and len(set(np.signbit(flat).tolist())) == 1:
            return View(
                values.shape, values.dtype, scalar(flat[0], values.dtype), (None,) * values.ndim
            )
    return Dense(values.shape, values.dtype, np.ascontiguousarray(values))


def broadcast(node: Node, shape: Extents) -> Node:
    """Return a node in a larger shape, as NumPy broadcasts."""
    if provably_equal(node.shape, shape) or isinstance(node, Scalar):
        return node
    more = len(shape) - len(node.shape)
    if more < 0 or any(n not in (1, m) for n, m in zip(node.shape, shape[more:], strict=True)):
        raise NotTraced(f"{extents_text(node.shape)} does not broadcast to {extents_text(shape)}")
    axes = [
        None if i < more or node.shape[i - more] != n else i - more for i, n in enumerate(shape)
    ]
    return view(node, shape, axes)


def view(node: Node, shape: Extents, axes: Sequence[int | None]) -> Node:
    """Return a view of a node; of a view's operand if the node is a view."""
    if isinstance(node, View):
        inner = node.axes
        axes = [None if axis is None else inner[axis] for axis in axes]
        node = node.of
    if provably_equal(node.shape, shape) and list(axes) == list(range(len(shape))):
        return node
    return View(shape, node.dtype, node, tuple(axes))


def reshape(node: Node, shape: Extents) -> Node:
    """Return a node in another shape with the same number of elements."""
    if provably_equal(node.shape, shape):
        return node
    old = [i for i, n in enumerate(node.shape) if n != 1]
    new = [n for n in shape if n != 1]
    if [node.shape[i] for i in old] == new:  # only axes of one element differ
        rest = iter(old)
        return view(node, shape, [None if n == 1 else next(rest) for n in shape])
    if isinstance(node, Reshape):
        return reshape(node.of, shape)
    if isinstance(node, View) and isinstance(node.of, Scalar):
        return View(shape, node.dtype, node.of, (None,) * len(shape))
    if isinstance(node, Dense) and all(isinstance(n, int) for n in shape):
        return dense(node.values.reshape([int(n) for n in shape if isinstance(n, int)]))
    return Reshape(shape, node.dtype, node)


def before_widening(node: Node) -> Node:
    """Return the int8 elements that were widened to int32; other nodes unchanged."""
    if isinstance(node, View):
        inner = before_widening(node.of)
        return node if inner is node.of else view(inner, node.shape, node.axes)
    if isinstance(node, Reshape):
        inner = before_widening(node.of)
        return node if inner is node.of else reshape(inner, node.shape)
    if isinstance(node, Pad):
        inner, border = before_widening(node.of), node.value.value
        if inner is node.of or not isinstance(border, int) or not -128 <= border < 128:
            return node
        return Pad(node.shape, inner.dtype, inner, node.low, scalar(border, inner.dtype))
    if isinstance(node, Elementwise) and node.name == "convert" and node.dtype == np.dtype("i4"):
        return node.of[0] if node.of[0].dtype == np.dtype("i1") else node
    return node


def is_static(*given: Node) -> bool:
    """Whether all extents of these tensors are known."""
    return all(isinstance(n, int) for node in given for n in node.shape)


def count(shape: Iterable[Extent]) -> Extent:
    """Return the number of elements of a tensor of this shape."""
    return prod(shape)


def broadcast_shapes(*shapes: Extents) -> Extents:
    """Return the shape that these shapes broadcast to. Raises `NotTraced` if they do not."""
    rank = max(map(len, shapes), default=0)
    result: list[Extent] = [1] * rank
    for shape in shapes:
        for i, n in enumerate(shape, rank - len(shape)):
            if n == 1 or n == result[i]:
                continue
            if result[i] != 1:
                raise NotTraced(
                    f"shapes {' and '.join(map(extents_text, shapes))} do not broadcast"
                )
            result[i] = n
    return tuple(result)


def in_order(roots: Sequence[Node], known: Iterable[Node] = ()) -> Iterator[Node]:
    """Yield nodes and all nodes that they are computed from, arguments first, each once; without
    those that are `known`, and what only they are computed from."""
    seen = set(known)
    pending: list[tuple[Node, bool]] = [(root, False) for root in reversed(roots)]
    while pending:
        node, ready = pending.pop()
        if ready:
            yield node
        elif node not in seen:
            seen.add(node)
            pending.append((node, True))
            pending += [(arg, False) for arg in reversed(node.args)]
