"""Batch normalization along another axis than the blob's channels."""

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.ir import SSAValue

from ...dialects.ncnn.blob import blob
from ...dialects.ncnn.normalization import BatchNormOp
from ...dialects.pnnx.operations import OperatorOp
from ..rewriting.axis_merging import fold_shape
from .legalization import Legalization, TensorBuilder, shape_of_tensor

WEIGHTS = ("slope", "mean", "var", "bias")
"""The operator's operands besides its input, with the layer's names."""


class LegalizeBatchNorm(Legalization):
    """Replace `BatchNorm1d` of `n x c` or `n x c x l`, whose weights are operands, by BatchNorm
    between two Permutes that move the channels outermost and back.

    Conditions: the weights have one value per channel.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("nn.BatchNorm1d",))
    NUM_TENSORS: ClassVar[int | None] = None

    def legalize(self, op: OperatorOp, b: TensorBuilder) -> Sequence[SSAValue] | None:
        x, weights = op.input_named("input"), {key: op.input_named(key) for key in WEIGHTS}
        shape = None if x is None else shape_of_tensor(x)
        eps = op.param("eps", 1e-5)
        if x is None or shape is None or not isinstance(eps, float):
            return None
        if len(shape) < 2 or any(v is None or v.type != blob(shape[1:2]) for v in weights.values()):
            return None
        count, channels, inner = shape[0], shape[1], prod(shape[2:])
        outer = fold_shape((channels, count * inner))
        x = b.reshape(b.permute(x, (count, channels, inner), (1, 0, 2)), outer)
        y = b.layer_with_weights(BatchNormOp, [x], weights, outer, eps=eps)[0]
        return [b.permute(y, (channels, count, inner), (1, 0, 2))]
