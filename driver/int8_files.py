"""From file to file for models that become integers: preparing, writing and summarizing them."""

import os
from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import ModuleOp

from ..analysis.required_release import Requirement, requirement_of
from ..analysis.shape_inference import set_input_shapes
from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.quantization import DynamicInt8
from ..dialects.ncnn.weight_specs import Shape
from ..formats.block_table import write_block_table
from ..frontends.mlir.parsing import verify_ir
from ..quantization.int8_figures import Evaluation
from ..quantization.int8_models import integers_of
from ..report.quantization import ChartBar, quantization_page
from ..targets import Output, Summary
from ..targets.atomic_files import OutputFiles
from ..transforms.for_release import ForRelease
from ..transforms.quantization.weights.block_tables import table_of
from .messages import Figures
from .model_files import InputModel, compile_model
from .pipelines import known_release, run_pipeline
from .releases import Releases, check_requirement


def prepare(
    module: ModuleOp, path: str, release: str | None, shapes: Mapping[str, Shape]
) -> str | None:
    """Set the input shapes of a model, and the release that must run it. Return this release.
    Raises one of `USER_ERRORS`."""
    if release is not None:
        release = known_release(release)
        run_pipeline(module, ForRelease(release), path)
    if shapes:
        set_input_shapes(model_of(module), shapes)
    return release


def write_quantized(
    source: InputModel,
    output: Output,
    release: str | None,
    required: Requirement | None,
    change: Callable[[ModuleOp], None] = lambda module: None,
    before: Summary | None = None,
    count: Callable[[ModuleOp], str] | None = None,
) -> tuple[list[str], Figures]:
    """Change a model and write it. Return a summary as lines, and its figures. `required` and
    `before` are the release and the size of the model before the changes; `count` returns the
    number of quantized layers in words. Raises one of `USER_ERRORS`."""
    releases = Releases(source.path, release, required)
    counts: list[str] = []
    integers: list[int] = []

    def run(module: ModuleOp) -> None:
        change(module)
        verify_ir(module, source.path)
        releases.after = requirement_of(module)
        check_requirement(releases.after, source.path, release)
        counts.append((count or _count_int8)(module))
        integers.append(len(integers_of(module)))

    changed = compile_model(source, output, run, summarized=True, before=before)
    lines = [", ".join(filter(None, [*counts, changed.weights()])), *releases.lines()]
    return lines, {"layers_with_integers": integers[0], **changed.figures()}


def _count_int8(module: ModuleOp) -> str:
    ops = model_of(module).body.block.ops
    every = sum(isinstance(op, StaticInt8 | DynamicInt8) for op in ops)
    return f"{len(integers_of(module))} of {every} layers in int8"


def write_tables(module: ModuleOp, path: str, method: str) -> None:
    """Write the table of a model with weights in blocks, and files of its integers beside it if
    they are not the nearest ones."""
    table, integers = table_of(model_of(module), path, with_integers=method == "gptq")
    with OutputFiles() as files:
        stream = files.create(path, "w")
        stream.writelines(write_block_table(table, {"mse": "mseclip"}.get(method, method)))
        for name, values in integers.items():
            beside = os.path.join(os.path.dirname(path), name)
            files.create(beside, "wb").write(values.tobytes())


def save_evaluation(
    evaluation: Evaluation,
    title: str,
    json: str | None,
    html: str | None,
    limit: float | None = None,
) -> None:
    """Write an evaluation to the files that are given: as JSON, and as a page with a bar for each
    layer. `limit` is the largest allowed error of the outputs, which the page marks."""
    with OutputFiles() as files:
        if json is not None:
            files.create(json, "w").write(evaluation.as_json())
        if html is not None:
            files.create(html, "w").write(evaluation_page(title, evaluation, limit))


def evaluation_page(title: str, evaluation: Evaluation, limit: float | None = None) -> str:
    """Return an evaluation as a page with a bar for each output and layer. `limit` is the largest
    allowed error of the outputs."""
    bars = [
        ChartBar(
            each.layer.label,
            each.kind,
            None if each.difference is None else each.difference.snr,
            (*each.cells(), *evaluation.time_cells(each)),
        )
        for each in evaluation.layers
    ]
    differences = evaluation.outputs.values()
    outputs = [
        ChartBar(label, "output", difference.snr, cells)
        for (label, cells), difference in zip(evaluation.output_rows(), differences, strict=True)
    ]
    sentences, heads = evaluation.sentences(), evaluation.time_heads
    return quantization_page(title, bars, outputs, sentences, heads, limit)
