"""A program that compiles one model to native code, runs it, and compares it with NumPy. It is the
separate process of `native_models.py`, because compiled code may crash.

It reads a `Request` as JSON on standard input, and writes a `Row` as JSON on standard output.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from ncnn_opt.analysis.audit.layers import source_of
from ncnn_opt.analysis.random_inputs import inputs_of, random_input
from ncnn_opt.analysis.shape_inference import infer, set_input_shapes
from ncnn_opt.conversion.host_ops import take_tail
from ncnn_opt.dialects.ncnn.constant import ConstantOp, attached_constant
from ncnn_opt.dialects.ncnn.function import output_names, outputs_of
from ncnn_opt.dialects.ncnn.int8 import StaticInt8
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.dialects.ncnn.reduction import SoftmaxOp
from ncnn_opt.driver.compile_file import run_passes, set_shapes
from ncnn_opt.driver.errors import USER_ERRORS, describe
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.sidecar_files import attach_to_module, read_pnnx
from ncnn_opt.formats.file_names import weights_beside
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.interpreters.run import blobs_of, run
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.iree_compile import find_compiler
from ncnn_opt.native.options import CompileOptions
from ncnn_opt.native.program import Program, compile_module
from ncnn_opt.transforms import REPAIR, get_all_passes
from ncnn_opt.transforms.extraction.keep_blob import KeepBlob
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.parser import Parser
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import ParseError, PassFailedException, VerifyException

from .inputs import shapes_for
from .native_libraries import run_library, without_tail

PNNX = ".pnnx.param"

TOLERANCE = 1e-5
"""The largest accepted difference to NumPy's output, relative to its largest value."""

Values = Mapping[str, Any]


class Rejected(Exception):
    """A parser rejected the code. The message gives the parser and the reason."""


@dataclass(frozen=True)
class Row:
    """The result for one model."""

    name: str
    failure: str = ""
    """The error message, if there was an error."""
    difference: float = 0.0
    """The difference to NumPy's outputs, relative to their largest values."""
    tail: bool = False
    """Whether a part of the model runs on the host."""
    seconds: float = 0.0
    """The CPU time of the compilation in seconds."""
    text: int = 0
    """The number of characters of the code."""

    def is_right(self) -> bool:
        """Whether the model can be lowered and its outputs are right."""
        return not self.failure and self.difference <= TOLERANCE


@dataclass(frozen=True)
class Request:
    """The request to the process."""

    name: str
    path: str
    specs: Sequence[str]
    """Shapes of inputs."""
    models: Sequence[str]
    """The names of all models to which shapes may apply."""
    optimize: bool
    """Whether the passes of `-O` run first."""
    lower_only: bool
    library: bool
    """Whether LLVM compiles a shared library, instead of IREE a program."""
    conv: str
    flags: Sequence[str]

    def answer(self) -> Row:
        """Check the model."""
        path, options = Path(self.path), CompileOptions(conv=self.conv, flags=tuple(self.flags))
        try:
            module = read(self.name, path, self.specs, self.models)
            if self.optimize:
                set_shapes(module, {})
                run_passes(module, self.path)
            answer = parse if self.lower_only else check_library if self.library else check
            return answer(self.name, module, options)
        except (NativeError, PassFailedException, Rejected) as e:
            return Row(self.name, failure=str(e))
        except USER_ERRORS as e:
            return Row(self.name, failure=describe(e, self.path))


def read(name: str, path: Path, specs: Sequence[str], models: Sequence[str]) -> ModuleOp:
    """Return the model with the input shapes of the options, repaired if possible."""
    binary = path.name.endswith(".bin") or os.path.exists(weights_beside(str(path)))
    options = ReadOptions() if binary else ReadOptions(weights="random")
    side = path.with_name(f"{name}{PNNX}")
    if side.exists():
        pnnx = read_pnnx(str(side))
        options = replace(options, layer_weights=pnnx.layer_weights)
        module = read_model(str(path), options).module
        attach_to_module(module, pnnx.graph)
        for each in REPAIR:
            get_all_passes()[each]()().apply(Context(), module)
    else:
        module = read_model(str(path), options).module
    if not binary:
        share_input_scales(module)
    shapes = shapes_for(name, specs, models).of_model(module)
    if shapes:
        set_input_shapes(model_of(module), shapes)
    else:
        infer(model_of(module))
    return module


def share_input_scales(module: ModuleOp) -> None:
    """Let int8 layers that read the same blob have the same input scale, as after calibration,
    which derives the scale from the blob. Native code then rounds the blob once."""
    scales: dict[SSAValue, ConstantOp] = {}
    for op in module.walk():
        if not isinstance(op, StaticInt8):
            continue
        if (own := attached_constant(op.bottom_int8_scales)) is None:
            continue
        own.value = scales.setdefault(source_of(op.data_operands()[0]), own).value


