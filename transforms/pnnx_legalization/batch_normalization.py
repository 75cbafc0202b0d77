"""Batch normalization along another axis than the blob's channels."""

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.ir import SSAValue

from ...dialects.ncnn.blob import blob
from ...dialects.ncnn.normalization import BatchNormOp
from ...dialects.pnnx.operations import OperatorOp
from ..rewriting.axis_merging import fold_shape, plan
from .legalization import Layers, Legalization, shape_of_tensor

WEIGHTS = ("slope", "mean", "var", "bias")
"""The operands of the operator besides its input, under the layer's names."""


class LegalizeBatchNorm(Legalization):
    """`BatchNorm1d` of `n x c` or `n x c x l`, whose weights are operands, as BatchNorm between two
    Permutes that bring the channels outermost.

    Conditions: as many weights as channels.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("nn.BatchNorm1d",))

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        x, weights = op.input_named("input"), {key: op.input_named(key) for key in WEIGHTS}
        shape = None if x is None else shape_of_tensor(x)
        eps = op.param("eps", 1e-5)
        if x is None or shape is None or not isinstance(eps, float) or len(op.outputs) != 1:
            return None
        if len(shape) < 2 or any(v is None or v.type != blob(shape[1:2]) for v in weights.values()):
            return None
        count, channels, inner = shape[0], shape[1], prod(shape[2:])
        for step in plan((count, channels, inner), (1, 0, 2)):
            x = layers.permute(x, step.shape, step.order)
        outer = fold_shape((channels, count * inner))
        made = BatchNormOp.make([layers.blob(x, outer)], weights, [blob(outer)], {})
        made.init_params({"eps": eps})
        layers.insert(made)
        y: SSAValue = made.results[0]
        for step in plan((channels, count, inner), (1, 0, 2)):
            y = layers.permute(y, step.shape, step.order)
        return [y]
