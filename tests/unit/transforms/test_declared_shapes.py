"""What a type says of a blob is what a file says of its inputs, or follows from that; the runtime
takes others. A rewrite asks the analysis of extents, which knows what is certain
(`analysis/shapes.py`). Every place that reads a shape off a type is here, with the
reason why nothing becomes wrong where the type does not hold."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[3]

READERS = frozenset(
    {
        "declared_shape",
        "element_count",
        "extents_in",
        "get_num_dims",
        "get_shape",
        "infer_types",
        "rank_of",
        "shape_of",
        "static_shape_of",
    }
)
"""What reads a shape off a type, or types off types. (So does `Shapes(declared=…)`.)"""

CONSTANT = "of a constant, which is what its type says"
TYPES = "for types alone: what they say must go together, before and after"
HOST = "a parameter that the runtime does not look at for such a blob"
PROMISE = "the shapes are those that a user gave, or what is told are types"

TOP = ("analysis", "conversion", "transforms")

FOLDERS: Mapping[str, str] = {
    "conversion/ncnn_to_fused": "an operation of the fused dialect is for tensors of its types",
    "conversion/to_linalg": "linalg is for tensors of its types",
    "conversion/fused_to_ncnn": "an operation of the fused dialect is for tensors of its types",
    "transforms/pnnx_legalization": "PNNX's own IR is exported at one size, and says its shapes",
    "transforms/caches": "a decoder is exported at one length, which its types say",
    "transforms/reduction": "each smaller model is tried: it still fails, or it is dropped",
    "analysis/audit": "a model is audited for inputs of the declared or given shapes",
    "transforms/dynamic_shapes": "compares the shapes at the exported size with those at others",
}
"""Folders whose passes are about types."""

PLACES: Mapping[str, str] = {
    "analysis/adopted_shapes.py adopt_shapes": "given shapes replace those of types",
    "analysis/batches.py Batches.of": "only for `declared`, which PNNX's own IR asks for",
    "analysis/batches.py Batches.visit": "only for `declared`, which PNNX's own IR asks for",
    "analysis/caches.py cache_heads": "for inputs of a comparison, of the shapes that types say",
    "analysis/lint.py lint_layer": "a hint, for the declared shapes",
    "analysis/wide_values.py _few_values": CONSTANT,
    "analysis/required_release.py _needed": "the release that the declared shapes require",
    "analysis/required_release.py requirements_of": CONSTANT,
    **{
        f"analysis/release_changes.py {name}": "the release that the declared shapes require"
        for name in (
            "_reads_second_halves _has_single_mask _inserts_several_axes _resamples_by_scale "
            "_is_cubic_at_one _is_even_across _has_rows _follows_four_dims _reduces_nothing "
            "_has_few_dims _tiles_depth"
        ).split()
    },
    "transforms/batch_elimination/batch_builder.py BatchBuilder.insert_layer": TYPES,
    "transforms/canonicalization/binaryop.py ScalarOperand.match_and_rewrite": CONSTANT,
    "transforms/canonicalization/constant_folding.py FoldConstants.match_and_rewrite": TYPES,
    "transforms/canonicalization/constant_folding.py _size": "of a layer of constants",
    "transforms/canonicalization/fused_epilogue.py _has_all_axes": FOLDERS[
        "conversion/ncnn_to_fused"
    ],
    "transforms/canonicalization/fused_epilogue.py _may_go": FOLDERS["conversion/ncnn_to_fused"],
    "transforms/canonicalization/fused_epilogue.py uniform": CONSTANT,
    "transforms/canonicalization/identity.py _combined_type": TYPES,
    "transforms/canonicalization/attention_decomposition.py gemm": CONSTANT,
    "transforms/canonicalization/normalization.py _along_slice": CONSTANT,
    "transforms/canonicalization/convolution_1d.py is_faster": "an estimate",
    "transforms/canonicalization/padded_channels.py PadChannels.match_and_rewrite": TYPES,
    "transforms/canonicalization/padded_channels.py _add_blob": "so as not to fire",
    "transforms/canonicalization/padded_channels.py _weights_along": CONSTANT,
    "transforms/canonicalization/padded_channels.py added_bytes": CONSTANT,
    "transforms/canonicalization/matmul_to_gemm.py ReplaceMatMul.match_and_rewrite": CONSTANT,
    "transforms/canonicalization/matmul_to_gemm.py matrix_of": CONSTANT,
    "transforms/canonicalization/recognition/sdpa.py _is_sound": TYPES,
    "transforms/canonicalization/recognition/sdpa.py _untransposed_keys": TYPES,
    "transforms/canonicalization/recognition/layer_formulas.py scalar_of": CONSTANT,
    "transforms/canonicalization/recognition/normalizations.py FormNorm.layer": HOST,
    "transforms/canonicalization/recognition/normalizations.py slice_size": HOST,
    "transforms/canonicalization/recognition/recognizer.py _fits": TYPES,
    "transforms/canonicalization/reductions.py DropKeptAxes.match_and_rewrite": TYPES,
    "transforms/canonicalization/equivalent_layers.py _as_matrix": ("so as not to fire"),
    "transforms/canonicalization/rewriting.py agrees": TYPES,
    "transforms/canonicalization/rewriting.py typed": TYPES,
    "transforms/canonicalization/redundant_layers.py are_equal_constants": CONSTANT,
    "transforms/canonicalization/grouped_query_attention.py ShareHeads.match_and_rewrite": TYPES,
    "transforms/canonicalization/grouped_query_attention.py may_share": "so as not to fire",
    "transforms/canonicalization/grouped_query_attention.py past_types": TYPES,
    "transforms/edits/insertion.py insert": TYPES,
    "transforms/edits/joining.py infer_types": TYPES,
    "transforms/edits/joining.py join": TYPES,
    "transforms/edits/expansion.py expand": TYPES,
    "transforms/edits/custom_shapes.py declare": TYPES,
    "transforms/edits/interpolation.py _check_layers": CONSTANT,
    "transforms/canonicalization/global_pooling.py ReplacePooling.match_and_rewrite": TYPES,
    "analysis/profitability.py _may_be_packed": "an estimate",
    "analysis/input_shapes.py contradictions": PROMISE,
    "analysis/input_shapes.py unknown_extents": PROMISE,
    "analysis/input_shapes.py _shape_of_count": "a proposal, which inference checks",
    "analysis/input_shapes.py _shape_of_state": "a proposal, which inference checks",
    "analysis/input_shapes.py misfits": "a reason against a proposal and a program",
    "transforms/rewriting/growth.py _widened": CONSTANT,
    "transforms/rewriting/growth.py set_limit": CONSTANT,
    "transforms/quantization/deconvolution.py ReplaceDeconvolution.match_and_rewrite": TYPES,
    "transforms/quantization/int8.py _quantize": CONSTANT,
    "analysis/random_inputs.py cache_of": "values for inputs, of the shapes that they say",
    "analysis/random_inputs.py random_input": "values for inputs, of the shapes that they say",
    "analysis/shape_inference.py check_specialization": PROMISE,
    "analysis/shape_inference.py set_input_shapes": "a proposal, which inference checks",
    "analysis/shape_inference.py _retype": PROMISE,
    "analysis/shape_inference.py hints_of": PROMISE,
    "analysis/shape_inference.py infer": PROMISE,
    "transforms/storage/element_types.py _converted": CONSTANT,
    "transforms/storage/element_types.py restore": CONSTANT,
    "analysis/state_relations.py RepeatedHeads.layers": "a statement, which the proof decides",
    "analysis/states.py states_of": "what the report says of the declared shapes",
    "analysis/tuning_facts.py slow_activation": "a matter of time only",
    "analysis/element_sizes.py copies_bytes": "a hint: a Reshape that may copy floats is reported",
    "analysis/input_shapes.py _likely_patterns": "a guess of ranks, for a report",
    "conversion/completeness.py unknown_input": "the reason for a refusal, by declared shapes",
    "conversion/epilogues/constants.py like": TYPES,
    "conversion/pnnx_to_ncnn/linear.py before_transposition": "PNNX's graph is of one size",
    "conversion/pnnx_to_ncnn/linear.py product": "PNNX's graph is of one size",
    "conversion/pnnx_to_ncnn/selection.py unrepeated": "PNNX's graph is of one size",
    "conversion/pnnx_to_ncnn/conversion.py check_shapes": "PNNX's graph is of one size",
    "conversion/pnnx_to_ncnn/conversion_pass.py check_same_model": CONSTANT,
    "conversion/pnnx_to_ncnn/conversion_pass.py declared_shapes": "PNNX's graph is of one size",
    "conversion/externalize_weights.py _Named.__call__": CONSTANT,
}
"""All other places."""


def reads(tree: ast.AST, inside: tuple[str, ...] = ()) -> Iterator[str]:
    """The classes and functions of a module in which a shape is read off a type."""
    for node in ast.iter_child_nodes(tree):
        named = isinstance(node, ast.FunctionDef | ast.ClassDef)
        if isinstance(node, ast.Call):
            function = node.func
            match function:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    declares = name == "Shapes" and any(k.arg == "declared" for k in node.keywords)
                    if name in READERS or declares:
                        yield ".".join(inside)
                case _:
                    pass
        yield from reads(node, (*inside, node.name) if named else inside)


def places() -> set[str]:
    """The places in passes and analyses where that is done, but for the folders about types."""
    found: set[str] = set()
    for path in (path for top in TOP for path in (ROOT / top).rglob("*.py")):
        file = path.relative_to(ROOT)
        if not {"/".join(file.parts[:2]), file.parts[0]} & FOLDERS.keys():
            found |= {f"{file.as_posix()} {where}" for where in reads(ast.parse(path.read_text()))}
    return found


def test_every_shape_that_is_read_off_a_type_has_a_reason() -> None:
    found = places()
    assert sorted(found - PLACES.keys()) == [], "ask `shapes_of(rewriter)`, or say why not"
    assert sorted(PLACES.keys() - found) == []


def test_it_is_found() -> None:
    code = "class P:\n    def f(self, op):\n        return [shape_of(v) for v in op.inputs]"
    assert list(reads(ast.parse(code))) == ["P.f"]
    assert list(reads(ast.parse("Shapes(declared=True).of(x)"))) == [""]
    assert not list(reads(ast.parse("shapes_of(rewriter).of(x)")))