def check(name: str, module: ModuleOp, options: CompileOptions) -> Row:
    """Compile and run a model. If an output is a Softmax, its input also becomes an output: the
    Softmax of large values is always 0 or 1, and would hide differences."""
    if taken := tuple(_into_softmax(model_of(module))):
        KeepBlob(taken).apply(Context(), module)
    inputs = random_inputs(module)
    original = module.clone()
    before = os.times()
    compiled = compile_module(module, options)
    after = os.times()
    seconds = sum(after[:4]) - sum(before[:4])
    row = Row(name, tail=compiled.tail is not None, seconds=seconds)
    programs = [compiled]
    if compiled.tail is not None:  # its inputs show more than the few boxes that it computes
        blobs = tuple(port.name for port in compiled.results)
        programs.append(replace(compiled, outputs=blobs, tail=None))
    try:
        worst, is_meaningful = 0.0, False
        for each in programs:
            expected = run(model_of(original), inputs, each.outputs)
            found = Program(each)(inputs)
            if each.tail is not None:  # boxes of one score come in any order
                expected, found = (_sorted(values) for values in (expected, found))
            worst = max(worst, difference(found, expected))
            is_meaningful = is_meaningful or any(map(_has_information, expected.values()))
        return replace(
            row, difference=worst, failure="" if is_meaningful else "NumPy's values tell nothing"
        )
    except ValueError as e:
        return replace(row, failure=str(e))


def check_library(name: str, module: ModuleOp, options: CompileOptions) -> Row:
    """Compile and run the part of a model that a shared library supports."""
    tail = without_tail(module)
    inputs = random_inputs(module)
    expected = run(model_of(module), inputs, output_names(model_of(module)))
    inputs = {name: np.ascontiguousarray(value) for name, value in inputs.items()}
    before = os.times()
    found = run_library(module, options, inputs, expected)
    after = os.times()
    seconds = sum(after[:4]) - sum(before[:4])
    try:
        row = Row(name, difference=difference(found, expected), tail=tail, seconds=seconds)
    except ValueError as e:
        return Row(name, failure=str(e))
    is_meaningful = any(map(_has_information, expected.values()))
    return replace(row, failure="" if is_meaningful else "NumPy's values tell nothing")


def random_inputs(module: ModuleOp) -> dict[str, Any]:
    """Return random values of a model's inputs."""
    rng = np.random.default_rng(0)
    return {n: random_input(n, v, rng) for n, v in inputs_of(module).items()}


def _into_softmax(func: FuncOp) -> Iterator[str]:
    names = {value: name for name, value in blobs_of(func).items()}
    for value, _ in outputs_of(func):
        if isinstance(value.owner, SoftmaxOp):
            yield names[value.owner.input]


def _has_information(values: NDArray[Any]) -> bool:
    """Whether most values are finite and there are more than two different ones."""
    finite = values[np.isfinite(values)]
    return 2 * finite.size > values.size and len(np.unique(finite)) > 2


def _sorted(values: Values) -> Values:
    return {name: np.sort(value, axis=0) for name, value in values.items()}


def difference(found: Values, expected: Values) -> float:
    """Return the largest difference, relative to the largest value of an output; integers must be
    equal. Raise `ValueError` for different shapes, and if only one side is finite."""
    worst = 0.0
    for name, b in expected.items():
        a = found[name]
        if a.shape != b.shape:
            raise ValueError(f"{name}: shape {list(a.shape)}, not {list(b.shape)}")
        finite = np.isfinite(b)
        if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
            raise ValueError(f"{name}: other values that are not finite")
        apart = np.abs(a.astype("f8") - b)[finite].max(initial=0)
        if b.dtype.kind != "f" and apart:
            raise ValueError(f"{name}: {np.count_nonzero(a != b)} of {b.size} integers differ")
        if apart:
            worst = max(worst, apart / max(np.abs(b[finite].astype("f8")).max(initial=0), 1e-30))
    return float(worst)


def parse(name: str, module: ModuleOp, options: CompileOptions) -> Row:
    """Lower a model, and parse its code with all available parsers. Raise `Rejected`.

    Weights are arguments, so that the code has upstream dialects only, and is short.
    """
    pipeline = replace(options, weights="args").pipeline()
    for spec in parse_pipeline(",".join(pipeline)):
        get_all_passes()[spec.name]().from_pass_spec(spec).apply(Context(), module)
    tail = take_tail(module)
    text = str(module)
    upstream = Context()
    for dialect, load in get_all_dialects().items():
        upstream.register_dialect(dialect, load)
    try:
        Parser(upstream, text, name).parse_module().verify()
    except (ParseError, VerifyException) as e:
        raise Rejected(f"xDSL: {' '.join(str(e).split())[:200]}") from e
    for tool in parsers():
        done = subprocess.run(
            [tool, "-", "-o", os.devnull], input=text.encode(), capture_output=True
        )
        if done.returncode:
            lines = done.stderr.decode().strip().splitlines()
            raise Rejected(f"{Path(tool).name}: {lines[0] if lines else done.returncode}")
    return Row(name, tail=tail is not None, text=len(text))


def parsers() -> list[str]:
    """Return the installed programs that parse MLIR."""
    own = Path(find_compiler()).with_name("iree-opt")
    return [str(own), *filter(None, [shutil.which("mlir-opt")])]


def main() -> None:
    """Answer one request."""
    request = Request(**json.load(sys.stdin))
    # Standard output is for the answer only.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    json.dump(asdict(request.answer()), answer)
    answer.flush()


if __name__ == "__main__":
    main()
