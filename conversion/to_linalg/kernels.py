"""Writes graphs of traced arrays as operations of `linalg` and `tensor`.

Element-wise nodes that only one kernel reads become part of it, so a chain of them is one
`linalg.generic` (producer-consumer fusion). Nodes that several kernels read become tensors, and so
do nodes that would be recomputed for each repeated element.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from ...dialects.shapes.terms import ExtentTerm
from ..tracing import loops, nodes
from ..tracing.nodes import Node
from . import scalars
from .builder import Builder, ChannelsLastCopies, channels_first, channels_last, dim
from .processors import DEFAULT, PROCESSORS, VectorUnit
from .scalars import Access, Elements, through

Writer: TypeAlias = Callable[["LinalgWriter", Any], SSAValue]
"""Writes a kind of node, and returns its value."""


class LinalgWriter:
    """Writes nodes, and the nodes that they are computed from."""

    def __init__(
        self,
        builder: Builder,
        writers: Mapping[type[Node], Writer],
        style: str = "named",
        forms: Mapping[nodes.Convolve, str] | None = None,
        processor: VectorUnit = PROCESSORS[DEFAULT],
    ) -> None:
        self.builder = builder
        self.writers = writers
        self.style = style
        """How convolutions are written: one of `STYLES`."""
        self.forms = dict(forms or {})
        """The forms (`forms.py`) of the convolutions that are not to have the cheapest ones."""
        self.processor = processor
        self.copies = ChannelsLastCopies(builder)
        self._values: dict[Node, SSAValue] = {}
        self.tensors: set[Node] = set()
        """The nodes that are tensors of their own."""
        self._loops: dict[loops.Loop, list[SSAValue]] = {}

    def inside(self, place: scalars.Place) -> "LinalgWriter":
        """Return a writer of the same style for the body of a loop."""
        builder = Builder(place, self.builder.extents)
        return LinalgWriter(builder, self.writers, self.style, processor=self.processor)

    def set_value(self, node: Node, value: SSAValue) -> None:
        """Declare the value of a node that need not be written."""
        self._values[node] = value
        self.tensors.add(node)

    def plan(self, roots: Sequence[Node]) -> None:
        """Decide which of the nodes that these are computed from become tensors."""
        order = list(nodes.in_order(roots))
        parts = nodes.Elementwise | nodes.View | nodes.Scalar
        self.tensors |= _tensors(order, roots).union(roots)
        self.tensors.update(node for node in order if not isinstance(node, parts))

    def write(self, roots: Sequence[Node]) -> list[SSAValue]:
        """Write nodes. Return their values."""
        self.plan(roots)
        return [self.value(root) for root in roots]

    def value(self, node: Node) -> SSAValue:
        """Return the tensor of a node. Write it if necessary."""
        pending = [node]
        while pending:  # not by recursion: chains are longer than Python's stack
            last = pending[-1]
            if last in self._values:
                pending.pop()
                continue
            missing = [each for each in self._read(last) if each not in self._values]
            if missing:
                pending += missing
                continue
            self._values[pending.pop()] = self.writers[type(last)](self, last)
        return self._values[node]

    def channels_last(self, node: Node) -> SSAValue:
        """Return the channels-last copy of a node. Write it if necessary."""
        return self.copies.of(self.value(node), node.shape)

    def has_channels_last(self, node: Node) -> bool:
        """Whether a node has a channels-last copy already."""
        return len(node.shape) >= 3 and self.copies.find(self.value(node)) is not None

    def _read(self, node: Node) -> list[Node]:
        """Return the tensors that the kernel of a node reads, the first one last."""
        if not isinstance(node, nodes.Elementwise | nodes.View | nodes.Reduce):
            return [arg for arg in node.args if not isinstance(arg, nodes.Scalar)]
        found: list[Node] = []
        pending = list(reversed(node.args))
        seen: set[Node] = set()  # x * sigmoid(x), repeated, has 2^n paths
        while pending:
            arg = pending.pop()
            if isinstance(arg, nodes.Scalar) or arg in seen:
                continue
            seen.add(arg)
            if arg in self.tensors or not isinstance(arg, nodes.Elementwise | nodes.View):
                found.append(arg)
            else:
                pending += reversed(arg.args)
        return found[::-1]

    def loop(
        self, node: loops.Loop, write: Callable[["LinalgWriter", loops.Loop], list[SSAValue]]
    ) -> list[SSAValue]:
        """Return the results of a loop, which `write` writes once."""
        if node not in self._loops:
            self._loops[node] = write(self, node)
        return self._loops[node]

    # -- loop nests

    def kernel(
        self,
        node: Node,
        access: Access,
        out: SSAValue,
        out_dims: Sequence[int],
        dims: int,
        combine: Callable[[SSAValue, SSAValue, scalars.Place], SSAValue] | None = None,
        root: bool = True,
    ) -> SSAValue:
        """Create a generic operation that computes the elements of a node at this access, and
        combines them with the elements of `out` if `combine` is given."""
        leaves = self.leaves(node, access, root)
        inputs = [self._leaf(leaf, where) for leaf, where in leaves]

        def body(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
            read = {key: args[i] for key, i in leaves.items()}
            value = Elements(self.number, read, place).of(node, access)
            return value if combine is None else combine(value, args[-1], place)

        return self.builder.generic(inputs, out, [dim(i) for i in out_dims], dims, body)

    def _leaf(self, node: Node, access: Access) -> tuple[SSAValue, list[AffineExpr]]:
        """Return a tensor that a kernel reads, without its axes of one element, and its map."""
        rank = len(access)
        kept = [i for i, d in enumerate(access) if d is not None]
        dims = [dim(d) for d in access if d is not None]
        if self.style != "named" and rank > 2:
            in_order = access == channels_first(range(rank))
            if in_order or (len(dims) == rank > 3 and self.has_channels_last(node)):
                return self.channels_last(node), list(channels_last(dims))
        value = self.value(node)
        if access and not kept:  # some compilers cannot reshape to rank 0
            return value, [AffineExpr.constant(0)] * len(access)
        if len(kept) < len(access):
            shape = tuple(node.shape[i] for i in kept)
            value = self.builder.reshape(value, node.shape, shape)
        return value, dims

    def leaves(
        self, node: Node, access: Access, root: bool = True
    ) -> dict[tuple[Node, Access], int]:
        """Return the tensors that the kernel of a node reads, with their accesses and numbers."""
        found: dict[tuple[Node, Access], int] = {}
        self._collect(node, access, found, root)
        return found

    def _collect(
        self, node: Node, access: Access, leaves: dict[tuple[Node, Access], int], root: bool = False
    ) -> None:
        pending = [(node, access, root)]
        seen: set[tuple[Node, Access]] = set()
        while pending:
            node, access, root = pending.pop()
            if isinstance(node, nodes.Scalar) or (node, access) in seen:
                continue
            seen.add((node, access))
            may_be_inside = root or node not in self.tensors
            if not may_be_inside or not isinstance(node, nodes.Elementwise | nodes.View):
                leaves.setdefault((node, access), len(leaves))
            elif isinstance(node, nodes.View):
                pending.append((node.of, through(node, access), False))
            else:
                pending += [(arg, access, False) for arg in reversed(node.args)]

    def number(self, node: nodes.Scalar, place: scalars.Place) -> SSAValue:
        """Return the scalar of a number."""
        if not isinstance(node.value, ExtentTerm):
            return scalars.constant(node.value, node.dtype, place)
        index = place(arith.IndexCastOp(self.builder.extents.of(node.value), i64))
        return place(arith.SIToFPOp(index, cast(Any, scalars.type_of(node.dtype))))


_MANY = object()
"""Marks nodes that must be tensors because of their readers."""


def _tensors(order: Sequence[Node], roots: Sequence[Node]) -> set[Node]:
    """Return the element-wise nodes and views that become tensors, and not parts of the kernels
    that read them. `order` lists all nodes that roots are computed from, arguments first."""
    readers: dict[Node, set[object]] = {node: set() for node in order}
    whole: set[Node] = set()
    for root in roots:
        readers[root].add(_MANY)
    for node in reversed(order):
        own = readers[node]
        match node:
            case nodes.Elementwise():
                if _MANY in own or len(own) != 1:
                    whole.add(node)
                    own = {node}
                for arg in node.args:
                    readers[arg] |= own
            case nodes.View():
                if _MANY in own:
                    whole.add(node)
                    own = {node}
                again = node.repeats and isinstance(node.of, nodes.Elementwise) and _costs(node.of)
                readers[node.of] |= {_MANY} if again else own
            case nodes.Reduce():
                repeated = isinstance(node.of, nodes.View) and node.of.repeats
                readers[node.of].add(_MANY if repeated else node)
            case _:
                for arg in node.args:
                    readers[arg].add(_MANY)
    return whole


def _costs(node: nodes.Elementwise) -> bool:
    """Whether a scalar operation should not be repeated for each element."""
    return node.name != "convert" or isinstance(node.of[0], nodes.Elementwise)


def bounded(node: Node) -> Node:
    """Return the node of a result. An element-wise result without a product is computed in the
    kernel that reads it. But the end of a product is a tensor: IREE computes it together with that
    product. So is a permutation: in a product that reads it, IREE would lay out a matrix for each
    tile."""
    axes = [axis for axis in node.axes if axis is not None] if isinstance(node, nodes.View) else []
    if axes != sorted(axes) or _ends_product(node):
        return nodes.Tensor(node.shape, node.dtype, node)
    return node


def _ends_product(node: Node) -> bool:
    """Whether a kernel of this node reads the sums of a product."""
    pending, seen = [node], {node}
    while pending:
        for arg in pending.pop().args:
            if isinstance(arg, nodes.Convolve | nodes.Contract):
                return True
            if isinstance(arg, nodes.Elementwise | nodes.View) and arg not in seen:
                seen.add(arg)
                pending.append(arg)
    return False


# -- helpers of writers


def filled(kernels: LinalgWriter, node: Node, value: bool | int | float = 0) -> SSAValue:
    """Return a tensor of the shape of a node, filled with one value."""
    number = scalars.constant(value, node.dtype, kernels.builder.place)
    return kernels.builder.fill(number, node.shape, node.dtype)


def copied(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
    """Write the body of a copy that is not fused with its readers, because it computes something:
    `copysign(x, x)` is x, but MLIR does not fold it."""
    return place(math.CopySignOp(args[0], args[0]))


def mac_body(node: Node, of: Sequence[Node]) -> Any:
    """Return the body of a sum of products."""
    kind = "f" if node.dtype.kind == "f" else "i"

    def body(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
        factors = [
            scalars.convert(arg, each.dtype, node.dtype, place)
            for arg, each in zip(args[:2], of, strict=True)
        ]
        product = scalars.apply(f"arith.mul{kind}", factors, node.dtype, "", place)
        return scalars.apply(f"arith.add{kind}", [args[2], product], node.dtype, "", place)

    return body


def dot_body(count: int, dtype: nodes.DType = np.dtype("f4"), *of: nodes.DType) -> Any:
    """Return the body of a sum of products: each of the first `count` elements times the element
    `count` places behind it. Integers are converted from the types `of` of the two factors."""

    def body(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
        total = place(arith.MulfOp(args[0], args[count]))
        for i in range(1, count):
            total = place(math.FmaOp(args[i], args[count + i], total))
        return total

    def int_body(args: Sequence[SSAValue], place: scalars.Place) -> SSAValue:
        total = scalars.constant(0, dtype, place)
        for i in range(count):
            pair = zip((args[i], args[count + i]), of, strict=True)
            factors = [scalars.convert(arg, each, dtype, place) for arg, each in pair]
            product = scalars.apply("arith.muli", factors, dtype, "", place)
            total = scalars.apply("arith.addi", [total, product], dtype, "", place)
        return total

    return body if dtype.kind == "f" else int_body


def positions(
    first_place: int, first_tap: int, strides: Sequence[int], dilations: Sequence[int]
) -> list[AffineExpr]:
    """Return the positions that windows read along each axis."""
    return [
        dim(first_place + i) * stride + dim(first_tap + i) * dilation
        for i, (stride, dilation) in enumerate(zip(strides, dilations, strict=True))
    ]
