"""Repair of casts in an ncnn model without PNNX's own IR."""

from typing import ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.embedding import EmbedOp
from ...dialects.ncnn.interfaces import LinearProducer
from ...dialects.ncnn.layer import LayerOp
from ..rewriting.remarks import emit_remark
from .legalization import replace_in_model

CASTS = ("Tensor.to", "aten::to", "Tensor.float", "Tensor.half", "Tensor.type_as")
"""The operators that convert a tensor to another type."""

FLOAT_ONLY = ("Tensor.float", "Tensor.half")
"""The casts whose name determines a float type."""

FRACTIONS = (
    "Softmax", "Sigmoid", "TanH", "GELU", "Swish", "Mish", "ELU", "SELU", "BatchNorm", "LayerNorm",
    "InstanceNorm", "GroupNorm", "RMSNorm", "Normalize", "MultiHeadAttention", "SDPA", "Exp", "Log",
)  # fmt: skip
"""The layers whose results are fractions."""

PROMOTING = ("Sigmoid", "TanH", "Exp", "Log")
"""Those of them that PyTorch also computes of integers."""

MOVING = ("Split", "Reshape", "Permute", "Noop")
"""Layers that give the elements as they are."""


class RepairCast(RewritePattern):
    """Remove a cast between float types: all float blobs of the runtime have one type. The file
    does not contain the type.

    Conditions: the cast is a cast to a float by its name; or its input is the result of a layer
    with weights, an activation, a normalization or attention, and each reader of the result is a
    layer that PyTorch computes of floats only: with weights, a normalization, or an activation such
    as GELU. A cast to integers in front of any other layer rounds. Operands that only the cast
    reads, the arguments of the operator, go.
    """

    TYPES: ClassVar[tuple[str, ...]] = CASTS

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, CustomOp) or op.type.data not in self.TYPES:
            return
        if not op.inputs or len(op.outputs) != 1 or op.weights or op.extra:
            return
        if op.type.data in FLOAT_ONLY:
            if any(isinstance(use.operation, EmbedOp) for use in op.outputs[0].uses):
                return
        elif not (_is_fraction(op.inputs[0]) and _is_read_as_float(op.outputs[0])):
            return
        arguments = list(dict.fromkeys(op.inputs[1:]))
        emit_remark(self, op)
        replace_in_model(op, [op.inputs[0]], rewriter)
        for value in arguments:
            _erase_argument(value, rewriter)


def _is_fraction(value: SSAValue) -> bool:
    """Whether a blob is the result of a layer that computes fractions."""
    op = value.owner
    while isinstance(op, LayerOp) and op.LAYER_TYPE in MOVING:
        op = op.operands[0].owner
    return _has_fractions(op)


def _has_fractions(op: object) -> bool:
    return isinstance(op, LinearProducer) or (
        isinstance(op, LayerOp) and op.LAYER_TYPE in FRACTIONS
    )


def _is_read_as_float(value: SSAValue) -> bool:
    """Whether each reader of a blob is a layer that PyTorch computes of floats only."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, LayerOp) and op.LAYER_TYPE in MOVING and use.index == 0:
            if not all(_is_read_as_float(result) for result in op.results):
                return False
        elif not _has_fractions(op) or (isinstance(op, LayerOp) and op.LAYER_TYPE in PROMOTING):
            return False
    return value.first_use is not None


def _erase_argument(value: SSAValue, rewriter: PatternRewriter) -> None:
    """Erase an argument of an operator that nothing reads any more, through Splits."""
    op = value.owner
    if not isinstance(op, LayerOp) or any(result.first_use for result in op.results):
        return
    if isinstance(op, CustomOp) and not (op.type.data == "pnnx.Expression" and not op.inputs):
        return
    if not isinstance(op, CustomOp) and op.LAYER_TYPE != "Split":
        return
    operands = list(op.operands)
    rewriter.erase(op)
    for each in operands:
        _erase_argument(each, rewriter)
