"""Matrix products with a constant: Gemm and InnerProduct, which store it as a weight."""

from collections.abc import Mapping
from math import prod

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ...analysis.profitability import FLOAT_BYTES, is_profitable_joined
from ...analysis.shapes import shapes_of
from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp, constant_of
from ...dialects.ncnn.extents import reshape_params
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.matmul import GemmOp, MatMulOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.weight_specs import Shape
from ...dialects.shapes.terms import Extents, provably_equal
from ..rewriting.fold_limit import FOLD_LIMIT
from ..rewriting.pattern_set import LayerReplacement
from .precision import fits_float16
from .reshapes import reshaping
from .rewriting import agrees, new_weight, put_named, put_new, replace_by_new, successor


class ReplaceMatMul(LayerReplacement):
    """Replace a MatMul with a MemoryData operand by a Gemm, or by an InnerProduct if the blob is a
    vector.

    Algebra: all three multiply matrices. A MatMul of several matrices with one matrix multiplies
    them one by one. Their rows can be stacked to one matrix, so a single Gemm between two Reshapes
    computes the same.

    Conditions, and why:
    - the rank of the blob is statically known: the meaning of a MatMul depends on it;
    - the constant is one matrix (its extents before the last two are 1), and its shape is
      compatible with the known shape of the blob;
    - the constant has no other user, or is small (`FOLD_LIMIT`): a weight belongs to one layer, so
      it would be duplicated;
    - several matrices are the left operand, so that their rows can be stacked. The parameters of a
      Reshape can express the shape of the result. The matrices are so small that separate products
      take longer than the Reshapes on all target processors (`costs`);
    - for a vector, float16 represents the weight: on x86 the weights of an InnerProduct are
      float16.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MatMulOp, rewriter: PatternRewriter) -> None:
        if op.extra or op.featmask or not agrees(op):
            return
        right_aligned = constant_of(op.inputs[1]) is not None
        blob, value = op.inputs if right_aligned else op.inputs[::-1]
        constant, matrix = constant_of(value), matrix_of(value)
        if constant is None or matrix is None or constant_of(blob) is not None:
            return
        if not value.has_one_use() and FLOAT_BYTES * prod(matrix) > FOLD_LIMIT.get():
            return
        shapes = shapes_of(rewriter)
        shape, wanted = shapes.of(blob), shapes.of(op.outputs[0])
        if (
            shape is None
            or wanted is None
            or op.contract_violation([shapes.of(v) for v in op.inputs])
        ):
            return
        # A vector on the right is a column, stored like a transposed matrix.
        upright = right_aligned and not op.transB and len(static_shape_of(value) or ()) > 1
        if len(shape) == 1:
            if len(wanted) == 1:
                self._take_vector(op, blob, constant, matrix, upright, rewriter)
            return
        found = gemm_for(op, shape, wanted, matrix, right_aligned, upright)
        if found is None:
            return
        params, product = found
        same = provably_equal(product, wanted)
        after = None if same else reshape_params(wanted, product)
        if after is None and not same:
            return
        weight, last = constant.with_shape(matrix), op.layer_name
        rewriter.insert(weight, InsertPoint.before(op))
        if len(shape) > 2:
            rows = {"w": params["constantK"], "h": -1}
            blob = put_new(op, ReshapeOp, [blob], rows, rewriter)
        weights = {"B" if right_aligned else "A": weight.output}
        new = successor(op, GemmOp, [blob], weights, params)
        if after is not None:
            name = None if last is None else last.data
            new = reshaping(after, put_named(op, new, name, rewriter), op)
            set_names(new, None, names_of(op))
        rewriter.replace(op, new)

    def _take_vector(
        self,
        op: MatMulOp,
        vector: SSAValue,
        constant: ConstantOp,
        matrix: Shape,
        upright: bool,
        rewriter: PatternRewriter,
    ) -> None:
        """Replace a MatMul of a vector by an InnerProduct. A constant in `inputs x outputs` order
        is transposed."""
        weight: SSAValue
        if constant.has_values() and not fits_float16(
            constant.read().reshape(matrix), int(upright)
        ):
            return
        if upright:
            if not constant.has_values():
                return
            weight = new_weight(constant.read().reshape(matrix).T, constant.output, op, rewriter)
        else:
            weight = rewriter.insert(constant.with_shape(matrix), InsertPoint.before(op)).output
        params = {"num_output": matrix[int(upright)]}
        replace_by_new(op, InnerProductOp, [vector], {"weight": weight}, params, rewriter)


def matrix_of(value: SSAValue) -> Shape | None:
    """Return the extents of a constant as a matrix, a vector as one row; `None` if it is several
    matrices."""
    shape = static_shape_of(value)
    if shape is None or prod(shape) == 0 or prod(shape[:-2]) != 1:
        return None
    return (1, *shape) if len(shape) == 1 else shape[-2:]


def gemm_for(
    op: MatMulOp, shape: Extents, wanted: Extents, matrix: Shape, right_aligned: bool, upright: bool
) -> tuple[Mapping[str, int], Extents] | None:
    """Return the parameters of a Gemm that multiplies a blob and a constant, and the shape of its
    result; `None` if there is no such Gemm or it is not faster."""
    if not right_aligned:
        rows, inner = matrix
        params = {"transB": op.transB, "constantA": 1, "constantM": rows, "constantK": inner}
        return (params, (rows, wanted[-1])) if len(shape) == 2 else None
    inner, columns = matrix if upright else matrix[::-1]
    if len(shape) > 2:
        # Each Reshape reads and writes all elements.
        moved = 2 * FLOAT_BYTES * shape[-2] * (inner + columns)
        if not is_profitable_joined(op, prod(shape[:-2]), moved):
            return None
    params = {"transB": int(not upright), "constantB": 1, "constantN": columns, "constantK": inner}
    return params, (prod(shape[:-1]), columns)
