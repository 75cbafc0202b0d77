"""Reference semantics of the layers in `dialects/ncnn/structure.py`."""

from collections.abc import Sequence

from ...dialects.ncnn.structure import DeepCopyOp, InputOp, NoopOp, SplitOp
from .semantics import Array, Inputs, Weights, semantics


@semantics(InputOp, NoopOp)
def each_input(op: InputOp | NoopOp, inputs: Inputs, weights: Weights) -> Sequence[Array]:
    return inputs[: len(op.outputs)]


@semantics(SplitOp)
def split(op: SplitOp, inputs: Inputs, weights: Weights) -> Sequence[Array]:
    return [inputs[0]] * len(op.outputs)


@semantics(DeepCopyOp)
def deep_copy(op: DeepCopyOp, inputs: Inputs, weights: Weights) -> Array:
    return inputs[0].copy()
