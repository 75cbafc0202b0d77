"""Blobs with the channels innermost.

A convolution computes many channels of one place from the same few inputs, so the channels are what
its vectors hold: with them innermost a vector never ends in the middle of a row, padding copies
whole rows, strides skip whole vectors, and windows need no columns. So a blob `… x h x w` has a
twin `h x w x …` here, in which everything is computed that can be; the blob itself is the twin with
its axes permuted, and goes away where only twins are read.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, TypeVar

from xdsl.dialects import tensor
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from ...dialects.shapes.terms import Extents
from ..tracing import nodes
from ..tracing.nodes import Node
from . import scalars
from .builder import Builder, dim
from .kernels import Kernels, filled

_N = TypeVar("_N", bound=Node)
_T = TypeVar("_T")


TWINS: dict[type[Node], Callable[[Kernels, Any], SSAValue | None]] = {}
"""How kinds of nodes are written of which the channels may be innermost; `None` for a node that had
better be written as it is. (More are in `convolutions_last.py`.)"""


def writes_twin(kind: type[_N]) -> Callable[[Callable[[Kernels, _N], SSAValue | None]], Any]:
    """Declares how the twin of a kind of node is written, or that there is none (`None`)."""

    def declare(writer: Callable[[Kernels, _N], SSAValue | None]) -> Any:
        def written(kernels: Kernels, node: _N) -> SSAValue | None:
            twin = writer(kernels, node) if fits(node) else None
            if twin is None:
                return None
            rank = len(node.shape)
            value = permuted(kernels.builder, twin, range(rank), back(range(rank)), node)
            kernels.twins[value] = twin
            return value

        TWINS[kind] = written
        return writer

    return declare


def known(shape: Extents) -> tuple[int, ...]:
    """A shape of which all extents are known."""
    return tuple(n for n in shape if isinstance(n, int))


def fits(node: Node) -> bool:
    """Whether a blob has places."""
    return len(node.shape) >= 3


def last(axes: Sequence[_T]) -> tuple[_T, ...]:
    """What belongs to the axes of a blob in the order of its twin's."""
    return (*axes[-2:], *axes[:-2])


def back(axes: Sequence[_T]) -> tuple[_T, ...]:
    """What belongs to the axes of a twin in the order of the blob's."""
    return (*axes[2:], *axes[:2])


def permuted(
    builder: Builder, value: SSAValue, dims: Sequence[int], order: Sequence[int], node: Node
) -> SSAValue:
    """A tensor of which the axes are the dims, with the axes in another order. The extents are
    those of the node."""
    extents = dict(zip(range(len(node.shape)), last(node.shape), strict=True))
    out = builder.empty(tuple(extents[i] for i in order), node.dtype)
    where, outs = [dim(order.index(i)) for i in dims], [dim(i) for i in range(len(order))]
    return builder.generic([(value, where)], out, outs, len(outs), lambda args, _: args[0])


def twin(kernels: Kernels, node: Node) -> SSAValue:
    """A blob with its channels innermost."""
    value = kernels.value(node)
    if (found := _known(kernels, value)) is None:
        rank = len(node.shape)
        found = permuted(kernels.builder, value, back(range(rank)), range(rank), node)
        kernels.twins[value] = found
    return found


def has_twin(kernels: Kernels, node: Node) -> bool:
    """Whether a tensor that is written has a twin."""
    return fits(node) and _known(kernels, kernels.value(node)) is not None


def _known(kernels: Kernels, value: SSAValue) -> SSAValue | None:
    if value not in kernels.twins and (found := _permuted_of(value, back)) is not None:
        kernels.twins[value] = found
    return kernels.twins.get(value)


def _permuted_of(
    value: SSAValue, order: Callable[[Sequence[int]], tuple[int, ...]]
) -> SSAValue | None:
    """What a tensor is with its axes in another order (`permuted`)."""
    op: Any = value.owner
    if not isinstance(op, linalg.GenericOp) or len(op.inputs) != 1:
        return None
    inside: Any = op.body.block
    if tuple(inside.first_op.operands) != inside.args[:1] or len(inside.ops) > 1:
        return None
    reads, writes = (each.data for each in op.indexing_maps)
    rank: int = reads.num_dims
    moved = order(range(rank))  # for each axis of the result that of the input
    expected = AffineMap(rank, 0, tuple(dim(moved.index(i)) for i in range(rank)))
    is_it = rank > 2 and reads == expected and writes == AffineMap.identity(rank)
    return op.inputs[0] if is_it else None


def access_of(node: Node) -> tuple[int, ...]:
    """For each axis of a node the dim of a loop nest over its twin (an `Access`)."""
    return back(range(len(node.shape)))


@writes_twin(nodes.Apply)
def _apply(kernels: Kernels, node: nodes.Apply) -> SSAValue | None:
    rank, access = len(node.shape), access_of(node)
    if not any(has_twin(kernels, leaf) for leaf, _ in kernels.leaves(node, access)):
        return None
    out = kernels.builder.empty(last(node.shape), node.dtype)
    return kernels.kernel(node, access, out, range(rank), rank)


@writes_twin(nodes.View)
def _view(kernels: Kernels, node: nodes.View) -> SSAValue | None:
    return None if isinstance(node.of, nodes.Scalar) else _apply(kernels, node)


