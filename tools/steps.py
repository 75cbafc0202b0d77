"""Optimizing as ncnnoptimize tells it: `fuse_convolution_batchnorm conv1 bn1`."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.elementwise import DropoutOp
from ..dialects.ncnn.function import input_layer, input_name
from ..dialects.ncnn.innerproduct import InnerProductOp
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.structure import SplitOp
from ..driver.files import compile_model, read_model
from ..driver.missing import describe_missing, missing_layers, repairs_of
from ..driver.pipelines import run_pipeline
from ..driver.releases import watching_releases
from ..report.model import collect
from ..targets import Output, targets
from ..transforms.rewriting.remarks import Remark, listening
from ..transforms.storage.convert_storage import ConvertStorage
from .messages import say
from .progress import Progress
from .releases import tell_releases

if TYPE_CHECKING:
    from .ncnn_optimize_main import Request


class StepPrinter:
    """Prints a line on standard error for each remark about a model: the step, and the names of its
    layers in the order of the file, as ncnnoptimize does.

    - before a layer that is removed comes the one that made its blob;
    - a Split whose blob still has several readers is not told: export puts one again;
    - a MemoryData that nothing reads any more is told at the end (`finish`);
    - a Dropout that was right after an InnerProduct is told as folded, also if it scales by 1;
    - of storage only what is not as it was asked for is told.
    """

    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.layers = {op.label(): op for op in self._ops()}
        self.constants = self._constants()
        names = [self._input(i) for i in range(len(func.args))]
        names += [name_of(op) for op in self._ops()]
        self.places = {name: place for place, name in enumerate(names)}
        self.folded_dropouts = {op.label() for op in self._ops() if _follows_innerproduct(op)}
        self.told: set[str] = set()

    def __call__(self, remark: Remark) -> None:
        """Prints the line of a remark that is made right before its rewrite."""
        if _is_as_asked_for(remark):
            return
        layers = remark.as_dict()["layers"]
        names = [layer["name"] or layer["type"] for layer in layers]
        step = step_of(remark.rewrite, [layer["type"] for layer in layers])
        if step.startswith("eliminate_") and len(names) == 1:
            op = self._find(remark.layers[0])
            if isinstance(op, SplitOp) and sum(r.first_use is not None for r in op.results) > 1:
                return
            if op is not None and op.operands:
                names.append(self._producer(op.operands[0]))
            if remark.layers[0] in self.folded_dropouts:
                step = "fuse_innerproduct_dropout"
        names.sort(key=lambda name: self.places.get(name, inf))
        self.told.update(names)
        say_step(step, names, remark.note)

    def finish(self) -> None:
        """Tells which MemoryData layers have gone without a word."""
        left = {*self._constants(), *self.told}
        for name in self.constants:
            if name not in left:
                say_step("eliminate_orphaned_memorydata", [name])

    def _ops(self) -> Iterator[LayerOp]:
        return (op for op in self.func.body.block.ops if isinstance(op, LayerOp))

    def _constants(self) -> list[str]:
        ops = (op for op in self._ops() if isinstance(op, ConstantOp))
        return [op.layer_name.data for op in ops if op.layer_name is not None]

    def _find(self, label: str) -> LayerOp | None:
        """The layer that has this label now."""
        op = self.layers.get(label)
        if op is None or op.parent is None:  # a rewrite has made another one
            self.layers = {op.label(): op for op in self._ops()}
        return self.layers.get(label)

    def _producer(self, value: SSAValue) -> str:
        """The name of the layer that makes a blob."""
        if isinstance(value, BlockArgument):
            return self._input(value.index)
        op = value.owner
        return name_of(op) if isinstance(op, LayerOp) else value.name_hint or ""

    def _input(self, index: int) -> str:
        return input_layer(self.func, index) or input_name(self.func, index)


def optimize(request: "Request") -> None:
    """Reads, optimizes and writes a model. Raises one of `USER_ERRORS`."""
    source = read_model(request.in_param, request.reading)
    for message in source.warnings:
        say(f"warning: {message}")
    output = Output(request.out_param, request.out_bin, source.origin, progress=Progress)

    def run(module: ModuleOp) -> None:
        with watching_releases(module, source.path, request.release) as releases:
            run_pipeline(module, ",".join([*repairs_of(module), *request.preparation]), source.path)
            steps = StepPrinter(model_of(module))
            with listening(steps):
                run_pipeline(module, ",".join(request.optimization), source.path)
        steps.finish()
        print_estimate(module)
        for line in describe_missing(missing_layers(module)):
            say(line)
        tell_releases(releases)

    compile_model(source, output, run, target=targets()["param"])


def print_estimate(module: ModuleOp) -> None:
    """The memory and the multiplications that the model takes, if all shapes are known."""
    facts = collect(model_of(module), "")
    if facts.unknown_shapes():
        say("no estimates: some shapes are not known")
        return
    peak, macs = facts.peak.known, facts.macs.known
    kib = f"{peak / 1024:.2f} KB = {peak / 1024**2:.2f} MB"
    say(f"estimated memory footprint = {kib}")
    if macs:
        say(f"mac = {macs} = {macs / 1e6:.2f} M")


def step_of(rewrite: str, types: Sequence[str]) -> str:
    """The rewrite of a remark in ncnnoptimize's words, where the types of its layers stand for
    families: `fuse-conv-bn` of a Deconvolution is `fuse_deconvolution_batchnorm`."""
    words = rewrite.split("-")
    if words[0] == "fuse":
        full = {"conv": types[0].lower(), "bn": "batchnorm"}
        words = [full.get(word, word) for word in words]
        if "Dropout" in types[1:]:
            words[-1] = "dropout"
    return "_".join(words)


def name_of(op: LayerOp) -> str:
    """The name of a layer, or its type if it has none."""
    return op.LAYER_TYPE if op.layer_name is None else op.layer_name.data


def say_step(step: str, names: Sequence[str], note: str = "") -> None:
    """Prints a line."""
    words = [step, *names, *([f"({note})"] if note else [])]
    say(" ".join(words))


def _follows_innerproduct(op: LayerOp) -> bool:
    return isinstance(op, DropoutOp) and isinstance(op.input.owner, InnerProductOp)


def _is_as_asked_for(remark: Remark) -> bool:
    """Whether a weight is stored as it was to be, and nothing is to be said of its values; or will
    be in the end."""
    return remark.rewrite == ConvertStorage.name and remark.kind == "routine"
