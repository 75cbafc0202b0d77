"""Conditions without which no rewrite is refuted, with the reasons."""

import re
from collections.abc import Mapping

OUTCOMES: Mapping[str, str] = {
    "raises": "without it the code of the rewrite raises: it guards a type",
    "guards": "without it and the conditions before it the code of the rewrite raises, or builds a "
    "layer that does not verify",
    "same": "in the models that the search tried, other conditions decide without it",
    "never": "it has the other result in no model of the search: conditions before it, or what a "
    "layer accepts, exclude it",
    "fewer": "without it the rewrite does less: it is a condition of a filter",
    "fused": "operations of the fused dialect have no exact semantics",
    "slow": "without it the rewrite does not end in the time of the search",
}
"""The reasons that outcomes are."""

_AGAIN = "without it values that do not change are computed and stored again"
_BATCHES = "batches of blobs have no reference semantics"
_BRANCH = "it chooses between ways that are both right, or one of which does nothing"
_COST = "without it the result is right, but larger or slower"
_FEWER = "without it the rewrite does less"
_INTEGERS = "integers keep their values and decide by values, so there is no proof"
_MISSING = (
    "it guards a value that is missing: the code behind it raises without the value, or another "
    "test of the value stands before"
)
_ONE_BY_ONE = "the table has the conditions of `may_replace_by` one by one"

_NEAR = "in the near miss the result is right without it; others need it"
_NO_PROOF = "the near misses have no proof: too large, or layers without semantics or extents"
_NO_RESULT = "the layers before the rewrite take no blobs of other ranks, extents or paddings"
_PRECISION = "the range, the rounding and the storage of floats are no part of a proof"
_RELEASE = (
    "the layers and ranks that a release or a device of the runtime has are no part of a proof"
)
_TYPES = (
    "without it the rewrite is right where the layers compute blobs at all, but declared types "
    "contradict the shapes of these blobs"
)
_SELECTS = "it selects rewrites, each of which is right"
_WORK = "it limits the work of the search for a match; a longer search finds right rewrites, too"

REASONS: Mapping[str, str] = {
    r"shared_heads: op\.kv_cache and \(not opaque_caches": (
        "the user decides whether the format of a cache may change; the change is proven over calls"
    ),
    r"is_enabled\(|OfVector\.match_and_rewrite: .*(global_pooling|FlattenOp)": _SELECTS,
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
    r"rows_between|_as_matrix.*shape\[1:\]|_as_reshape": _NEAR,
    r"same_axis|expands_alike": _NEAR,
    r"added_permutes|is_tuned_for_vulkan|_fold_left: .*constant_of": _COST,
    r"permutes_wrongly_on_vulkan": "a fault of a device is no part of a proof",
    r"ReplaceMatMul.match_and_rewrite: same": _BRANCH,
    r"use\.operation is op": _COST,
    r"Replace1DWith2D|ReplaceConvolution|equivalent_layers.py _as_matrix": _NO_PROOF,
    r"shared_heads|FormGroupNorm.*identity": _NO_PROOF,
    r"ReplaceReductionByPooling|EliminateDuplicate": _NO_PROOF,
    r": may_replace_by\(op, (values|\[value\])\)$": _ONE_BY_ONE,
    r"_is_sound: not any": "the reference semantics repeat rows of a mask, which ncnn does not",
}
"""Reasons by a pattern of the key of a condition."""


