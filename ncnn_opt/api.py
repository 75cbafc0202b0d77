"""The Python API: `load`, `optimize`, `save`. What it does is done by the same code as the command
line's; this file imports it only when it is called, so that `import ncnn_opt` costs nothing."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .compiled import CompiledModel, compile_model
from .compiled import load_compiled as load_compiled
from .values import Blob, Layer, NcnnOptError, Shapes, reporting

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass

    from ncnn_opt.driver.running import Array, Given
    from ncnn_opt.formats.scale_table import ScaleTable
    from ncnn_opt.quantization.in_memory import Data
    from ncnn_opt.report.model import ModelFacts
    from ncnn_opt.runtime.agreement import Agreement
    from ncnn_opt.targets.overwriting import Origin
    from ncnn_opt.transforms.remarks import Remark

    Pass = str | ModulePass | type[ModulePass]
    Passes = Pass | Sequence[Pass] | None


@dataclass
class Model:
    """A model in memory. Weights stay in their file until somebody needs them: do not change or
    remove it while the model is in use."""

    path: str
    """The file it was loaded from."""
    module: "ModuleOp"
    """The IR, for those who know xDSL. It must stay one function of `ncnn` operations."""
    warnings: list[str] = field(default_factory=list[str])
    """What the file says otherwise than the runtime reads it."""
    remarks: "list[Remark]" = field(default_factory=list["Remark"])
    """What all calls of `optimize` did, one remark a rewrite."""
    origin: "Origin | None" = None
    """The files that it was in."""

    @property
    def layers(self) -> list[Layer]:
        """The layers in the order of the file that `save` would write, Input and Split included.
        Raises `NcnnOptError` if the IR is no model."""
        from ncnn_opt.driver.listing import params_of
        from ncnn_opt.targets.param.export import export_module

        with reporting(self.path):
            records = export_module(self.module).graph.layers
            return [Layer(r.type, r.name, r.bottoms, r.tops, params_of(r)) for r in records]

    @property
    def missing(self) -> list[str]:
        """A line for each type of layer that the runtime does not have, with what would help. A
        model with one does not load."""
        from ncnn_opt.driver.missing import describe_missing, missing_layers

        return describe_missing(missing_layers(self.module))

    @property
    def ncnn_release(self) -> str:
        """The oldest release of ncnn that runs the model, of those from 20240102 on."""
        from ncnn_opt.transforms.analysis.releases import oldest_release

        return oldest_release(self.module)

    @property
    def inputs(self) -> list[Blob]:
        """The inputs. Raises `NcnnOptError` if the IR is no model."""
        from ncnn_opt.driver.listing import list_inputs

        with reporting(self.path):
            return [Blob(name, shape) for name, shape in list_inputs(self.module)]

    @property
    def outputs(self) -> list[Blob]:
        """The outputs. Raises `NcnnOptError` if the IR is no model."""
        from ncnn_opt.driver.listing import list_outputs

        with reporting(self.path):
            return [Blob(name, shape) for name, shape in list_outputs(self.module)]

    def report(self, shapes: Shapes | None = None) -> dict[str, Any]:
        """What the model costs, layer by layer and in all: operations, parameters, bytes of weights
        and blobs; with inputs of these shapes, if they are given. The structure is that of
        `ncnn-report --json` (docs/report.md). Raises `NcnnOptError` if the IR is no model."""
        from ncnn_opt.report.structured import model_json

        with reporting(self.path):
            return model_json(self._facts(shapes))

    def save_report(
        self,
        path: str | os.PathLike[str],
        other: "Model | None" = None,
        shapes: Shapes | None = None,
    ) -> None:
        """Writes what the model costs, or with another one what became of each layer there: a page
        (`.html`), JSON (`.json`) or text, by the name of the file. Raises `NcnnOptError`."""
        from ncnn_opt.report.comparison import compare
        from ncnn_opt.report.saving import is_page, save_report

        path = os.fspath(path)
        with reporting(self.path):
            facts = self._facts(shapes, is_page(path))
            both = None if other is None else compare(facts, other._facts(shapes, is_page(path)))
            save_report(path, both or facts)

    def _facts(self, shapes: Shapes | None = None, look: bool = False) -> "ModelFacts":
        from ncnn_opt.driver.calls import shapes_in_ir
        from ncnn_opt.report.saving import facts_of

        return facts_of(self.module, self.path, self.warnings, shapes_in_ir(shapes), look)

    def run(
        self,
        inputs: "Given" = None,
        blobs: Sequence[str] | None = None,
        engine: str = "numpy",
        seed: int = 0,
    ) -> "dict[str, Array]":
        """What the model computes: its outputs, or these blobs, by name. `inputs` are arrays by
        name (`c, h, w`), one array for the only input, or none: random ones of a seed. `engine` is
        `"numpy"` (the reference semantics), `"ncnn"` (the runtime) or `"iree"` (native code, which
        `compile` makes once for many runs). Raises `NcnnOptError`."""
        from ncnn_opt.driver.running import run_model

        with reporting(self.path):
            return run_model(self.module, inputs, blobs, engine, seed)

    def verify(
        self,
        other: "Model",
        inputs: "Given" = None,
        samples: int = 1,
        seed: int = 0,
        tolerance: float = 1e-4,
        engine: str | None = None,
    ) -> "Agreement":
        """Whether another model has the same outputs: of these inputs, or of so many random ones,
        in the ncnn runtime where it is installed, else in NumPy. The result is true if they agree
        within the tolerance; it has `error`, `worst`, `rows`, and prints as a table. Raises
        `NcnnOptError` where a model does not run, or has other inputs or outputs."""
        from ncnn_opt.driver.running import verify_model

        with reporting(self.path):
            return verify_model(
                self.module,
                other.module,
                other.path,
                inputs,
                samples=samples,
                seed=seed,
                tolerance=tolerance,
                engine=engine,
            )

    def calibrate(
        self, data: "Data", method: str = "kl", weight_method: str = "minmax", jobs: int = 1
    ) -> "ScaleTable":
        """The scales for int8, of samples that run through the model in the ncnn runtime: an array
        whose outermost axis counts them, a mapping with such an array for each input, or samples
        one after the other. The methods are those of `ncnn-quantize` (docs/quantize.md). Raises
        `NcnnOptError`."""
        from ncnn_opt.quantization.in_memory import table_of

        with reporting(self.path):
            return table_of(self.module, data, method, weight_method, jobs)

    def quantize(
        self, table: "ScaleTable | str | os.PathLike[str]", keep: Sequence[str] = ()
    ) -> "list[Remark]":
        """Makes layers int8, with the scales of a table, or of a file, but those to keep in float.
        Returns what it did, one remark a layer. Raises `NcnnOptError`; the model is then what it
        was."""
        from ncnn_opt.formats.scale_table import ScaleTable
        from ncnn_opt.quantization.in_memory import make_int8
        from ncnn_opt.transforms.remarks import listening

        remarks: list[Remark] = []
        changed = self.module.clone()
        with reporting(self.path), listening(remarks.append):
            given = table if isinstance(table, ScaleTable) else os.fspath(table)
            make_int8(changed, given, keep)
        self.module = changed
        self.remarks += remarks
        return remarks

    def compile(
        self,
        target: str = "cpu",
        target_cpu: str | None = None,
        input_shapes: Shapes | None = None,
        optimize: bool = True,
    ) -> CompiledModel:
        """Native code of the model, which stays what it is: `compiled(x)` gives the outputs by
        name. The arguments are options of `ncnn-compile`. Raises `NcnnOptError`."""
        return compile_model(self, target, target_cpu, input_shapes, optimize)

    def __str__(self) -> str:
        """The IR, weights of more than 16 values left out."""
        from ncnn_opt.targets.mlir.printing import print_module
        from ncnn_opt.targets.options import MlirOptions, WeightStyle

        with reporting(self.path):
            return print_module(self.module.clone(), MlirOptions(WeightStyle.ELIDE))

    def __repr__(self) -> str:
        """One line, whatever the module is."""
        try:
            sizes = [", ".join(map(str, blobs)) for blobs in (self.inputs, self.outputs)]
            words = f": {len(self.layers)} layers, {sizes[0]} -> {sizes[1]}"
        except NcnnOptError:
            words = ""
        return f"<ncnn_opt.Model '{self.path}'{words}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from ncnn_opt.report.saving import short_html

        with reporting(self.path):
            return short_html(self._facts())


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
    from ncnn_opt.driver.calls import shapes_in_ir
    from ncnn_opt.driver.companions import read_repaired
    from ncnn_opt.frontends import ReadOptions
    from ncnn_opt.transforms.finding import model_of
    from ncnn_opt.transforms.remarks import listening
    from ncnn_opt.transforms.shapes import set_input_shapes

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


def optimize(
    model: Model,
    passes: "Passes" = None,
    tune: str | None = None,
    keep_precision: bool = False,
    fix_shapes: Shapes | None = None,
    max_shape: Shapes | None = None,
    shapes: Shapes | None = None,
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

    What passes make of float16 weights is float16 again in the end, rounded once; with
    `keep_precision` it stays float32 where float16 would round it, as with `--keep-precision`.

    `fix_shapes` are the shapes that inputs always have, by name (`{"data": (3, 224, 224)}`, `None`
    for an extent that may be any): the model is for no others, and passes may rely on them.
    `max_shape` are such as inputs never exceed. Both go for later calls, too. With `fix_shapes`
    alone, layers get shape hints in the end, as with `--fix-shapes`.

    Raises `NcnnOptError`; the model is then what it was.
    """
    from ncnn_opt.driver.calls import pipeline_for
    from ncnn_opt.driver.pipelines import known_release, run_pipeline
    from ncnn_opt.driver.releases import watching_releases
    from ncnn_opt.frontends.mlir.parsing import verify_ir
    from ncnn_opt.transforms.remarks import listening

    remarks: list[Remark] = []
    changed = model.module.clone()
    with reporting(model.path), listening(remarks.append):
        verify_ir(changed, model.path)
        pipeline = pipeline_for(
            changed,
            passes,
            tune=tune,
            for_ncnn=for_ncnn,
            keep_precision=keep_precision,
            fix_shapes=fix_shapes,
            max_shape=max_shape,
            shapes=shapes,
        )
        wanted = None if for_ncnn is None else known_release(for_ncnn)
        with watching_releases(changed, model.path, wanted):
            run_pipeline(changed, pipeline, model.path)
    model.module = changed
    model.remarks += remarks
    return remarks


