"""Recognizers: one layer for several that spell out what it computes.

`algebra.py` has the words for formulas, `meaning.py` says what each layer computes in them, and
`matching.py` finds a formula in the graph. With these, a recognizer (`recognizer.py`) is a formula
and the layer that it stands for: `activations.py`, `normalizations.py`. Layers that move elements
instead of computing are compared by what becomes of the parts of axes: `layouts.py`, `grouping.py`.
Attention has several inputs, and is looked for layer by layer: `attention.py`, and with the
products around it by what is where in its blobs (`views.py`): `multihead.py`. What a layer must be
for any of that to end with it is told first: `ends.py`.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from ....dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp, EltwiseOp
from ....dialects.ncnn.layer import LayerOp
from ..lazy_patterns import Rooted, at
from .root_filters import ends_formula, ends_rotation, joins_rotation


def formula(place: str, *layers: str) -> Rooted:
    """The recognizer at a place."""
    return at(place, "Eltwise", "Power", "BinaryOp", *layers, when=ends_formula)


RECOGNIZERS: Sequence[Rooted] = (
    formula("recognition.activations.FormSwish"),
    formula("recognition.activations.FormHardSwish"),
    formula("recognition.activations.FormHardSigmoid", "ReLU", "Clip"),
    formula("recognition.activations.FormGELU"),
    formula("recognition.activations.FormMish"),
    formula("recognition.normalizations.FormNorm"),
    formula("recognition.normalizations.FormRMSNorm"),
    formula("recognition.normalizations.FormNormalize"),
    formula("recognition.normalizations.FormSoftmax"),
)
"""Those that are a formula."""

RECOGNITION: Sequence[Rooted] = (
    *RECOGNIZERS,
    at("recognition.rotary.FormRotaryEmbed", "Eltwise", "BinaryOp", when=ends_rotation),
    at("recognition.rotary.FormRotaryEmbedOfParts", "Concat", when=joins_rotation),
    at("recognition.sdpa.FormSDPA", "MatMul"),
    at("recognition.multihead_attention.FormMultiHeadAttention", "Gemm"),
    at(
        "recognition.group_norm.FormGroupNorm",
        "Flatten",
        "Reshape",
        "Squeeze",
        "ExpandDims",
        "Permute",
    ),
    at("recognition.shuffles.FormMoved", "Flatten", "Reshape", "Squeeze", "ExpandDims", "Permute"),
)
"""All."""

_ARITHMETIC = ("Power", "MatMul", "Permute", "InstanceNorm", "LayerNorm")


def may_spell_out(op: Operation) -> bool:
    """Whether a layer is of a kind that some layer is in all that there is to recognize: one that
    multiplies, adds a number, permutes axes, or normalizes. Sums and bounds of blobs are in many
    graphs that spell out nothing, so that it pays to look for others first."""
    if isinstance(op, BinaryOpOp):
        sums = BINARY_OPS[op.op_type] in ("add", "sub", "rsub", "max", "min")
        return not sums or bool(op.with_scalar) or op.constant_side() is not None
    if isinstance(op, EltwiseOp):
        return op.op_type == 0 or bool(op.coeffs)
    return isinstance(op, LayerOp) and op.LAYER_TYPE in _ARITHMETIC
