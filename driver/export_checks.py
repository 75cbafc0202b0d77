"""Checks of a converted model against its module of PyTorch: layer by layer on the example inputs,
and its outputs in the ncnn runtime, on a second input as well."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.function import inputs_of
from ..dialects.ncnn.lookup import model_of
from ..interpreters.errors import RunError
from ..interpreters.run import run
from ..interpreters.source.callables import keeping_state, run_callable, steps_of
from ..interpreters.source.source_steps import SourceModel, as_array
from ..runtime.differences import relative_error
from ..runtime.engines import run_ncnn
from ..runtime.layerwise.blobs import ordered_outputs
from ..runtime.layerwise.comparison import SourceAgreement, compare_with_source
from ..runtime.layerwise.comparison_text import reason_of_disagreement
from ..runtime.process import Runtime
from .run_model import as_blobs
from .source_models import as_blob

Array = NDArray[Any]

EXAMPLE, SECOND = "the example inputs", "the example inputs in reverse order"


class ModuleSample(NamedTuple):
    """Inputs and outputs of the module."""

    name: str
    inputs: Sequence[Any]
    outputs: Sequence[Any]


class Reference:
    """A module of PyTorch with its inputs and outputs."""

    def __init__(self, module: Callable[..., Any], inputs: Sequence[Any]) -> None:
        """Raises `RunError` if the module does not run."""
        self.source: SourceModel = steps_of(module, inputs)
        with keeping_state(module):
            self.samples = [ModuleSample(EXAMPLE, inputs, run_callable(module, inputs))]
            # The elements stay in their ranges: indices of words, masks, angles.
            second = [x.flip(tuple(range(x.ndim))) for x in inputs]
            try:
                self.samples.append(ModuleSample(SECOND, second, run_callable(module, second)))
            except RunError:  # the module does not take these values
                pass

    def compare(
        self, module: ModuleOp, path: str, tolerance: float, engine: str
    ) -> SourceAgreement:
        """Compare a model layer by layer on the example inputs. Raises `RunError`."""
        blobs = blobs_of(module, path, self.samples[0].inputs)
        return compare_with_source(
            module, path, blobs, self.source, self.source, tolerance=tolerance, engine=engine
        )

    def problem_in_runtime(self, module: ModuleOp, path: str, tolerance: float) -> str:
        """Return the reason why a model differs in the ncnn runtime, or an empty string. Without
        the runtime nothing is compared."""
        for sample in self.samples if Runtime.is_there() else ():
            try:
                errors = output_errors(module, path, sample)
            except RunError as e:
                return f"{e} (with {sample.name})"
            wrong = {name: error for name, error in errors.items() if not error <= tolerance}
            if wrong:
                name, error = max(wrong.items(), key=lambda item: item[1])
                return (
                    f"output '{name}' differs in the ncnn runtime with {sample.name} "
                    f"(error {error:.3g}, limit {tolerance:g})"
                )
        return ""


def problem_of(
    reference: Reference, agreement: SourceAgreement, module: ModuleOp, path: str
) -> str:
    """Return the reason why a model differs from its module, or an empty string."""
    if not agreement:
        return reason_of_disagreement(agreement)
    return reference.problem_in_runtime(module, path, agreement.tolerance)


def output_errors(module: ModuleOp, path: str, sample: ModuleSample) -> Mapping[str, float]:
    """Return the error of each output, in the ncnn runtime, or in NumPy without the runtime. Raises
    `RunError`."""
    pairs = outputs_of(module, path, sample)
    return {name: relative_error(exact, made) for name, (exact, made) in pairs.items()}


def outputs_of(module: ModuleOp, path: str, sample: ModuleSample) -> dict[str, tuple[Array, Array]]:
    """Return the elements of each output of the source and of a model, which the ncnn runtime
    computes, or NumPy without the runtime. Raises `RunError`."""
    func = model_of(module)
    inputs = blobs_of(module, path, sample.inputs)
    names = ordered_outputs(func)
    if Runtime.is_there():
        made = run_ncnn(module, inputs, names, None, True)
    else:
        made = run(func, inputs, names)
    arrays = [array for each in sample.outputs if (array := as_array(each)) is not None]
    if len(arrays) != len(names):
        raise RunError(f"PyTorch has {len(arrays)} outputs, and the model has {len(names)}")
    pairs = zip(names, arrays, strict=True)
    return {name: (array.reshape(-1), made[name].reshape(-1)) for name, array in pairs}


def blobs_of(module: ModuleOp, path: str, inputs: Sequence[Any]) -> dict[str, Any]:
    """Return inputs of PyTorch as blobs. Raises `RunError`."""
    func = model_of(module)
    names, arrays = inputs_of(func), [as_array(tensor) for tensor in inputs]
    if len(names) != len(arrays):
        raise RunError(
            f"{path} has {len(names)} inputs, and {len(arrays)} example inputs are given"
        )
    given = {
        name: as_blob(arg, array)
        for (name, arg), array in zip(names.items(), arrays, strict=True)
        if array is not None
    }
    return as_blobs(func, given)
