"""The tests that are nearest to each folder of the source."""

from dataclasses import dataclass

LIT = "tests/filecheck/"
UNIT = "tests/unit/"
DIFFERENTIAL = "tests/differential/"


@dataclass(frozen=True)
class Group:
    """Tests that run in one process: of pytest, or of lit."""

    runner: str
    arguments: tuple[str, ...]


def lit(*names: str) -> Group:
    return Group("lit", tuple(LIT + name for name in names))


def pytest(*names: str) -> Group:
    return Group("pytest", tuple(f"tests/{name}" for name in names))


NEAREST: dict[str, tuple[Group, ...]] = {
    "transforms/dynamic_shapes": (
        lit("transforms/make-dynamic*"),
        pytest("differential/test_dynamic_layers.py", "differential/test_dynamic.py"),
        pytest("differential/test_dynamic_constants.py", "differential/test_dynamic_exports.py"),
        pytest("differential/test_dynamic_random.py"),
    ),
    "transforms/batch_elimination": (
        lit("transforms/eliminate-batches*"),
        pytest("differential/test_batches_by_layer.py"),
        pytest("differential/test_batches.py"),
    ),
    "transforms/pnnx_legalization": (
        lit("transforms/pnnx"),
        pytest("unit/transforms/pnnx", "differential/test_pnnx*.py"),
        pytest("unit/tools/test_pnnx_files.py", "unit/tools/test_pnnx_repairs.py"),
    ),
    "transforms/quantization": (
        lit(
            "transforms/quantization",
            "transforms/insert-quantization*",
            "transforms/fuse-requantize*",
            "transforms/replace-deconvolution*",
        ),
        pytest("unit/transforms/quantization", "unit/transforms/test_quantize_weights.py"),
        pytest("differential/test_quantize_weights.py", "differential/test_fused_int8.py"),
        pytest("unit/tools/test_quantize_weights.py", "unit/tools/test_block_tables.py"),
        pytest(
            "differential/test_quantize_drop_ins.py",
            "differential/test_quantize_everything.py::test_only_what_has_static_scales",
            "differential/test_quantize_everything.py::test_all_that_can_be_is_int8",
            "differential/test_quantize.py::test_int8_from_layer_to_layer_is_the_same",
        ),
        pytest("differential/test_quantize_weights_random.py"),
    ),
    "quantization": (
        pytest("unit/quantization", "unit/formats/test_scale_table.py"),
        pytest("unit/tools/test_quantize*.py", "differential/test_quantize_drop_ins.py"),
        pytest("differential/test_quantize_[dm]e*.py"),
        pytest("differential/test_quantize.py"),
    ),
    "samples": (
        pytest("unit/samples", "unit/tools/run/test_image_modes.py"),
        pytest("unit/tools/test_quantize*.py", "differential/test_quantize_api.py"),
        pytest("differential/test_quantize.py", "differential/test_quantize_sizes.py"),
    ),
    **dict.fromkeys(
        [
            f"quantization/{name}.py"
            for name in ("gptaq", "fitted_layers", "equalization", "bias_correction")
        ],
        (pytest("unit/quantization"), pytest("differential/test_quantize_nearer.py")),
    ),
    **dict.fromkeys(
        [f"quantization/{name}.py" for name in ("layer_timing", "search", "quantize", "layerwise")],
        (
            pytest("unit/quantization"),
            pytest("differential/test_quantize_latency.py"),
            pytest("differential/test_quantize.py::test_a_search_leaves_few_in_float"),
            pytest("differential/test_quantize_everything.py"),
        ),
    ),
    **dict.fromkeys(
        [f"quantization/{name}.py" for name in ("scheduled", "sessions", "worker")],
        (
            pytest("unit/quantization"),
            pytest("differential/test_quantize.py"),
            pytest("differential/test_quantize_dask.py"),
        ),
    ),
    "conversion/tracing": (
        pytest("unit/conversion/tracing"),
        lit("conversion/convert-*to-linalg*"),
        pytest(
            "differential/native/test_expressions.py::test_code_computes_what_numpy_computes",
            "unit/native/test_dynamic_extents.py",
            "differential/native/test_forms.py::test_each_form_computes_the_reference_results",
        ),
        pytest("differential/native/test_values.py", "differential/native/test_host.py"),
    ),
    "conversion/to_linalg": (
        lit("conversion/convert-*to-linalg*"),
        pytest("unit/conversion/test_convolution_costs.py", "unit/native/test_dynamic_extents.py"),
        pytest(
            "differential/native/test_expressions.py::test_code_computes_what_numpy_computes",
            "differential/native/test_forms.py::test_each_form_computes_the_reference_results",
            "differential/native/test_forms.py::test_windows_of_up_to_32_places_are_slices",
        ),
        pytest("unit/native/test_lowering.py", "unit/native/test_tuning_sites.py"),
        pytest("differential/native/test_values.py", "differential/native/test_host.py"),
    ),
    "native": (
        pytest("unit/native"),
        pytest("native/test_programs.py", "native/test_compile_command.py"),
    ),
    "proofs": (
        pytest(
            "proofs/test_exact_*.py",
            "proofs/test_drawn_numbers.py",
            "proofs/test_generic_*.py",
            "proofs/test_models_of_steps.py",
            "proofs/test_other_extents.py",
            "proofs/test_shapes_of_points.py",
        ),
        pytest("proofs/test_patterns.py", "proofs/test_thresholds.py", "proofs/test_replay.py"),
        pytest("proofs/test_calls.py"),
        pytest("proofs/test_proofs.py", "proofs/test_extents.py"),
        pytest("proofs/test_verify_rewrites.py", "proofs/test_certificates.py"),
        pytest("proofs/test_wrong_variants.py", "proofs/test_pdl_proofs.py"),
    ),
    "paired_times": (pytest("unit/paired_times"),),
    "runtime": (
        pytest("unit/paired_times/test_clock.py", "unit/tools/test_messages.py"),
        pytest("unit/tools/run/test_precision.py", "unit/quantization/test_worker.py"),
        pytest("differential/devices/test_workers.py", "unit/tools/run/test_results.py"),
        pytest("differential/test_without_split.py", "differential/test_add_kv_cache.py"),
        pytest("unit/tools/test_runtime_process.py", "unit/tools/run/test_inputs.py"),
    ),
    "runtime/devices": (
        pytest("differential/devices/test_rounds.py", "differential/devices/test_facts.py"),
        pytest("differential/devices/test_adb.py"),
        pytest("differential/devices/test_ssh.py"),
        pytest("differential/devices/test_device_commands.py"),
        pytest("differential/devices/test_tuning.py", "differential/devices/test_workers.py"),
    ),
    **dict.fromkeys(
        [f"runtime/{name}.py" for name in ("custom_layers", "declared_layers", "drawn_shapes")],
        (
            pytest("differential/test_custom_shapes.py", "unit/tools/test_custom_weights.py"),
            pytest("differential/test_custom_and_names.py"),
        ),
    ),
    "runtime/wide_inputs.py": (
        pytest("unit/interpreters/test_wide_errors.py", "differential/test_equivalence_wide.py"),
        pytest("differential/test_semantics_wide.py"),
    ),
    "transforms/float16_safety": (
        pytest("unit/transforms/float16/test_rescaling.py"),
        pytest("unit/transforms/float16/test_selection.py"),
        pytest("unit/transforms/float16/test_float32_on_arm.py"),
        pytest("unit/transforms/float16/test_safety.py"),
        pytest("unit/tools/test_float16_options.py"),
    ),
    "driver/batch": (
        pytest("unit/tools/test_batch.py"),
        pytest("differential/devices/test_batch_devices.py"),
        pytest("unit/tools/test_many_models.py", "differential/test_batch_dask.py"),
    ),
    "driver/bundles": (
        pytest("unit/test_bundle_tokenizer.py", "differential/test_bundles.py"),
        pytest("differential/test_decode_command.py"),
        pytest("differential/exporting/test_export_decoder.py"),
    ),
    "driver/observers": (
        pytest("unit/transforms/test_missed.py", "unit/transforms/test_observers.py"),
        lit("tools"),
        pytest("unit/transforms/test_running_passes.py", "unit/tools/test_mlir_spellings.py"),
        pytest("unit/api/test_remarks_shown.py", "unit/tools/test_change_tables.py"),
        lit("transforms/make-dynamic*"),
    ),
    "driver/reducing": (
        pytest("differential/test_reduce.py"),
        pytest("unit/tools/test_json_messages.py", "unit/tools/test_runtime_process.py"),
    ),
    "transforms/reduction": (pytest("differential/test_reduce.py"),),
    "transforms/caches": (
        lit("transforms/add-kv-cache*", "transforms/*fuse-kv-cache*"),
        pytest("unit/transforms/test_step_axes.py", "unit/transforms/test_cache_names.py"),
        pytest("differential/test_add_kv_cache.py", "differential/test_bundles.py"),
    ),
    "transforms/edits": (
        lit("transforms/edits-errors*", "transforms/insert-layers*", "transforms/interpolate*"),
        lit("tools/join*", "tools/split*", "tools/expand*", "transforms/re*-model*"),
        pytest("unit/transforms/test_interpolation.py", "unit/transforms/test_tables.py"),
        pytest("unit/tools/test_split_join.py", "unit/tools/test_edit_mistakes.py"),
        pytest("unit/api/test_editing.py", "unit/transforms/test_unique_names.py"),
        pytest("differential/test_custom_shapes.py", "unit/tools/test_change_tables.py"),
        lit("transforms/*-tables*", "transforms/cut-model*", "transforms/unique-names*"),
    ),
    "transforms/rewriting": (
        pytest("unit/transforms/test_running_passes.py", "unit/transforms/test_growth.py"),
        pytest("unit/transforms/test_passes.py", "unit/transforms/test_releases.py"),
        lit("transforms/canonicalize*", "transforms/limit-growth*", "transforms/for-release*"),
        lit("transforms/merge-*", "transforms/fuse-rotary*", "transforms/eliminate-dead*"),
        lit("tools", "transforms/apply-pdl*"),
        pytest("unit/transforms/pnnx/test_axes.py", "unit/docs/test_pass_examples.py"),
    ),
    "conversion/pnnx_to_ncnn": (
        lit("conversion/pnnx-to-ncnn"),
        pytest("differential/pnnx_operators"),
        pytest("differential/test_pnnx_functions.py", "unit/docs/test_pnnx_operators.py"),
        pytest("differential/exporting/test_export_decoder.py"),
    ),
    "analysis/target_info": (
        pytest("unit/analysis/target_info"),
        pytest("unit/analysis/test_costs.py"),
    ),
}
"""For each folder or file its tests, the fastest first. A name may have `*`."""


def nearest(path: str) -> tuple[Group, ...]:
    """The tests of a source file: those of the longest path that the table has."""
    names = [name for name in NEAREST if path == name or path.startswith(f"{name}/")]
    return NEAREST[max(names, key=len)]


FOLDERS = [name for name in NEAREST if not name.endswith(".py")]
