"""Linear layers as anchors: InnerProduct, and Gemm if it multiplies rows by a constant matrix."""

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue

from ...dialects.fused import LinearOp
from ...dialects.ncnn.blob import rank_of, shape_of
from ...dialects.ncnn.formulas import Term, affine
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.matmul import GemmOp
from ...dialects.shapes.tensors import known
from ...transforms.rewriting.scalar_code import NotFused
from ..epilogues.constants import reshaped
from ..epilogues.operands import EpilogueOperand
from .anchors import ACC, FusedOpPlan, argument, check_float
from .int8 import int8_plan


def inner_product(op: InnerProductOp) -> FusedOpPlan:
    if rank_of(op.output) is None:
        raise NotFused("the input may be rows or one vector")
    shape = shape_of(op.input)
    if rank_of(op.output) == 1 and shape is None:
        raise NotFused("the input may be one vector or a row")
    count = prod(shape) if shape is not None and all(map(known, shape)) else None
    if rank_of(op.output) == 1 and count not in (None, op.num_input()):
        raise NotFused(f"an input of {count} elements, the weight is for {op.num_input()}")
    if op.int8_scale_term:
        return int8_plan(op, LinearOp, {}, 1)
    check_float(op)
    term = op.activated(ACC)
    return FusedOpPlan(LinearOp, [op.input, op.weight, op.bias], term)


def gemm(op: GemmOp) -> FusedOpPlan:
    if op.constantA or not op.constantB:
        raise NotFused("a linear layer has a constant B and a blob A")
    if op.quantize_term:
        raise NotFused("quantized matrices")
    if op.transA or op.output_transpose or op.output_N1M or op.output_elempack > 1:
        raise NotFused("a matrix is transposed or its rows are channels")
    if rank_of(op.results[0]) is None:
        raise NotFused("the rank of the result is unknown")
    x = op.inputs[0]
    shape = shape_of(x)
    if shape is not None and (len(shape) not in (2, 3) or shape[1:-1] not in ((), (1,))):
        raise NotFused(f"an input of {x.type} is no rows")
    if shape is not None and known(shape[-1]) and shape[-1] != op.constantK:
        raise NotFused(f"rows of {shape[-1]}, the matrix is for {op.constantK}")
    bias: SSAValue | None = None
    residuals: Sequence[EpilogueOperand] = ()
    if op.C is not None and op.constant_broadcast_type_C == 4 and op.beta == 1:
        bias = reshaped(op.C, (op.constantN,)).output
    else:
        residuals = _summand(op)
    term: Term = ACC
    if residuals:
        term = term + affine(argument(residuals[0].value, 1), op.beta, 0.0)
    term = affine(term, op.alpha, 0.0)
    properties = {} if op.transB else {"transposed": UnitAttr()}
    return FusedOpPlan(LinearOp, [x, op.B, bias], term, properties, residuals)


def _summand(op: GemmOp) -> Sequence[EpilogueOperand]:
    """Return C as a residual of shape `M x N` (src/layer/gemm.cpp). C has one value, or the shape
    M, `M x 1`, `M x N` or `1 x N`. A 1-D blob may also have N elements; N takes precedence over
    M."""
    blobs: Sequence[SSAValue] = op.inputs[1:]
    if op.C is not None:
        return [EpilogueOperand(op.C, hint="c")]
    if not blobs:
        return []
    shape, own = shape_of(blobs[0]), shape_of(op.results[0])
    if shape is None or own is None or -1 in (*shape, *own):
        raise NotFused("it is not known how C broadcasts")
    if shape == (own[1],) and shape != (1,):
        return [EpilogueOperand(blobs[0], (1,), hint="c")]
    rows, columns = own
    if shape not in ((1,), (rows,), (rows, 1), (rows, columns), (1, columns)):
        raise NotFused(f"a C of {blobs[0].type}")
    return [EpilogueOperand(blobs[0], hint="c")]
