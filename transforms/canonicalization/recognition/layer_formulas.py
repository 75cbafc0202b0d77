"""The formula of one layer in terms of its inputs, in normal form."""

from xdsl.ir import SSAValue

from ....dialects.ncnn.activation import BNLLOp
from ....dialects.ncnn.blob import element_count
from ....dialects.ncnn.constant import constant_of
from ....dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp
from ....dialects.ncnn.formulas import Arg, NoFormula, softplus, sqrt
from ....dialects.ncnn.interfaces import HasFormula
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.pooling import Pooling1DOp, Pooling3DOp, PoolingOp
from ....dialects.ncnn.reduction import REDUCTIONS, ReductionOp
from ....dialects.shapes.analysis import Shapes
from .algebra import BlobTerm, NumberTerm, Term, largest, mean, normal, total


def formula_of(op: LayerOp, shapes: Shapes) -> Term | None:
    """Return the formula of a layer's only result; `None` if it has none, or depends on an unknown
    shape."""
    if op.extra is not None or len(op.results) != 1:
        return None
    match op:
        case ReductionOp():
            return _reduction(op, shapes)
        case PoolingOp() | Pooling1DOp() | Pooling3DOp() if op.global_pooling:
            kind, rank = mean if op.pooling_type else largest, shapes.rank(op.input) or 0
            return kind(BlobTerm(op.input), frozenset(range(1, rank))) if rank > 1 else None
        case BNLLOp():  # its own formula avoids overflow
            return normal(softplus(BlobTerm(op.input)))
        case HasFormula() if not op.WEIGHTS and not op.ANY_ELEMENTS:
            return _by_formula(op, shapes)
        case _:
            return None


def _by_formula(op: HasFormula, shapes: Shapes) -> Term | None:
    """Return the formula of a layer without weights: weights do not broadcast as blobs do."""
    args: list[Term] = [BlobTerm(v) for v in op.operands]
    if isinstance(op, BinaryOpOp):
        pairs = zip(op.inputs, reversed(op.inputs), strict=True)
        numbers = [scalar_of(a, b, shapes) for a, b in pairs]
        if len(args) == 2 and numbers[1] is not None:
            args[1] = NumberTerm(numbers[1])
        elif len(args) == 2 and numbers[0] is not None:
            args[0] = NumberTerm(numbers[0])
        exponent = NumberTerm(op.b) if op.with_scalar else args[1]
        # On all platforms with vectors the runtime computes powers through the logarithm, which is
        # NaN for negative numbers. With an integer exponent the formula would differ.
        whole = isinstance(exponent, NumberTerm) and exponent.value % 1 == 0
        if "pow" in BINARY_OPS[op.op_type] and whole:
            return None
    try:
        return normal(op.formula(*map(Arg, range(len(args)))), args)
    except NoFormula:
        return None


def scalar_of(value: SSAValue, other: SSAValue, shapes: Shapes) -> float | None:
    """Return the number that a constant of one element is in an operation with another blob; `None`
    if the constant is something else, or increases the rank of the result."""
    constant = constant_of(value)
    if constant is None or element_count(value) != 1 or not constant.has_values():
        return None
    rank = shapes.rank(value) or 0
    if rank > 1 and rank > (shapes.rank(other) or 0):
        return None
    values = constant.read()
    return float(values.astype("f8").reshape(-1)[0]) if values.dtype.kind == "f" else None


def _reduction(op: ReductionOp, shapes: Shapes) -> Term | None:
    x, rank = BlobTerm(op.input), shapes.rank(op.input)
    reduced = None if rank is None else op.reduced_axes(rank)
    if rank is None or not reduced:
        return None
    # Without `keepdims`, BinaryOp restores the reduced axes as the innermost ones, for all extents:
    # the remaining axes have the extents of the outermost axes of the other operand.
    if not op.keepdims and reduced != set(range(rank - len(reduced), rank)):
        return None
    axes = frozenset(reduced)
    match REDUCTIONS[op.operation]:
        case "mean":
            found = mean(x, axes)
        case "max":
            found = largest(x, axes)
        case "sum":
            found = total(x, axes)
        case "sumsq":
            found = total(x * x, axes)
        case "l2":
            found = sqrt(total(x * x, axes))
        case _:
            return None
    return normal(found if op.coeff == 1 else op.coeff * found)