def reduced(kernels: Kernels, node: nodes.Reduce, combine: Any) -> SSAValue | None:
    """The elements of a blob along some axes combined, read from twins where there are any."""
    of = node.of
    if isinstance(of, nodes.Reshape) and node.axes == (1,) and len(of.shape) == 2:
        blob = of.of  # the places in one axis
        if len(blob.shape) == 3 and blob.shape[0] == of.shape[0]:
            node = nodes.Reduce(node.shape, node.dtype, node.name, blob, (1, 2), node.first)
    rank, access = len(node.of.shape), access_of(node.of)
    kept = [i for i in range(rank) if i not in node.axes]
    dims = [access[i] for i in kept]
    if rank < 3 or dims != sorted(dims):
        return None
    if not any(has_twin(kernels, leaf) for leaf, _ in kernels.leaves(node.of, access, root=False)):
        return None
    out = filled(kernels, node, node.first)
    return kernels.kernel(node.of, access, out, dims, rank, combine, root=False)


@writes_twin(nodes.Slice)
def _slice(kernels: Kernels, node: nodes.Slice) -> SSAValue | None:
    if not has_twin(kernels, node.of):
        return None
    x, strides = twin(kernels, node.of), last(node.strides)
    return kernels.builder.slice(x, last(node.offsets), last(node.shape), strides)


@writes_twin(nodes.Insert)
def _insert(kernels: Kernels, node: nodes.Insert) -> SSAValue | None:
    if not (has_twin(kernels, node.part) or has_twin(kernels, node.into)):
        return None
    builder = kernels.builder
    if isinstance(node.into, nodes.Blank):
        into = builder.empty(last(node.shape), node.dtype)
    else:
        into = twin(kernels, node.into)
    shape, strides = last(node.part.shape), last(node.strides)
    return builder.insert(twin(kernels, node.part), into, last(node.offsets), shape, strides)


@writes_twin(nodes.Pad)
def _pad(kernels: Kernels, node: nodes.Pad) -> SSAValue | None:
    return bordered(kernels, node) if takes_border(kernels, node) else None  # (mostly for windows)


def takes_border(kernels: Kernels, node: nodes.Pad) -> bool:
    """Whether the channels-last copy of a blob can be put into a border. IREE fails where it
    permutes an input of the model into a border of another value than 0."""
    return node.value.value == 0 or not isinstance(kernels.value(node.of), BlockArgument)


def bordered(kernels: Kernels, node: nodes.Pad) -> SSAValue:
    """The twin of a blob with a border."""
    border = scalars.constant(node.value.value, node.dtype, kernels.builder.place)
    low, shape = last(node.low), last(node.shape)
    rows = zip(shape, last(node.of.shape), low, strict=True)
    high: Extents = tuple(n - m - before for n, m, before in rows)
    return kernels.builder.pad(twin(kernels, node.of), border, low, high, shape)


def fitted(kernels: Kernels, node: nodes.Node, extents: Sequence[int]) -> SSAValue:
    """The channels-last copy of a blob, extended to these extents by elements that nothing reads,
    or cut off there. An existing border is extended with its own value: IREE refuses some borders
    of one value around borders of another one."""
    h, w = extents
    own: nodes.Node = node
    low: Extents = (0, 0, 0)
    value = nodes.scalar(0, node.dtype)
    if isinstance(node, nodes.Pad) and takes_border(kernels, node):
        low, own, value = node.low, node.of, node.value
    channels, *places = known(node.shape)
    shape = (channels, max(h, places[0]), max(w, places[1]))
    if shape == node.shape:
        x = twin(kernels, node)
    else:
        x = bordered(kernels, nodes.Pad(shape, node.dtype, own, low, value))
    if shape[1:] != (h, w):
        x = kernels.builder.slice(x, (0, 0, 0), (h, w, channels), (1, 1, 1))
    return x


def taps(
    builder: Builder, x: SSAValue, node: nodes.Convolve | nodes.ReduceWindows, kernel: Sequence[int]
) -> Iterator[SSAValue]:
    """What each place of a kernel sees of a twin."""
    channels = known(node.args[0].shape)[0]
    shape = (*known(node.shape[-2:]), channels)
    for place in product(*map(range, kernel)):
        at = tuple(p * d for p, d in zip(place, node.dilations, strict=True))
        yield builder.slice(x, (*at, 0), shape, (*node.strides, 1))


@writes_twin(nodes.Reshape)
def _reshape(kernels: Kernels, node: nodes.Reshape) -> SSAValue | None:
    """Channels in groups, and groups as channels."""
    of = node.of
    if not fits(of) or of.shape[-2:] != node.shape[-2:] or not has_twin(kernels, of):
        return None
    return kernels.builder.reshape(twin(kernels, of), last(of.shape), last(node.shape))


def swept(block: Block) -> None:
    """Takes away permutations that undo others, and operations whose results nothing reads."""
    for op in list(block.ops):
        if isinstance(op, linalg.GenericOp):
            blob = _permuted_of(op.results[0], last)
            own = None if blob is None else _permuted_of(blob, back)
            if own is not None:
                op.results[0].replace_all_uses_with(own)
    for op in reversed(list(block.ops)):
        if isinstance(op, _PURE) and not any(result.uses for result in op.results):
            Rewriter.erase_op(op)


_PURE = (
    linalg.GenericOp,
    linalg.FillOp,
    tensor.EmptyOp,
    tensor.PadOp,
    tensor.ExtractSliceOp,
    tensor.InsertSliceOp,
    tensor.CollapseShapeOp,
    tensor.ExpandShapeOp,
)