def make_dynamic(
    model: Model, axes: Mapping[str, str], like: Model | None = None
) -> "list[Remark]":
    """Makes a model of one size one of any: `axes` are those of each input whose extents are to be
    any, as `--dynamic` takes them (`{"in0": "32*h,32*w"}`); `like` is an export of it at another
    size. Returns what was changed, one remark a layer.

    Raises `NcnnOptError` that names what cannot follow; the model is then what it was.
    """
    from ncnn_opt.driver.companions import as_like, put_beside
    from ncnn_opt.driver.pipelines import quoted
    from ncnn_opt.transforms.finding import model_of

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


def check(model: Model) -> str:
    """Loads and runs a model in the ncnn runtime, as `save` would write it, on random inputs.
    Returns what it gives, in words. Raises `NcnnOptError` with the reason if it does not run."""
    from ncnn_opt.runtime.checking import check_model

    with reporting(model.path):
        return check_model(model.module, model.path)


def save(
    model: Model, path: str | os.PathLike[str], weights: str | os.PathLike[str] | None = None
) -> None:
    """Writes a `.param`, `.param.bin` or `.mlir` and, as `weights`, its `.bin` (by default the one
    beside it).

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
        write_model(written, Output(path, given, model.origin or Origin(model.path)))
        follow_weights(model.module, written, path, given)
