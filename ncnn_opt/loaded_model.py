"""A model in memory: its layers, its costs, and running it."""

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from ncnn_opt.quantization.recipe import FloatStorage, TableMethod, WeightMethod

from .arguments import (
    TEXT,
    Arrays,
    Expected,
    File,
    Layers,
    Names,
    Positive,
    Samples,
    Seed,
    Shapes,
    Table,
    Tolerance,
    located,
    named_arrays,
    sampled_arrays,
    validate_arguments,
)
from .compiled import CompiledModel, compile_model
from .reports import Measurements, Report, report_of
from .signatures import renamed
from .values import Blob, Engine, Layer, NcnnOptError, Target, in_python, reporting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike
    from xdsl.dialects.builtin import ModuleOp

    from ncnn_opt.driver.run_model import Array
    from ncnn_opt.formats.scale_table import ScaleTable
    from ncnn_opt.report.model import ModelFacts
    from ncnn_opt.runtime.agreement import Agreement
    from ncnn_opt.targets.output_checks import Origin
    from ncnn_opt.transforms.rewriting.remarks import Remark

    from .api import Passes
    from .values import OptimizeOptions


def _is_model(value: object) -> bool:
    return isinstance(value, Model)


Other = Annotated["Model", Expected("a Model", _is_model)]
EngineName = Annotated[Engine, TEXT]
"""An engine. The library reports an unknown one."""


