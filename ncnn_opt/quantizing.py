"""Quantization in Python: `quantize`, and its steps."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .arguments import (
    CLASSES,
    FLAG,
    NAMES,
    NUMBER,
    POSITIVE,
    SAMPLES,
    SHAPES,
    TEXT,
    TOLERANCE,
    checked,
    one_of,
    optional,
    sampled_arrays,
)
from .loaded_model import MODEL, Model
from .values import Shapes, reporting

if TYPE_CHECKING:
    from ncnn_opt.quantization.in_memory import Data
    from ncnn_opt.quantization.quantize import Quantization
    from ncnn_opt.quantization.recipe import Method, Recipe, Storage, WeightMethod


@checked(
    model=MODEL,
    samples=SAMPLES,
    optimize=FLAG,
    for_ncnn=optional(TEXT),
    shapes=optional(SHAPES),
    method=one_of("best", "mse", "kl", "minmax", "percentile", "aciq"),
    weight_method=optional(one_of("minmax", "mse", "aciq")),
    equalize=FLAG,
    gptq=FLAG,
    correct_bias=FLAG,
    quick=FLAG,
    tune=FLAG,
    max_error=optional(TOLERANCE),
    min_snr=optional(NUMBER),
    keep=NAMES,
    static_only=FLAG,
    storage=optional(one_of("fp16", "fp32", "keep")),
    measure=FLAG,
    classes=optional(CLASSES),
    latency=FLAG,
    repeat=POSITIVE,
    measured=POSITIVE,
    held_back=optional(POSITIVE),
    jobs=optional(POSITIVE),
    scheduler=optional(TEXT),
)
def quantize(
    model: Model,
    samples: "Data",
    *,
    optimize: bool = False,
    for_ncnn: str | None = None,
    shapes: Shapes | None = None,
    method: "Method" = "best",
    weight_method: "WeightMethod | None" = None,
    equalize: bool = False,
    gptq: bool = False,
    correct_bias: bool = False,
    quick: bool = False,
    tune: bool = False,
    max_error: float | None = None,
    min_snr: float | None = None,
    keep: Sequence[str] = (),
    static_only: bool = False,
    storage: "Storage | None" = None,
    measure: bool = False,
    classes: Sequence[int] | None = None,
    latency: bool = False,
    repeat: int = 50,
    measured: int = 16,
    held_back: int | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
) -> "Quantization":
    """Make a model int8, calibrated on samples, as `ncnn-quantize` does with options of the same
    names and defaults (docs/quantize.md). `samples` is an array whose outermost axis counts
    samples, a mapping of inputs to such arrays, or samples one after the other.

    `optimize` runs the passes of `-O` first. `for_ncnn` is the oldest release of ncnn that must run
    the result; `shapes` are the shapes of inputs that the model does not declare. `classes` is the
    right class of each sample. `jobs` is the number of processes, by default one for each CPU.

    Return the result: `table` (the scales), `layers` (the decision about each layer), `steps` (the
    error of each method) and, with `measure`, `classes` or `latency`, `evaluation`. With changed
    weights (`gptq`, `equalize`, `correct_bias`) the table fits the new model only.

    Raises `NcnnOptError`; the model is then what it was.
    """
    from ncnn_opt.quantization.recipe import Recipe

    options = {name: value for name, value in locals().items() if name in Recipe.__annotations__}
    with reporting(model.path):
        result = _quantized(model, samples, Recipe(**options), optimize, for_ncnn, shapes)
    model.module = result.module
    model.remarks += [record.remark for record in result.layers]
    return result


def _quantized(
    model: Model,
    samples: "Data",
    recipe: "Recipe",
    optimize: bool,
    for_ncnn: str | None,
    shapes: Shapes | None,
) -> "Quantization":
    """Return the int8 copy of a model. Raises one of `USER_ERRORS`."""
    from ncnn_opt.analysis.required_release import requirement_of
    from ncnn_opt.analysis.shape_inference import set_input_shapes
    from ncnn_opt.dialects.ncnn.lookup import model_of
    from ncnn_opt.driver.calls import optimize_for_int8, shapes_in_ir
    from ncnn_opt.driver.pipelines import for_release, known_release, run_pipeline
    from ncnn_opt.driver.releases import check_requirement
    from ncnn_opt.quantization.in_memory import quantize_arrays

    changed = model.module.clone()
    wanted = None if for_ncnn is None else known_release(for_ncnn)
    run_pipeline(changed, for_release(wanted), model.path)
    if shapes:
        set_input_shapes(model_of(changed), shapes_in_ir(shapes))
    if optimize:
        optimize_for_int8(changed, wanted, model.path)
    result = quantize_arrays(changed, sampled_arrays(samples), recipe, model.path)
    check_requirement(requirement_of(result.module), model.path, wanted)
    return result
