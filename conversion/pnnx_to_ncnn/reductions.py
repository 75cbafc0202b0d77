"""Reductions along any axes, and sums along an axis.

A blob has at most four axes, so that axes of a tensor side by side become one. Example: for
the mean of a 2x3x4x5x6 tensor along the axes 1 and 2, a 2x12x30 blob is reduced along its axis 1.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import prod

from xdsl.ir import SSAValue

from ...dialects.ncnn.extents import MAX_DIMS
from ...dialects.ncnn.reduction import REDUCTIONS, CumulativeSumOp, ReductionOp
from ...dialects.ncnn.unary import UNARY_OPS, UnaryOpOp
from ...dialects.pnnx.operations import OperatorOp
from ...transforms.pnnx_legalization.legalization import as_ints
from ...transforms.rewriting.layer_builder import Shape
from .lowering import Lowering, OperatorBuilder, Refusal


def axes_of(b: OperatorBuilder) -> tuple[int, ...]:
    """Return the axes that are reduced: all of them if the operator names none."""
    rank, dims = len(b.inputs[0]), b.operator.param("dim", None)
    if dims is None:
        return tuple(range(rank))
    found = as_ints(dims)
    if found is None or any(not -rank <= n < rank for n in found):
        raise Refusal(f"'dim' is {dims}")
    return tuple(sorted({n % rank for n in found})) or tuple(range(rank))


def reduction(word: str) -> Lowering:
    """Return the lowering of a reduction to one layer."""

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        axes = axes_of(b)
        check(b, axes)
        return [reduced(b, op.inputs[0], b.inputs[0], axes, word)]

    return lower


def check(b: OperatorBuilder, axes: Sequence[int]) -> None:
    """Raise `Refusal` unless the result has the shape of a reduction along these axes."""
    shape = b.inputs[0]
    if b.operator.param("keepdim", False):
        b.expect(tuple(1 if i in axes else n for i, n in enumerate(shape)))
    else:
        b.expect(tuple(n for i, n in enumerate(shape) if i not in axes))


def reduced(
    b: OperatorBuilder, x: SSAValue, shape: Shape, axes: Sequence[int], word: str
) -> SSAValue:
    """Return a tensor reduced along some axes, with the elements of the result."""
    whole, places = grouped(shape, axes)
    out = tuple(1 if i in places else n for i, n in enumerate(whole))
    how = {"reduce_all": 0, "keepdims": 1, "fixbug0": 1, "axes": places}
    return b.layer(
        ReductionOp, [b.reshape(x, whole)], out, operation=REDUCTIONS.index(word), **how
    )[0]


def grouped(shape: Shape, axes: Sequence[int]) -> tuple[Shape, tuple[int, ...]]:
    """Return a blob's shape for a tensor, and the places of the reduced axes in it."""
    places = tuple(axes)
    if len(shape) > 1 and shape[0] == 1 and (len(shape) > MAX_DIMS or 0 not in axes):
        shape, places = shape[1:], tuple(i - 1 for i in axes if i)
    if len(shape) > MAX_DIMS:
        merged = [
            (is_reduced, prod(shape[i] for i in run))
            for is_reduced, run in groupby(range(len(shape)), key=lambda i: i in places)
        ]
        shape = tuple(n for _, n in merged)
        places = tuple(i for i, (is_reduced, _) in enumerate(merged) if is_reduced)
    if len(shape) > MAX_DIMS:
        raise Refusal("the axes that it reduces and keeps alternate more than four times")
    if not places:
        outer = shape if len(shape) < MAX_DIMS else (prod(shape),)
        shape, places = (*outer, 1), (len(outer),)
    return shape, places


def norm(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower the 1-norm and the 2-norm."""
    p = op.param("p", 2)
    word = {1.0: "l1", 2.0: "l2", "fro": "l2"}.get(p if isinstance(p, str) else b.number("p", 2))
    if word is None:
        raise Refusal(f"'p' is {p}")
    axes = axes_of(b)
    check(b, axes)
    return [reduced(b, op.inputs[0], b.inputs[0], axes, word)]


def variance(is_root: bool) -> Lowering:
    """Return the lowering of the variance or the standard deviation."""

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        axes, shape = axes_of(b), b.inputs[0]
        check(b, axes)
        correction = op.param("correction", None)
        if correction is None:
            correction = 0 if op.param("unbiased", True) is False else 1
        count = prod(shape[i] for i in axes)
        if isinstance(correction, bool) or not isinstance(correction, int | float):
            raise Refusal(f"'correction' is {correction}")
        if count <= correction:
            raise Refusal("it has too few elements")
        kept = tuple(1 if i in axes else n for i, n in enumerate(shape))
        mean = reduced(b, op.inputs[0], shape, axes, "mean")
        centred = b.broadcast("sub", op.inputs[0], mean, [shape, kept])
        total = reduced(b, centred, shape, axes, "sumsq")
        value = b.scalar("mul", total, 1 / (count - correction), kept)
        if is_root:
            value = b.unary_layer(UnaryOpOp, value, b.fold(kept), op_type=UNARY_OPS.index("sqrt"))
        return [value]

    return lower


def cumulative_sum(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `torch.cumsum`."""
    axis = b.axis("dim")
    b.expect(b.inputs[0])
    whole, at = b.fold_around(b.inputs[0], axis)
    if len(whole) > 3:
        whole, at = (prod(whole[:at]), whole[at], prod(whole[at + 1 :])), 1
    return [b.unary_layer(CumulativeSumOp, op.inputs[0], whole, axis=at)]


LOWERINGS: Mapping[str, Lowering] = {
    **{f"torch.{word}": reduction(word) for word in ("sum", "mean", "prod", "logsumexp")},
    "torch.amax": reduction("max"),
    "torch.amin": reduction("min"),
    "torch.norm": norm,
    "torch.linalg.vector_norm": norm,
    "torch.var": variance(False),
    "torch.std": variance(True),
    "torch.cumsum": cumulative_sum,
}
