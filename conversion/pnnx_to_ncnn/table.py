"""The lowering of each type of operator.

Each module beside this one has a table of its own operators. Here they are joined with the
operators that patterns of the repair replace.
"""

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from ...dialects.pnnx.operations import OperatorOp
from ...transforms.pnnx_legalization.arithmetic import (
    LegalizeAddcmul,
    LegalizeExpression,
    LegalizeNormalize,
    refusal,
)
from ...transforms.pnnx_legalization.legalization import Legalization
from ...transforms.pnnx_legalization.shape_operators import (
    LegalizeJoin,
    LegalizePermute,
    LegalizeReshape,
    LegalizeSlice,
    LegalizeSplit,
    LegalizeUnbind,
)
from . import (
    activations,
    attention,
    convolutions,
    indexing,
    linear,
    logic,
    normalizations,
    padding,
    poolings,
    recurrent,
    reductions,
    resizing,
    selection,
)
from .lowering import Lowering, OperatorBuilder, Refusal


def by_pattern(cls: type[Legalization]) -> Lowering:
    """Return the lowering of a pattern of the repair."""
    pattern = cls()

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        values = pattern.legalize(op, b) if pattern.tensors_of(op) is not None else None
        if values is None:
            raise Refusal(refusal(op) or "its parameters or shapes have no form in ncnn's layers")
        return values

    return lower


def transpose(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower the transposition of a matrix."""
    shape = b.inputs[0]
    if len(shape) > 2:
        return [
            b.permute(op.inputs[0], shape, [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2])
        ]
    return [b.permute(op.inputs[0], shape, range(len(shape))[::-1])]


_PATTERNS = (
    LegalizeExpression,
    LegalizeNormalize,
    LegalizeAddcmul,
    LegalizeReshape,
    LegalizePermute,
    LegalizeUnbind,
    LegalizeSplit,
    LegalizeSlice,
    LegalizeJoin,
)

_reshape = by_pattern(LegalizeReshape)

LOWERINGS: Mapping[str, Lowering] = {
    **{type_: by_pattern(cls) for cls in _PATTERNS for type_ in sorted(cls.TYPES)},
    **dict.fromkeys(("nn.Flatten", "nn.Unflatten", "Tensor.flatten", "Tensor.squeeze"), _reshape),
    **dict.fromkeys(("Tensor.unsqueeze", "torch.reshape", "aten::alias"), _reshape),
    **dict.fromkeys(("torch.t", "Tensor.t", "Tensor.T", "Tensor.mT"), transpose),
    **activations.LOWERINGS,
    **attention.LOWERINGS,
    **convolutions.LOWERINGS,
    **indexing.LOWERINGS,
    **linear.LOWERINGS,
    **logic.LOWERINGS,
    **normalizations.LOWERINGS,
    **padding.LOWERINGS,
    **poolings.LOWERINGS,
    **recurrent.LOWERINGS,
    **reductions.LOWERINGS,
    **resizing.LOWERINGS,
    **selection.LOWERINGS,
}
"""The lowerings by PNNX's name of the operator."""