@dataclass
class Model:
    """A model in memory. Weights stay in their file until they are used: do not change or remove
    this file while the model is in use."""

    path: str
    """The file of the model."""
    module: "ModuleOp"
    """The xDSL IR. It must remain one function of `ncnn` operations."""
    warnings: list[str] = field(default_factory=list[str])
    """Messages of reading, for example about values that the runtime reads differently."""
    remarks: "list[Remark]" = field(default_factory=list["Remark"])
    """The remarks of all calls of `optimize`, one per rewrite."""
    origin: "Origin | None" = None
    """The graph and weight files."""

    @property
    def layers(self) -> list[Layer]:
        """The layers in the order of the file that `save` would write, with Input and Split. Raises
        `NcnnOptError` if the IR is not a model."""
        from .layers import layers_of

        return layers_of(self.module, self.path)

    def copy(self) -> "Model":
        """Return a copy: changes of one model leave the other as it is. Weights that are in a file
        stay there, for both."""
        lists = list(self.warnings), list(self.remarks)
        return Model(self.path, self.module.clone(), *lists, self.origin)

    @validate_arguments
    def layer(self, name: str) -> Layer:
        """Return the layer with this name. Raises `NcnnOptError` with the nearest name if there is
        none, and if several layers have it."""
        from ncnn_opt.dialects.xdsl_extras.spelling import nearest

        layers = self.layers
        found = [each for each in layers if each.name == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise NcnnOptError(f"{self.path}: {len(found)} layers are named '{name}'; see `layers`")
        hint = nearest(name, [each.name for each in layers])
        raise NcnnOptError(f"{self.path}: there is no layer '{name}'{hint}")

    @property
    def missing(self) -> list[str]:
        """A line for each layer type that the runtime lacks, with a remedy. The runtime does not
        load a model with such a layer."""
        from ncnn_opt.driver.unsupported_layers import describe_missing, missing_layers

        return describe_missing(missing_layers(self.module))

    @property
    def ncnn_release(self) -> str:
        """The oldest release of ncnn, from 20240102 on, that runs the model."""
        from ncnn_opt.analysis.required_release import oldest_release

        return oldest_release(self.module)

    @property
    def inputs(self) -> list[Blob]:
        """The inputs. Raises `NcnnOptError` if the IR is not a model."""
        from ncnn_opt.driver.model_contents import list_inputs

        with reporting(self.path):
            return [Blob(name, shape) for name, shape in list_inputs(self.module)]

    @property
    def outputs(self) -> list[Blob]:
        """The outputs. Raises `NcnnOptError` if the IR is not a model."""
        from ncnn_opt.driver.model_contents import list_outputs

        with reporting(self.path):
            return [Blob(name, shape) for name, shape in list_outputs(self.module)]

    @validate_arguments
    def report(
        self,
        shapes: Shapes | None = None,
        data: Samples | None = None,
        evaluation: Measurements | None = None,
        repeat: Positive | None = None,
    ) -> Report:
        """Return the costs of each layer and of the model: operations, parameters, bytes of weights
        and blobs. The result is a dictionary with the structure of `ncnn-report --print-json`
        (docs/report.md), with a method `plot`. `shapes` are input shapes. `data` are samples as in
        `quantize`: the report has the range of each layer's outputs, and inputs without a shape in
        `shapes` have that of the first sample, also where the model declares another. `evaluation`
        is that of `quantize(…, measure=True)`, or a file of `ncnn-quantize --json`: the report has
        the noise of int8, and times if they were measured. `repeat` is the number of runs in the
        ncnn runtime that time the layers. Raises `NcnnOptError` if the IR is no model, for
        measurements of another model, and if the model does not run."""
        return report_of(self, shapes, data, evaluation, repeat)

    @validate_arguments
    def save_report(
        self, path: File, other: Other | None = None, shapes: Shapes | None = None
    ) -> None:
        """Write the costs of the model, or a comparison with another model, as a page (`.html`),
        JSON (`.json`) or text, by the name of the file. Raises `NcnnOptError`."""
        from ncnn_opt.report.model_comparison import compare
        from ncnn_opt.report.report_files import is_page, save_report

        path = os.fspath(path)
        with reporting(self.path):
            facts = self._facts(shapes, is_page(path))
            both = None if other is None else compare(facts, other._facts(shapes, is_page(path)))
            save_report(path, both or facts)

    def _facts(self, shapes: Shapes | None = None, look: bool = False) -> "ModelFacts":
        from ncnn_opt.driver.api_pipelines import shapes_in_ir
        from ncnn_opt.report.report_files import facts_of

        return facts_of(self.module, self.path, self.warnings, shapes_in_ir(shapes), look)

    @validate_arguments
    def run(
        self,
        inputs: Arrays | None = None,
        blobs: Names | None = None,
        engine: EngineName = "numpy",
        seed: Seed = 0,
    ) -> "dict[str, Array]":
        """Run the model. Return its outputs, or these blobs, by name. `inputs` are arrays by name
        (`c, h, w`), one array for the only input, or `None` for random values. `engine` is
        `"numpy"` (the reference semantics), `"ncnn"` (the runtime) or `"iree"` (native code; for
        many runs, use `compile`). Raises `NcnnOptError`."""
        from ncnn_opt.driver.run_model import run_model

        with reporting(self.path):
            return run_model(self.module, named_arrays(inputs), blobs, engine, seed)

    @validate_arguments
    def verify(
        self,
        other: Other,
        inputs: Arrays | None = None,
        samples: Positive = 1,
        seed: Seed = 0,
        tolerance: Tolerance = 1e-4,
        engine: EngineName | None = None,
    ) -> "Agreement":
        """Compare the outputs of the model with another model's, for these inputs or for `samples`
        random inputs. The default engine is the ncnn runtime if it is installed, else NumPy. The
        result is true if all outputs agree within the tolerance; it has `error`, `worst` and
        `rows`, and prints as a table. Raises `NcnnOptError` if a model does not run, or if inputs
        or outputs differ."""
        how = {"seed": seed, "tolerance": tolerance, "engine": engine}
        return self._compared(other, inputs, samples=samples, **how)

    @validate_arguments
    def compare(
        self,
        other: Other,
        inputs: Arrays | None = None,
        seed: Seed = 0,
        tolerance: Tolerance = 1e-4,
        engine: EngineName | None = None,
    ) -> "Agreement":
        """Compare all blobs that both models have, for these inputs or random ones, as
        `ncnn-run --compare` does. The result is as that of `verify`; `first` is the first blob that
        differs. Raises `NcnnOptError` if a model does not run, or if inputs or outputs differ."""
        how = {"seed": seed, "tolerance": tolerance, "engine": engine}
        return self._compared(other, inputs, all_blobs=True, **how)

    def _compared(self, other: "Model", inputs: Any, **how: Any) -> "Agreement":
        from ncnn_opt.driver.run_model import verify_model

        with reporting(self.path):
            given = named_arrays(inputs)
            found = verify_model(self.module, other.module, other.path, given, **how)
        return replace(found, inputs=in_python(found.inputs))

    def optimize(
        self, passes: "Passes" = None, **options: "Unpack[OptimizeOptions]"
    ) -> "list[Remark]":
        """Run passes on the model; see `ncnn_opt.optimize`."""
        from .api import optimize

        return optimize(self, passes, **options)

    def rename(self, names: "Mapping[str, str]") -> None:
        """Rename inputs, outputs, blobs and layers, all names at once: `{"in0": "data"}`. A layer
        and a blob of one name are both renamed, with `"layer:NAME"` or `"blob:NAME"` only one.
        Raises `NcnnOptError`; the model is then unchanged."""
        from .editing import rename

        rename(self, names)

    def reorder(self, inputs: "Sequence[str]" = (), outputs: "Sequence[str]" = ()) -> None:
        """Give all inputs, or all outputs, an order. `"a+b"` is one Input layer with two blobs.
        Raises `NcnnOptError`; the model is then unchanged."""
        from .editing import reorder

        reorder(self, inputs, outputs)

    def insert(self, lines: "Sequence[str]") -> None:
        """Insert layers that are given as lines of a `.param`, as `--insert` does. Raises
        `NcnnOptError`; the model is then unchanged."""
        from .editing import insert

        insert(self, lines)

    def interpolate(self, other: "Model", fraction: float) -> None:
        """Give the weights values between those of this model and of another one with the same
        layers, of which they get this fraction, from 0 to 1. Raises `NcnnOptError`; the model is
        then unchanged."""
        from .editing import interpolate

        interpolate(self, other, fraction)

    def expand_custom(self, layers: "Mapping[str, Model]") -> None:
        """Replace the custom layers of some types by the layers of equivalent models, whose inputs
        and outputs are those of the layers. Raises `NcnnOptError`; the model is then unchanged."""
        from .editing import expand_custom

        expand_custom(self, layers)

    def set_weight(self, layer: str, weight: str, values: "ArrayLike") -> None:
        """Replace a weight of a layer by values of the same shape:
        `model.set_weight("conv1", "weight", 2 * model.layer("conv1").weights["weight"])`. They are
        stored in the type of the old ones. Raises `NcnnOptError`; the model is then unchanged."""
        from .editing import set_weight

        set_weight(self, layer, weight, values)

    def declare_shapes(self, functions: "Mapping[str, str]") -> None:
        """Declare the shape functions of custom layers by type, as `--custom-shape`:
        `{"MyLayer": "*(0w,2),*(0h,2),0c"}`. Raises `NcnnOptError`; the model is then unchanged."""
        from .editing import declare_shapes

        declare_shapes(self, functions)

    def split(
        self, at: "Sequence[str]" = (), size: int | None = None, parts: int | None = None
    ) -> "list[Model]":
        """Return the parts of the model; see `ncnn_opt.editing.split`."""
        from .editing import split

        return split(self, at, size, parts)

    @validate_arguments
    def save(self, path: File, weights: File | None = None) -> None:
        """Write the model; see `ncnn_opt.save`."""
        from .api import save

        save(self, path, weights)

    @validate_arguments
    def calibrate(
        self,
        data: Samples,
        method: Annotated[TableMethod, TEXT] = "mse",
        weight_method: Annotated[WeightMethod, TEXT] = "minmax",
        jobs: Positive = 1,
        custom_layers: Layers | None = None,
    ) -> "ScaleTable":
        """Return the scales for int8, calibrated on samples in the ncnn runtime: an array whose
        outermost axis counts samples, a mapping of inputs to such arrays, or samples one after the
        other. `method` and `weight_method` are options of `ncnn-quantize` (docs/quantize.md);
        `custom_layers` are as in `ncnn_opt.quantize`.
        Raises `NcnnOptError`."""
        from ncnn_opt.quantization.collection import calibrated_table

        with reporting(self.path):
            samples = sampled_arrays(data)
            how = method, weight_method, jobs, located(custom_layers)
            return calibrated_table(self.module, samples, *how)

    @validate_arguments
    def quantize(
        self,
        table: Table,
        keep: Names = (),
        static_only: bool = False,
        storage: FloatStorage | None = None,
    ) -> "list[Remark]":
        """Make layers int8 with the scales of a table, or of a file, except those in `keep`, as
        `ncnn-quantize apply` does. Layers that quantize their input at run time need no scale; with
        `static_only` they stay float. `storage` is the type of weights that stay float. Return one
        remark for each layer. Raises `NcnnOptError`; the model is then what it was."""
        from ncnn_opt.formats.scale_table import ScaleTable, read_scale_table
        from ncnn_opt.quantization.int8_models import make_int8, store_floats

        changed, path = self.module.clone(), "the table"
        with reporting(self.path):
            if not isinstance(table, ScaleTable):
                path = os.fspath(table)
                with open(path, "rb") as f:
                    table = read_scale_table(f.read(), path)
            records = make_int8(changed, table, keep, path, static_only)
            records += store_floats(changed, storage)
        remarks = [record.remark for record in records]
        self.module = changed
        self.remarks += remarks
        return remarks

    @renamed(
        target="target_device",
        tune="autotune",
        tune_seconds="autotune_seconds",
        tune_cache="autotune_cache",
    )
    @validate_arguments
    def compile(
        self,
        target_device: Annotated[Target, TEXT] = "cpu",
        target_cpu: str | None = None,
        input_shapes: Shapes | None = None,
        optimize: bool = True,
        autotune: bool = False,
        autotune_seconds: Seed | None = None,
        autotune_cache: File | None = None,
    ) -> CompiledModel:
        """Compile a copy of the model to native code: `compiled(x)` returns the outputs by name.
        The arguments are options of `ncnn-compile`. Raises `NcnnOptError`."""
        tuning = (autotune_seconds, autotune_cache)
        if not autotune and tuning != (None, None):
            raise NcnnOptError("compile: autotune_seconds and autotune_cache are for autotune=True")
        with reporting(self.path):
            return compile_model(
                self.module.clone(),
                self.path,
                (target_device, target_cpu),
                input_shapes,
                optimize,
                tuning if autotune else None,
            )

    def __str__(self) -> str:
        """Return the IR, without weights of more than 16 values."""
        from ncnn_opt.targets.mlir.ir_printer import print_module
        from ncnn_opt.targets.options import MlirOptions, WeightStyle

        with reporting(self.path):
            return print_module(self.module, MlirOptions(WeightStyle.ELIDE))

    def __repr__(self) -> str:
        """Return one line, for any module."""
        try:
            sizes = [", ".join(map(str, blobs)) for blobs in (self.inputs, self.outputs)]
            words = f": {len(self.layers)} layers, {sizes[0]} -> {sizes[1]}"
        except NcnnOptError:
            words = ""
        return f"<ncnn_opt.Model '{self.path}'{words}>"

    def _repr_html_(self) -> str:
        """Return the HTML for a notebook."""
        from ncnn_opt.report.report_files import short_html

        with reporting(self.path):
            return short_html(self._facts())
