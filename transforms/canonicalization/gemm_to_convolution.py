"""Gemms on the channels of an image as 1x1 Convolutions."""

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.assembly import take_blob_names
from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.extents import permutation
from ...dialects.ncnn.interfaces import ElementWise, Reshaping
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.matmul import GemmOp
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.terms import provably_equal
from ..rewriting.remarks import emit_remark
from .rewriting import changed, new_weight, only_producer, put_before, successor

MAX_LAYERS = 32
"""Maximal number of layers between the two Reshapes."""


class ReplaceGemm(RewritePattern):
    """Replace Gemms between a Reshape of pixels to rows and a Reshape and Permute of rows to an
    image with outermost channels by 1x1 Convolutions.

    Algebra: with rows r = (i, j), `y[n, i, j] = sum_k W[n, k] x[i, j, k] + b[n]` is a 1x1
    Convolution of x with its channels moved outermost. The Permute moves before the Gemm, and both
    Reshapes disappear. Element-wise layers do not depend on the order of elements.

    Conditions, and why:
    - each value between the first Reshape and the Permute has one use and is no output: another
      user would need it;
    - the Gemms have a constant B and map each row to a row. C is one value for all columns or one
      per column. There are no factors, which a Convolution lacks;
    - the first Reshape provably keeps the last of three axes and joins the other two, and the
      second one provably restores them: terms over the extents of x are equal, for x of any size;
    - the Permute moves the last axis to the front.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PermuteOp, rewriter: PatternRewriter) -> None:
        if permutation(op.order_type, 3) not in ((2, 0, 1), (2, 1, 0)):
            return
        shapes = shapes_of(rewriter)
        found = rows_between(op, shapes)
        if found is None:
            return
        image, layers, inside = found
        emit_remark(self, *layers, op)
        value = put_before(op, changed(op, [image], shape_hints=()), rewriter)
        for layer in reversed(inside):
            if isinstance(layer, GemmOp):
                new = convolution(layer, value, op, rewriter)
            else:
                new = changed(layer, [value], shape_hints=())
            value = put_before(op, new, rewriter)
        last = value.owner
        assert isinstance(last, LayerOp)
        take_blob_names(last, op)
        if value.type != op.output.type:
            value = rewriter.replace_value_with_new_type(value, op.output.type)
        rewriter.replace(op, [], [value])
        for layer in layers:
            rewriter.erase(layer)


def rows_between(
    op: PermuteOp, shapes: Shapes
) -> tuple[SSAValue, Sequence[LayerOp], Sequence[LayerOp]] | None:
    """Return the image whose pixels the layers before a Permute process as rows, these layers from
    the second Reshape to the first, the last one first, and the Gemms and element-wise layers among
    them; `None` if they are not Gemms between two Reshapes."""
    layers: list[LayerOp] = []
    inside: list[LayerOp] = []
    reshapes: list[Reshaping] = []
    user: LayerOp = op
    while len(reshapes) < 2:
        layer = only_producer(user.operands[0], user)
        if layer is None or len(layers) > MAX_LAYERS:
            return None
        if isinstance(layer, Reshaping) and layer.keeps_order(shapes):
            reshapes.append(layer)
        elif isinstance(layer, ElementWise) and layer.is_elementwise():
            inside.append(layer)
        elif len(reshapes) == 1 and isinstance(layer, GemmOp) and is_linear_in_rows(layer, shapes):
            inside.append(layer)
        else:
            return None
        layers.append(layer)
        user = layer
    back, cut = reshapes
    image = cut.operands[0]
    before, rows, after = (shapes.of(v) for v in (image, cut.results[0], back.results[0]))
    if before is None or rows is None or after is None or len(before) != 3 or len(after) != 3:
        return None
    merged = (before[0] * before[1], before[2])
    if not provably_equal(rows, merged) or not provably_equal(after[:2], before[:2]):
        return None
    if not any(isinstance(layer, GemmOp) for layer in inside):
        return None
    return image, layers, inside


def is_linear_in_rows(op: GemmOp, shapes: Shapes) -> bool:
    """Whether a Gemm maps each row to a row, by constants of its own whose values are known,
    without factors."""
    linear = op.linear_map(shapes)
    if linear is None or not op.maps_rows():
        return False
    known = [constant.has_values() for v in (op.B, op.C) if (constant := attached_constant(v))]
    return linear.gain == linear.bias_gain == 1 and (all(known) or bool(op.transB))


def convolution(
    gemm: GemmOp, value: SSAValue, before: LayerOp, rewriter: PatternRewriter
) -> LayerOp:
    """Return the 1x1 Convolution that maps the channels of an image as a Gemm maps rows (see
    `is_linear_in_rows`). Its weights are inserted before the layer `before`."""
    import numpy as np

    def put(constant: ConstantOp) -> SSAValue:
        rewriter.insert(constant, InsertPoint.before(before))
        return constant.output

    weight, bias, outputs = attached_constant(gemm.B), attached_constant(gemm.C), gemm.constantN
    assert weight is not None
    shape = (outputs, gemm.constantK, 1, 1)
    if gemm.transB:
        kernel = put(weight.with_shape(shape))
    else:
        kernel = new_weight(weight.read().T.reshape(shape), weight.output, before, rewriter)
    summand = None
    if bias is not None and gemm.constant_broadcast_type_C == 4:
        summand = put(bias.with_shape((outputs,)))
    elif bias is not None:
        summand = new_weight(np.resize(bias.read(), outputs), bias.output, before, rewriter)
    weights = {"weight": kernel, "bias": summand}
    return successor(gemm, ConvolutionOp, [value], weights, {"num_output": outputs, "kernel_w": 1})
