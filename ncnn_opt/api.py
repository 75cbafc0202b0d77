"""The Python API: `load`, `optimize`, `save`. What it does is done by the same code as the command
line's; this file imports it only when it is called, so that `import ncnn_opt` costs nothing."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .arguments import (
    AXES,
    CLASSES,
    FLAG,
    NAMES,
    NUMBER,
    PATH,
    POSITIVE,
    SAMPLES,
    SHAPES,
    SIZES,
    TEXT,
    TOLERANCE,
    checked,
    one_of,
    optional,
    sampled_arrays,
)
from .compiled import CompiledModel as CompiledModel
from .compiled import load_compiled as load_compiled
from .loaded_model import MODEL, Model
from .values import Blob as Blob
from .values import Layer as Layer
from .values import NcnnOptError as NcnnOptError
from .values import Shapes, reporting

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

    from ncnn_opt.quantization.in_memory import Data
    from ncnn_opt.quantization.quantize import Quantization
    from ncnn_opt.quantization.recipe import Method, Storage, WeightMethod
    from ncnn_opt.transforms.rewriting.remarks import Remark

    Pass = str | ModulePass | type[ModulePass]
    Passes = Pass | Sequence[Pass] | None


@checked(
    path=PATH,
    weights=optional(PATH),
    custom_weights=optional(SIZES),
    allow_trailing_weights=FLAG,
    pnnx=optional(PATH),
    shapes=optional(SHAPES),
)
def load(
    path: str | os.PathLike[str],
    weights: str | os.PathLike[str] | None = None,
    custom_weights: Mapping[str, Sequence[int]] | None = None,
    allow_trailing_weights: bool = False,
    pnnx: str | os.PathLike[str] | None = None,
    shapes: Shapes | None = None,
) -> Model:
    """Reads a `.param`, `.param.bin` or `.mlir`.

    `weights` is the `.bin` of a `.param`, by default the one beside it; `"none"` reads the
    structure only, `"random"` or `"random:SEED"` makes weights up. `custom_weights` has the number
    of floats of each weight of a layer type that ncnn does not have: `{"MyLayer": [64, 64]}`.
    `allow_trailing_weights` ignores bytes left over at the end of the `.bin`. `pnnx` is the
    `.pnnx.param` of the model: layers that ncnn does not have are made of what it says, as
    `ncnn-opt --pnnx` does. `shapes` are those of inputs where the file does not say them, or others
    than it says, as `--input-shape` has them: `{"data": (3, 224, 224)}`.

    Raises `NcnnOptError`.
    """
    from ncnn_opt.analysis.shape_inference import set_input_shapes
    from ncnn_opt.dialects.ncnn.lookup import model_of
    from ncnn_opt.driver.calls import shapes_in_ir
    from ncnn_opt.driver.companions import read_repaired
    from ncnn_opt.frontends import ReadOptions
    from ncnn_opt.transforms.rewriting.remarks import listening

    path = os.fspath(path)
    given = None if weights is None else os.fspath(weights)
    options = ReadOptions(given, allow_trailing_weights, dict(custom_weights or {}))
    with reporting(path):
        beside, remarks = None if pnnx is None else os.fspath(pnnx), list["Remark"]()
        with listening(remarks.append):
            source = read_repaired(path, options, beside)
        model = Model(path, source.module, source.warnings, remarks, source.origin)
        if shapes:
            set_input_shapes(model_of(model.module), shapes_in_ir(shapes))
        return model


@checked(
    model=MODEL,
    tune=optional(TEXT),
    keep_precision=FLAG,
    fix_shapes=optional(SHAPES),
    max_shape=optional(SHAPES),
    shapes=optional(SHAPES),
    round_weights=FLAG,
    for_ncnn=optional(TEXT),
)
def optimize(
    model: Model,
    passes: "Passes" = None,
    tune: str | None = None,
    keep_precision: bool = False,
    fix_shapes: Shapes | None = None,
    max_shape: Shapes | None = None,
    shapes: Shapes | None = None,
    round_weights: bool = False,
    for_ncnn: str | None = None,
) -> "list[Remark]":
    """Changes a model by passes, in order; without any by those of `ncnn-opt -O`. Returns what they
    did, one remark a rewrite; `str(remark)` is a line as of `--remarks`.

    A pass is its name, with options as `'convert-storage{storage=fp16}'`; names of layers and blobs
    in options go in quotes unless they are plain words: `'cut-model{from="a/b" to="c/d"}'`. Or it
    is an xDSL `ModulePass`, ours or your own.

    `shapes` are those of inputs, as of `--input-shape`: what follows is known to the passes, and
    stands as shape hints in the file.

    `tune` is the family of processors that the model is for, as of `--tune`: `"x86"`, `"arm"` or
    `"none"`. It goes for later calls, too, until there is another one.

    `for_ncnn` is the oldest release of ncnn that must run the result, as of `--for-ncnn`:
    `"20240820"` or `"latest"`. It goes for later calls, too. Without it, the passes of `-O` make
    nothing that the oldest release which runs the model lacks.

    Weights that passes make of float16 weights are float16 where float16 holds all values exactly,
    and float32 else. Without `passes`, the weights become at most 1 % larger in all: a rewrite that
    would exceed this is not done. With `round_weights` these weights are rounded to float16 again,
    as with `--round-weights`: more rewrites, but the outputs change. `keep_precision` is a former
    name of the default and does nothing.

    `fix_shapes` are the shapes that inputs always have, by name (`{"data": (3, 224, 224)}`, `None`
    for an extent that may be any): the model is for no others, and passes may rely on them.
    `max_shape` are such as inputs never exceed. Both go for later calls, too. With `fix_shapes`
    alone, layers get shape hints in the end, as with `--fix-shapes`.

    Raises `NcnnOptError`; the model is then what it was.
    """
    if keep_precision and round_weights:
        raise NcnnOptError("keep_precision and round_weights exclude each other")
    from ncnn_opt.driver.calls import pipeline_for
    from ncnn_opt.driver.pipelines import known_release, run_pipeline
    from ncnn_opt.driver.releases import watching_releases
    from ncnn_opt.frontends.mlir.parsing import verify_ir
    from ncnn_opt.transforms.rewriting.remarks import listening

    remarks: list[Remark] = []
    changed = model.module.clone()
    with reporting(model.path), listening(remarks.append):
        verify_ir(changed, model.path)
        pipeline = pipeline_for(
            changed,
            passes,
            tune=tune,
            for_ncnn=for_ncnn,
            fix_shapes=fix_shapes,
            max_shape=max_shape,
            shapes=shapes,
            round_weights=round_weights,
        )
        wanted = None if for_ncnn is None else known_release(for_ncnn)
        with watching_releases(changed, model.path, wanted):
            run_pipeline(changed, pipeline, model.path)
    model.module = changed
    model.remarks += remarks
    return remarks


@checked(model=MODEL, axes=AXES, like=optional(MODEL))
def make_dynamic(
    model: Model, axes: Mapping[str, str], like: Model | None = None
) -> "list[Remark]":
    """Makes a model of one size one of any: `axes` are those of each input whose extents are to be
    any, as `--dynamic` takes them (`{"in0": "32*h,32*w"}`); `like` is an export of it at another
    size. Returns what was changed, one remark a layer.

    Raises `NcnnOptError` that names what cannot follow; the model is then what it was.
    """
    from ncnn_opt.dialects.ncnn.lookup import model_of
    from ncnn_opt.driver.companions import as_like, put_beside
    from ncnn_opt.driver.pipelines import quoted

    named = [f"{name}:{axis}" for name, text in axes.items() for axis in text.split(",")]
    joined = Model(model.path, model.module.clone())
    with reporting(model.path):
        if like is not None:
            put_beside(joined.module, as_like(model_of(like.module.clone())))
    options = ",".join(map(quoted, named))
    steps = ["eliminate-split", "fold-constants", f"make-dynamic{{axes={options}}}"]
    remarks = optimize(joined, steps)
    model.module = joined.module
    model.remarks += remarks
    return remarks


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
    from ncnn_opt.analysis.required_release import requirement_of
    from ncnn_opt.analysis.shape_inference import set_input_shapes
    from ncnn_opt.dialects.ncnn.lookup import model_of
    from ncnn_opt.driver.calls import optimize_for_int8, shapes_in_ir
    from ncnn_opt.driver.pipelines import for_release, known_release, run_pipeline
    from ncnn_opt.driver.releases import check_requirement
    from ncnn_opt.quantization.in_memory import quantize_arrays
    from ncnn_opt.quantization.recipe import Recipe

    options = {name: value for name, value in locals().items() if name in Recipe.__annotations__}
    changed = model.module.clone()
    with reporting(model.path):
        recipe = Recipe(**options)
        wanted = None if for_ncnn is None else known_release(for_ncnn)
        run_pipeline(changed, for_release(wanted), model.path)
        if shapes:
            set_input_shapes(model_of(changed), shapes_in_ir(shapes))
        if optimize:
            optimize_for_int8(changed, wanted, model.path)
        result = quantize_arrays(changed, sampled_arrays(samples), recipe, model.path)
        check_requirement(requirement_of(result.module), model.path, wanted)
    model.module = result.module
    model.remarks += [record.remark for record in result.layers]
    return result


@checked(model=MODEL)
def check(model: Model) -> str:
    """Loads and runs a model in the ncnn runtime, as `save` would write it, on random inputs.
    Returns what it gives, in words. Warns of weights and outputs with infinities or NaNs. Raises
    `NcnnOptError` with the reason if it does not run."""
    from ncnn_opt.runtime.checking import check_model

    with reporting(model.path):
        return check_model(model.module, model.path)


@checked(model=MODEL, path=PATH, weights=optional(PATH))
def save(
    model: Model, path: str | os.PathLike[str], weights: str | os.PathLike[str] | None = None
) -> None:
    """Writes a `.param`, `.param.bin` or `.mlir` and, as `weights`, its `.bin` (by default the one
    beside it). With `"none"` a `.param` or `.param.bin` is written alone.

    Both files appear together or not at all. Weights that another `.mlir` refers to are not
    replaced: that of a `.param` is an error then, those of an `.mlir` go to `NAME.mlir.bin`. The
    model stays usable, also if the files that it was loaded from are replaced.

    Raises `NcnnOptError`.
    """
    from ncnn_opt.driver.files import write_model
    from ncnn_opt.driver.relocation import follow_weights, read_short_weights
    from ncnn_opt.targets import Output, target_for
    from ncnn_opt.targets.overwriting import Origin

    path = os.fspath(path)
    given = None if weights is None else os.fspath(weights)
    with reporting(model.path):
        if target_for(path).kind == "mlir":
            read_short_weights(model.module)
        written = model.module.clone()
        origin = model.origin or Origin(model.path)
        if given == "none":
            write_model(written, Output(path, origin=origin, graph_only=True))
            return
        write_model(written, Output(path, given, origin))
        follow_weights(model.module, written, path, given)
