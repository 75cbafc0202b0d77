"""The Python API: `load`, `optimize`, `save`. The functions import the library when they are
called, so that `import ncnn_opt` is fast."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from ncnn_opt.quantization.recipe import FloatStorage, Method, Recipe, WeightMethod

from .arguments import (
    TEXT,
    Axes,
    Classes,
    File,
    FileOrBytes,
    Layers,
    Names,
    Positive,
    RealNumber,
    Samples,
    Shapes,
    Sizes,
    Tolerance,
    located,
    sampled_arrays,
    validate_arguments,
)
from .compiled import CompiledModel as CompiledModel
from .compiled import load_compiled as load_compiled
from .editing import join as join
from .loaded_model import Model
from .signatures import renamed
from .source_models import compare as compare
from .source_models import export as export
from .source_models import export_decoder as export_decoder
from .values import Blob as Blob
from .values import Layer as Layer
from .values import NcnnOptError as NcnnOptError
from .values import Tune, reporting

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

    from ncnn_opt.quantization.quantize import Quantization
    from ncnn_opt.samples.reader import Data
    from ncnn_opt.transforms.rewriting.remarks import Remark

    Pass = str | ModulePass | type[ModulePass]
    Passes = Pass | Sequence[Pass] | None


@validate_arguments
def load(
    path: FileOrBytes,
    weights: FileOrBytes | None = None,
    custom_weights: Sizes | None = None,
    allow_trailing_weights: bool = False,
    pnnx: File | None = None,
    shapes: Shapes | None = None,
) -> Model:
    """Read a `.param`, `.param.bin` or `.mlir`: a file, or its content as `bytes`.

    - `weights`: the `.bin` of a `.param`, by default the file beside it, or its content; `"none"`
      reads only the structure, `"random"` or `"random:SEED"` generates weights.
    - `custom_weights`: the number of floats of each weight, by layer type that ncnn does not have:
      `{"MyLayer": [64, 64]}`.
    - `allow_trailing_weights`: whether surplus bytes at the end of the `.bin` are ignored.
    - `pnnx`: the `.pnnx.param` of the model. Layers that ncnn lacks are rebuilt from it, as by
      `ncnn-opt --pnnx`.
    - `shapes`: the shapes of inputs, instead of the declared shapes, as `--input-shape`:
      `{"data": (3, 224, 224)}`, `None` for a dynamic extent.

    Raises `NcnnOptError`.
    """
    from ncnn_opt.analysis.shape_inference import set_input_shapes
    from ncnn_opt.dialects.ncnn.lookup import model_of
    from ncnn_opt.driver.api_pipelines import shapes_in_ir
    from ncnn_opt.driver.sidecar_files import read_bytes, read_repaired
    from ncnn_opt.frontends import ReadOptions
    from ncnn_opt.transforms.rewriting.remarks import listening

    named = None if weights is None or isinstance(weights, bytes) else os.fspath(weights)
    options = ReadOptions(named, allow_trailing_weights, dict(custom_weights or {}))
    file = "bytes" if isinstance(path, bytes) else os.fspath(path)
    with reporting(file):
        beside, remarks = None if pnnx is None else os.fspath(pnnx), list["Remark"]()
        if isinstance(path, bytes) and pnnx is not None:
            raise NcnnOptError("load: pnnx is for a file, not for bytes")
        if not isinstance(path, bytes) and isinstance(weights, bytes):
            raise NcnnOptError("load: weights are bytes only if the model is")
        with listening(remarks.append):
            if isinstance(path, bytes):
                content = weights if isinstance(weights, bytes) else None
                source = read_bytes(path, content, options)
            else:
                source = read_repaired(file, options, beside)
        model = Model(file, source.module, source.warnings, remarks, source.origin)
        if shapes:
            set_input_shapes(model_of(model.module), shapes_in_ir(shapes))
        return model


@validate_arguments
def optimize(
    model: Model,
    passes: "Passes" = None,
    tune: Annotated[Tune, TEXT] | None = None,
    keep_precision: bool = False,
    fix_shapes: Shapes | None = None,
    max_shape: Shapes | None = None,
    shapes: Shapes | None = None,
    round_weights: bool = False,
    for_ncnn: str | None = None,
) -> "list[Remark]":
    """Run passes on a model, in order; by default the passes of `ncnn-opt -O`. Return a remark per
    rewrite; `str(remark)` is a line of `--remarks`.

    A pass is its text on the command line, with options: `'convert-storage{storage=fp16}'`. Names
    of layers and blobs in options need quotes unless they are plain words:
    `'cut-model{from="a/b" to="c/d"}'`. A pass can also be an xDSL `ModulePass`. The arguments are
    options of `ncnn-opt` (docs/python.md):

    - `shapes`: input shapes; layers of the result have shape hints.
    - `tune`: a family of processors, also for later calls.
    - `for_ncnn`: the oldest release of ncnn that must run the result, also for later calls.
    - `fix_shapes`, `max_shape`: shapes that inputs always have or never exceed, by name
      (`{"data": (3, 224, 224)}`, `None` for a dynamic extent), also for later calls.
    - `round_weights`: whether rewritten float16 weights are rounded to float16 again.
    - `keep_precision`: a former name of the default; it has no effect.

    Raises `NcnnOptError`; the model is then unchanged.
    """
    if keep_precision and round_weights:
        raise NcnnOptError("keep_precision and round_weights exclude each other")
    from ncnn_opt.driver.api_pipelines import run_optimization

    changed = model.module.clone()
    with reporting(model.path):
        remarks = run_optimization(
            changed,
            model.path,
            passes,
            for_ncnn,
            tune=tune,
            fix_shapes=fix_shapes,
            max_shape=max_shape,
            shapes=shapes,
            round_weights=round_weights,
        )
    model.module = changed
    model.remarks += remarks
    return remarks


def passes() -> dict[str, str]:
    """Return the passes that `optimize` takes, with one line for each: the passes of this package,
    in groups as in docs/passes.md, then those of other packages. `ncnn-opt --help PASS` has more of
    one. (Passes of xDSL work, too.)"""
    from ncnn_opt.driver.pass_help import described_passes

    with reporting("passes"):
        return described_passes()


@renamed(like="other_export")
@validate_arguments
def make_dynamic(model: Model, axes: Axes, other_export: Model | None = None) -> "list[Remark]":
    """Make a model that was exported at a fixed input size accept any size. Return a remark per
    changed layer.

    `axes` are the dynamic axes of each input, as in `--dynamic`: `{"in0": "32*h,32*w"}`.
    `other_export` is an export of the model at another size.

    Raises `NcnnOptError` that names the layers without a dynamic form; the model is then unchanged.
    """
    from ncnn_opt.dialects.ncnn.lookup import model_of
    from ncnn_opt.driver.api_pipelines import run_optimization
    from ncnn_opt.driver.pipelines import make_dynamic
    from ncnn_opt.driver.sidecar_files import as_second_export, attach_to_module

    named = [f"{name}:{axis}" for name, text in axes.items() for axis in text.split(",")]
    joined = Model(model.path, model.module.clone())
    with reporting(model.path):
        if other_export is not None:
            attach_to_module(joined.module, as_second_export(model_of(other_export.module.clone())))
        remarks = run_optimization(joined.module, model.path, make_dynamic(named))
    model.module = joined.module
    model.remarks += remarks
    return remarks


@renamed(tune="keep_slower", max_error="max_nsr", measured="eval_samples", held_back="holdout")
@validate_arguments
def quantize(
    model: Model,
    samples: Samples,
    *,
    optimize: bool = False,
    for_ncnn: str | None = None,
    shapes: Shapes | None = None,
    method: Method = "best",
    weight_method: WeightMethod | None = None,
    equalize: bool = False,
    gptq: bool = False,
    correct_bias: bool = False,
    quick: bool = False,
    keep_slower: bool = False,
    devices: Names = (),
    max_nsr: Tolerance | None = None,
    min_snr: RealNumber | None = None,
    keep: Names = (),
    static_only: bool = False,
    storage: FloatStorage | None = None,
    measure: bool = False,
    classes: Classes | None = None,
    latency: bool = False,
    repeat: Positive = 50,
    eval_samples: Positive = 16,
    holdout: Positive | None = None,
    jobs: Positive | None = None,
    scheduler: str | None = None,
    custom_layers: Layers | None = None,
) -> "Quantization":
    """Make a model int8, calibrated on samples, as `ncnn-quantize` does with options of the same
    names and defaults (docs/quantize.md). `samples` is an array whose outermost axis counts
    samples, a mapping of inputs to such arrays, or samples one after the other.

    `optimize` runs the passes of `-O` first. `for_ncnn` is the oldest release of ncnn that must run
    the result; `shapes` are the shapes of inputs that the model does not declare. `classes` is the
    right class of each sample. `devices` are the addresses of devices that measure for
    `keep_slower` and `latency`. `jobs` is the number of processes, by default one for each CPU.
    `custom_layers` maps types of custom layers to Python classes (`ncnn.Layer`), or to
    `"module:Class"`.

    Return the result: `table` (the scales), `layers` (the decision about each layer), `steps` (the
    error of each method) and, with `measure`, `classes` or `latency`, `evaluation`. With changed
    weights (`gptq`, `equalize`, `correct_bias`) the table fits the new model only.

    Raises `NcnnOptError`; the model is then what it was.
    """
    options = {name: value for name, value in locals().items() if name in Recipe.__annotations__}
    with reporting(model.path):
        options["custom_layers"] = located(custom_layers)
        result = _quantized(model, samples, Recipe(**options), optimize, for_ncnn, shapes)
    model.module = result.module
    model.remarks += [record.remark for record in result.layers]
    return result


def _quantized(
    model: Model,
    samples: "Data",
    recipe: Recipe,
    optimize: bool,
    for_ncnn: str | None,
    shapes: Shapes | None,
) -> "Quantization":
    """Return the int8 copy of a model. Raises one of `USER_ERRORS`."""
    from ncnn_opt.analysis.required_release import requirement_of
    from ncnn_opt.dialects.ncnn.lookup import model_of
    from ncnn_opt.driver.api_pipelines import optimize_for_int8, shapes_in_ir
    from ncnn_opt.driver.int8_files import prepare
    from ncnn_opt.driver.releases import check_requirement
    from ncnn_opt.quantization.quantize import quantize
    from ncnn_opt.quantization.step_records import Warner
    from ncnn_opt.samples.reader import samples_in

    changed = model.module.clone()
    wanted = prepare(changed, model.path, for_ncnn, shapes_in_ir(shapes))
    if optimize:
        optimize_for_int8(changed, wanted, model.path)
    warner = Warner()
    arrays = samples_in(model_of(changed), sampled_arrays(samples), warner.on_warning)
    result = quantize(changed, arrays, recipe, path=model.path, observer=warner)
    check_requirement(requirement_of(result.module), model.path, wanted)
    return result


@validate_arguments
def check(model: Model) -> str:
    """Load and run a model in the ncnn runtime, as `save` would write it, on random inputs. Return
    a description of the outputs. Warn of infinities and NaNs in weights and outputs. Raises
    `NcnnOptError` with the reason if the model does not run."""
    from ncnn_opt.runtime.trial_run import check_model

    with reporting(model.path):
        return check_model(model.module, model.path)


@validate_arguments
def save(model: Model, path: File, weights: File | None = None) -> None:
    """Write a `.param`, `.param.bin` or `.mlir`, and its `.bin` to `weights` (by default the file
    beside it). With `"none"`, write only the `.param` or `.param.bin`.

    Both files appear together or not at all. Weights that another `.mlir` refers to are not
    replaced: a `.param` is refused then, and the weights of an `.mlir` go to `NAME.mlir.bin`. The
    model stays usable, even if its original files are replaced.

    Raises `NcnnOptError`.
    """
    from ncnn_opt.driver.model_files import write_model
    from ncnn_opt.driver.weight_rebinding import read_short_weights, rebind_weights
    from ncnn_opt.targets import Output, target_for
    from ncnn_opt.targets.atomic_files import check_writable
    from ncnn_opt.targets.output_checks import Origin

    path = os.fspath(path)
    given = None if weights is None else os.fspath(weights)
    with reporting(model.path):
        check_writable(path, *([] if given in (None, "none") else [given]))
        if target_for(path).kind == "mlir":
            read_short_weights(model.module)
        written = model.module.clone()
        origin = model.origin or Origin(model.path)
        if given == "none":
            write_model(written, Output(path, origin=origin, graph_only=True))
            return
        write_model(written, Output(path, given, origin))
        rebind_weights(model.module, written, path, given)
