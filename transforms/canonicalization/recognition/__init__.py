"""Recognizers: one layer for several that spell out what it computes.

`algebra.py` has the words for formulas, `meaning.py` says what each layer computes in them, and
`matching.py` finds a formula in the graph. With these, a recognizer (`recognizer.py`) is a formula
and the layer that it stands for: `activations.py`, `normalizations.py`. Layers that move elements
instead of computing are compared by what becomes of the parts of axes: `layouts.py`, `grouping.py`.
Attention has several inputs, and is looked for layer by layer: `attention.py`, and with the
products around it by what is where in its blobs (`views.py`): `multihead.py`.
"""

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern

from ....dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, EltwiseOp, PowerOp
from ....dialects.ncnn.matmul import MatMulOp
from ....dialects.ncnn.normalization import InstanceNormOp, LayerNormOp
from ....dialects.ncnn.reshaping import PermuteOp
from .activations import FormGELU, FormHardSigmoid, FormHardSwish, FormMish, FormSwish
from .attention import FormSDPA
from .grouping import FormGroupNorm
from .layouts import FormMoved
from .multihead import FormMultiHeadAttention
from .normalizations import FormNorm, FormNormalize, FormRMSNorm, FormSoftmax
from .recognizer import Recognizer
from .rotary import FormRotaryEmbed, FormRotaryEmbedOfParts

RECOGNIZERS: Sequence[Recognizer] = (
    FormSwish(),
    FormHardSwish(),
    FormHardSigmoid(),
    FormGELU(),
    FormMish(),
    FormNorm(),
    FormRMSNorm(),
    FormNormalize(),
    FormSoftmax(),
)
"""Those that are a formula."""

RECOGNITION: Sequence[RewritePattern] = (
    *RECOGNIZERS,
    FormRotaryEmbed(),
    FormRotaryEmbedOfParts(),
    FormSDPA(),
    FormMultiHeadAttention(),
    FormGroupNorm(),
    FormMoved(),
)
"""All."""

_ARITHMETIC = (PowerOp, MatMulOp, PermuteOp, InstanceNormOp, LayerNormOp)


def may_spell_out(op: Operation) -> bool:
    """Whether a layer is of a kind that some layer is in all that there is to recognize: one that
    multiplies, adds a number, permutes axes, or normalizes. Sums and bounds of blobs are in many
    graphs that spell out nothing, so that it pays to look for others first."""
    if isinstance(op, BinaryOpOp):
        sums = BINARY_OPS[op.op_type] in ("add", "sub", "rsub", "max", "min")
        return not sums or bool(op.with_scalar) or op.constant_side() is not None
    if isinstance(op, EltwiseOp):
        return op.op_type == 0 or bool(op.coeffs)
    return isinstance(op, _ARITHMETIC)