EXPLAINED: Mapping[str, str] = {
    # An unknown shape, rank or layer's name: the code behind the guard would raise.
    r"\blayer_name is None": _MISSING,
    r": (shape|rank) is (not )?None( \(2\))?$": _MISSING,
    # Work and cost.
    r"matching\.py Match\.with_layer: len\(self": _WORK,
    r"len\((layers|found|region\.values)\) >=? MAX_": _WORK,
    r"are_equal_constants: prod\(": _WORK,
    r"_producer_formula: value\.op not in": _WORK,
    r"ComposeScalars.*: user is not None and uniform_affine": "the last layer of the chain makes "
    "the same rewrite later",
    r"_size\(op\) > allowed|nbytes for v in values\)\) > allowed|_size: DYNAMIC_INDEX": _COST,
    r"not may_materialize\(|is_faster_attention\(op, Multi": _COST,
    r"\.py \w+(\.match_and_rewrite)?: affine\.shift\.any\(\)$": _AGAIN,
    r"\(affine\.scale != 1\)\.any\(\)": _AGAIN,
    r"sums_of_scaled: axis == 0": _AGAIN,
    # Rounding.
    r"FLOAT(16|32)\.keeps|fits_float16": _PRECISION,
    r"(ComposeAffine|FormWeightedSum|Convolutions|NormAffine|_set_linear).*: (not )?all_finite\(": (
        "in a proof weights and factors of blobs are finite, and real numbers do not overflow"
    ),
    r"^precision\.py|^rounding_offsets\.py": _PRECISION,
    r"not _set_linear\(": "`_set_linear` fails only if a bias is not finite or a model would grow",
    r"_hard: not isfinite\(beta\)|_match_terms: isfinite\(scale\)": _PRECISION,
    r"is_channelwise: isfinite\(op\.b\)": _PRECISION,
    # A filter, or a way that the rewrite takes less often.
    r"axis_before: (i != order\[place\]|before\[i\] != 1)$": _FEWER,
    r"composed_order: order == both": _FEWER,
    r"_connects_input_to_output: value\.has_one_use": _FEWER,
    r"FoldConstants.*any\(\(isinstance\(u\.operation, ReturnOp": _FEWER,
    r": may_replace_by\(op, (values|\[value\])\)$": _ONE_BY_ONE,
    r"FoldConstants.*: returned$|replace_by: (returned|isinstance\(use.operation, Ret.*) \(2\)": (
        "without it the type of the function is made again, and is the same"
    ),
    r"\w+(\[value\])?\.type != (type_|op\.\w+(\[0\])?\.type)$": (
        "without it a blob gets the type that it has already"
    ),
    r"uniform_affine: op\.affine_channels": (
        "a layer with a scale and shift for the only channel has one of each for the blob, too"
    ),
    r"partition_of: len\(op\.axes\) == 1": (
        "the first axis selects other Crops, which would be merged at their own visits, too"
    ),
    r"partition_of: len\(parts\) > 1": "a Slice of one part is right, and no gain",
    r"part_along: 0 <= start < end": "a Crop of no element has no result",
    r"gemm_for: len\(shape\) > 2": _COST,
    r"past_types: \(declared := ": _MISSING,
    r"(_may_end_rotation: len|is_sum: op|rotary\.py _is_product: (len|prod))": (
        "it finds the roots of a match sooner: the match tests these layers again, or unpacks two "
        "operands and raises for more"
    ),
    r"(_pairs_of|_are_tables|_is_sound): provably_equal": _FEWER,
    r"_products: not _match_transposed_keys": _FEWER,
    r"(_is_sound|_may_add_permutes): found\.output_features_first": (
        "it decides only which declared types agree, and which faults of a device count"
    ),
    r"attention_before: len\(op\.inputs\) != 3|moved_from: len\(op\.operands\)": (
        "further inputs of these layers change no result"
    ),
    r"_along_channels: has_channels": (
        "the rewrite is right without it, too: the layer before takes only blobs of its channels"
    ),
    r"(takes_vector|channels_of|FormGroupNorm.*): len\((user|op|cut)\.operands\)": (
        "a Reshape that reads another blob keeps the order, too, and its shape is compared"
    ),
    r"is_channelwise\((producer|user), reg": "without it Convolutions end the region: it does less",
    r"padded_channels\.py is_channelwise: _has_values": (
        "a proof gives values of its own to all weights"
    ),
    # Ranks and extents that layers do not take, so that there is no result.
    r"(sequence_lengths|_heads): (not len\(query|key\[0\]|value\[1\])"
    r"|Replace(1D|Pool|ingPooling).*: len\(shape\)|repeated: len\(wanted\)|may_share: len\(declared"
    r"|op\.contract_violation\(|matrix_of: prod|_along_channels: channels <= 0"
    r"|op\.num_input\(\) != (between|channels)|channels_of: len\(shape\) == 3|View\._part: n > 0"
    r"|vertical_padding: min|_amounts: min": _NO_RESULT,
    r"branch_beside: len\(shape\)": "a Convolution of a vector is linear, and the sum is right",
    r"FuseAffineAhead.*: axis\.shape is not None": (
        "a blob that is flattened has as many channels as elements only where the two axes are one"
    ),
    r"affine_on_producer: before\[own\]": "the axis of outputs has as many elements as channels",
    r"_takes_channels: user\.num|is_channelwise: op\.num_slope|rank_of\(op\.input\) not": _TYPES,
    r"_add_blob: (len\(producer\.results\)|use\.index)": (
        "layers of several results, or with a blob as the weight, are none that the region takes"
    ),
    r"Match\.with_scalar: close|_match_factors: \(bound": "a formula names each number once",
    r"_match: pattern\.(value$|kind != |exponent)": (
        "no formula has a factor 0 or an exponent for less than one factor; only Softmax has a "
        "maximum, and is the same for any shift"
    ),
    r"_match_all: len\(terms\) == 1 \(2\)|_match_terms: len\(terms\) == 1$": _FEWER,
    r"_match_terms: len\((terms\) > len|rest\))": "sums in formulas have two terms",
    r"formula_of: rank > 1": _NO_RESULT,
    r"formula_of: len\(op\.results": "layers with a formula have one result",
    r"_by_formula: len\(args\) == 2 \(2\)": "the only operand is this number",
    r"scalar_of: values\.dtype": _INTEGERS,
    r"_bounded: of\.high": "no layer's own formula bounds a value twice from above",
    r"reshape_params\(\w+\[1:\], (own|shapes\.of\(v\))\) is (not )?None": (
        "a Reshape can always take the columns of a table, and the rest as rows"
    ),
    r"_halves: not cut\.covers_all": "the parts together are as wide as x, which is added to them",
    r"ReadShapeOfEarlierBlob.*_count_of_uses|Earlier.*value in op\.inputs\[:i\]": _COST,
    r"ReadShapeOfEarlierBlob.*: not op\.shape_expr": "further inputs are read by expressions only",
    r"expands_alike: max\(len": (
        "a blob of more dims than the other one stays as it is; if its shape is equal, the layer "
        "does nothing"
    ),
    r"ConvolveBeforeImage.*: reshape is not None": "without a Reshape the rewrite ended before",
    r"gemms_after: user\.operands|is_on_rows: len\(layer\.results": (
        "Gemms of constants read and write one blob of rows, and element-wise layers one blob"
    ),
    r"_match_transposed_keys: not permute\.output\.has_one_use": _COST,
    r"only_user: len\(op\.results\)": "it is called for layers of one result",
    r"_is_sound: found\.key_features_first": (
        "it excludes masks of one column, which the reference semantics repeat, and ncnn does not"
    ),
    r"has_mask(\(inner|: len\(shape\) == 2 or)": (
        "a mask of 3 dims is for each head, or one for all: both layers compute the same of it"
    ),
    r"ReplaceShapeExpression.*: not provably_equal\(found": (
        "a Reshape that leaves a blob of the wanted rows is right: the elements decide the columns"
    ),
    # Batches.
    r"repeats_blobs\(": _BATCHES,
    r"affine_on_producer: isinstance\(v, Perm|axis_before: layer\.keeps|takes_vector: not user\.k"
    r"|rows_between: layer\.keeps|ReplaceShapeExpression.*keeps_order": (
        "only batches of blobs, which have no reference semantics, and Permutes that a condition "
        "on ranks or extents excludes change the order here"
    ),
    r"OfVector\.match_and_rewrite: before\.global_pooling": _SELECTS,
    # Types, releases and devices.
    r": (not )?agrees\(": _TYPES,
    r"_combined_type: not agree\(": _TYPES,
    r"is_(rank_|feature_)?unsupported\(": _RELEASE,
    r"wrong_only_after: permutes_wrongly": _RELEASE,
}
"""Reasons by a pattern of the key of a condition that the search found no near miss for."""


def explanation_of(key: str) -> str:
    """Return the precise reason why no near miss of a condition exists; empty if none is known."""
    return next((text for pattern, text in EXPLAINED.items() if re.search(pattern, key)), "")


HARMLESS = [
    r"is_enabled\(|is_requested\(|for_global_pooling",
    *(pattern for pattern, text in REASONS.items() if text in (_COST, _PRECISION, _INTEGERS)),
]
"""The patterns of conditions that no model can refute."""


def reason_of(key: str, outcome: str) -> str:
    """Return why a condition is not needed; empty if no reason is known."""
    if outcome in OUTCOMES:
        return OUTCOMES[outcome]
    return next((text for pattern, text in REASONS.items() if re.search(pattern, key)), "")
