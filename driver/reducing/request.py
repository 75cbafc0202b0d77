"""One run of `ncnn-reduce`: the options select a test, and the reduced model is written."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...analysis.shape_inference import set_input_shapes
from ...dialects.ncnn.lookup import model_of
from ...dialects.ncnn.weight_file import scratch_file
from ...dialects.ncnn.weight_specs import Shape
from ...formats.file_names import is_source_model
from ...frontends import ReadOptions
from ...runtime.engines import check_runtime
from ...targets import Output
from ...targets.atomic_files import OutputFiles, check_writable
from ..errors import UsageError
from ..messages import print_note
from ..model_files import InputModel, read_model, write_model
from ..output_values import write_npz
from ..progress import Progress
from .failures import Differs, Ends, FailureTest, PassCrashes, Script
from .reducer import Reducer


def is_source(word: str) -> bool:
    """Whether a word of the command line names a model of PyTorch."""
    return is_source_model(word) or word.endswith(".pt2") or ":" in word


@dataclass(frozen=True)
class ReduceRequest:
    """The options of `ncnn-reduce`, by their names."""

    model: str
    reading: ReadOptions
    output: str
    passes: Sequence[ModulePass]
    test: str | None
    differs: str | None
    crashes: str | None
    refused: bool
    python: str | None
    shapes: dict[str, Shape]
    tolerance: float
    seed: int
    timeout: int


def make_test(request: ReduceRequest) -> FailureTest:
    """Return the test that a request names. Raises `UsageError`."""
    python, seed = request.python, request.seed
    if request.test is not None:
        return Script(request.test, request.timeout)
    if request.crashes == "passes":
        return PassCrashes(request.passes)
    check_runtime()
    if request.differs is not None:
        other = None if request.differs == "passes" else request.differs
        if other == "releases":
            if python is None:
                raise UsageError("--differs releases needs the other release: --python PYTHON")
            return Differs((), python, request.tolerance, None, seed, request.timeout)
        return Differs(request.passes, other, request.tolerance, python, seed, request.timeout)
    return Ends(request.crashes is not None, python, seed, request.timeout)


def reduce_model(request: ReduceRequest) -> None:
    """Reduce a model, write the result and report. Raises one of `USER_ERRORS`."""
    check_writable(request.output)
    source = read_model(request.model, request.reading)
    if request.shapes:
        set_input_shapes(model_of(source.module), request.shapes)
    begun = monotonic()
    if request.differs is not None and is_source(request.differs):
        _reduce_to_operator(request, source)
        return
    with scratch_file(), make_test(request) as test, Progress("reducing", 1) as progress:
        reducer = Reducer(source.module, test, progress.tell)
        if reducer.failure is None:
            raise UsageError(f"{request.model} does not fail: there is nothing to reduce")
        made = reducer.reduce()
        progress.clear()
        write_model(made, Output(request.output, origin=source.origin))
    _report(source.module, made, reducer.failure)
    print_note(f"ncnn-reduce: {reducer.tests} tests in {monotonic() - begun:.0f} s")


def _reduce_to_operator(request: ReduceRequest, source: InputModel) -> None:
    """Write the layers that differ from an operator of PyTorch, their inputs, and PyTorch's
    result."""
    from .operators import find_wrong_operator

    assert request.differs is not None
    check_runtime()
    stem = request.output.removesuffix(".param").removesuffix(".mlir")
    files = {f"{stem}.npz": "the inputs", f"{stem}.expected.npz": "PyTorch's result"}
    for path in files:
        check_writable(path)
    found = find_wrong_operator(source.module, request.model, request.differs, request.tolerance)
    if found is None:
        raise UsageError(f"{request.model} does not fail: there is nothing to reduce")
    with OutputFiles() as outputs:
        for path, arrays in zip(files, (found.inputs, found.expected), strict=True):
            write_npz(outputs.create(path, "wb"), arrays)
        write_model(found.module, Output(request.output, origin=source.origin))
    _report(source.module, found.module, found.reason)
    written = " and ".join(f"{what}, {path}" for path, what in files.items())
    print_note(f"ncnn-reduce: wrote {written}")


def _report(original: ModuleOp, made: ModuleOp, failure: str | None) -> None:
    """Print the sizes of both models."""
    from ...targets.param.export import summarize

    sizes = [summarize(module) for module in (original, made)]
    layers = " -> ".join(f"{size.layers:,}" for size in sizes if size is not None)
    weights = " -> ".join(f"{size.weight_bytes:,}" for size in sizes if size is not None)
    print_note(f"ncnn-reduce: {layers} layers, {weights} bytes of weights ({failure})")
