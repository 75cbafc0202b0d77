"""Conditions without which no rewrite is refuted, with the reasons."""

import re
from collections.abc import Mapping

OUTCOMES: Mapping[str, str] = {
    "raises": "without it the code of the rewrite raises: it guards a type",
    "same": "in the models that the search tried, other conditions decide without it",
    "never": "it has the other result in no model of the search: conditions before it, or what a "
    "layer accepts, exclude it",
    "fewer": "without it the rewrite does less: it is a condition of a filter",
    "fused": "operations of the fused dialect have no exact semantics",
    "slow": "without it the rewrite does not end in the time of the search",
}
"""The reasons that outcomes are."""

_BATCHES = "batches of blobs have no reference semantics"
_BRANCH = "it chooses between ways that are both right, or one of which does nothing"
_COST = "without it the result is right, but larger or slower"
_INTEGERS = "integers keep their values and decide by values, so there is no proof"
_NEAR = "in the near miss the result is right without it; others need it"
_NO_PROOF = "the near misses have no proof: too large, or layers without semantics or extents"
_PRECISION = "the range, the rounding and the storage of floats are no part of a proof"

REASONS: Mapping[str, str] = {
    r"selection\.has": "it selects rewrites, each of which is right",
    r"\.extra": "a layer with unknown parameters has no semantics, so there is no proof",
    r"^precision\.py|FLOAT(16|32)|float16|all_finite|isfinite|float\('inf'\)|stored": _PRECISION,
    r"close\(scale, 1\.0\)|_absorb\(self": _PRECISION,
    r"growth\.is_allowed|may_materialize|FOLD_LIMIT|inputs \* outputs|is_faster|may_absorb": _COST,
    r"padded_count: wanted": _COST,
    r"fast_windows|< width|not factors|has_bias|bias\.any|has_convolution|takes_vector": _COST,
    r"self_contained|alone|in self\.layers|is_only_for_this|PowerOp\)|not _is_sound": _COST,
    r"writes_int8|int8_term|has_float_constants|kind != 'f'": _INTEGERS,
    r"identity\.py .*(returned|is_input|ReturnOp|input_to_output)": (
        "export adds a layer that gives an input of the model the name of an output"
    ),
    r"type_ is None|own == other|shape != new": "without it a type loses extents, and no result",
    r"repeats_blobs|blobs\[0\] == blobs\[1\]": _BATCHES,
    r"op\.featmask$": "the new layer keeps the mask, and a mask of a constant has no effect",
    r"before is b|isinstance\(op, (BinaryOpOp|EltwiseOp)\)": _BRANCH,
    r"affine_channels|len\(shape\) > 2": _BRANCH,
    r"is_channelwise|layer_formulas|_match_terms|_replace: constant_of|reshaping|k not in": _BRANCH,
    r"rows_between|ReplaceConvolution.*shape\[1:\]|_as_reshape": _NEAR,
    r"same_axis|expands_alike": _NEAR,
    r"added_permutes|is_tuned_for_vulkan|_fold_left: .*constant_of": _COST,
    r"permutes_wrongly_on_vulkan": "a fault of a device is no part of a proof",
    r"ReplaceMatMul.match_and_rewrite: same": _BRANCH,
    r"use\.operation is op": _COST,
    r"Replace1DWith2D|ReplaceConvolution|shared_heads|FormGroupNorm.*identity": _NO_PROOF,
    r"ReplaceReductionByPooling|EliminateDuplicate": _NO_PROOF,
    r"_is_sound: not any": "the reference semantics repeat rows of a mask, which ncnn does not",
}
"""Reasons by a pattern of the key of a condition."""


HARMLESS = [
    r"selection\.has|self\.selection",
    *(pattern for pattern, text in REASONS.items() if text in (_COST, _PRECISION, _INTEGERS)),
]
"""The patterns of conditions that no model can refute."""


def reason_of(key: str, outcome: str) -> str:
    """Return why a condition is not needed; empty if no reason is known."""
    if outcome in OUTCOMES:
        return OUTCOMES[outcome]
    return next((text for pattern, text in REASONS.items() if re.search(pattern, key)), "")
