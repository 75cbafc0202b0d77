"""A callable of PyTorch as a source model, by the first method that works: PyTorch's tracer, a
record of one run, or one step for the whole callable."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import RunError
from .recorded_callable import record
from .source_steps import SourceModel, SourceStep, torch
from .ties import stable_order
from .tracing import is_script, name_of, tensors_in, trace

WHOLE = "the model"
"""The type of the step that is the whole callable."""

OPAQUE = "is_opaque"
"""The attribute of a callable that says that PyTorch does not compute it."""


def steps_of(
    function: Callable[..., Any],
    inputs: Sequence[Any],
    rounding: Callable[[Any], Any] | None = None,
) -> SourceModel:
    """Return the steps that a callable of tensors takes for these inputs. `rounding` is applied to
    the weights. Raises `RunError` if the callable does not run.

    The tracer refuses a callable whose Python code reads the value of a tensor. The record of a run
    contains the operators for these values.
    """
    origin = name_of(function)
    if is_script(function):
        return record(function, inputs, origin, rounding)
    if getattr(function, OPAQUE, False):
        return _whole(function, inputs, origin)
    with keeping_state(function), evaluating(function):
        for method in (trace, _record_functional, record):
            try:
                found = method(function, [x.clone() for x in inputs], origin)
                if method is trace or _is_repeated(found, function, inputs):
                    if rounding is not None:
                        found = method(function, [x.clone() for x in inputs], origin, rounding)
                    return found
            except RunError:
                continue
        return _whole(function, inputs, origin)


def _is_repeated(source: SourceModel, function: Callable[..., Any], inputs: Sequence[Any]) -> bool:
    """Whether the recorded steps give the callable's results. A write to a part of a tensor may be
    missing in a record."""
    values = dict(zip(source.inputs, [x.clone() for x in inputs], strict=True))
    try:
        with stable_order():
            for step in source.steps:
                results = step.compute([values[name] for name in step.inputs])
                values.update(zip(step.outputs, results, strict=True))
    except Exception:  # an operator that does not run alone
        return False
    expected = run_callable(function, inputs)
    return len(expected) == len(source.outputs) and all(
        torch.allclose(values[name], tensor, rtol=1e-4, atol=1e-5, equal_nan=True)
        for name, tensor in zip(source.outputs, expected, strict=True)
    )


def _record_functional(
    function: Callable[..., Any],
    inputs: Sequence[Any],
    origin: str,
    rounding: Callable[[Any], Any] | None = None,
) -> SourceModel:
    """Return the record of a run without writes to existing tensors."""

    def flat(*tensors: Any) -> tuple[Any, ...]:
        return tuple(tensors_in(function(*tensors)))

    return record(torch.func.functionalize(flat), inputs, origin, rounding, function)


def _whole(function: Callable[..., Any], inputs: Sequence[Any], origin: str) -> SourceModel:
    """Return a callable as one step."""
    results = run_callable(function, inputs)

    def compute(given: Sequence[Any]) -> Sequence[Any]:
        with keeping_state(function), evaluating(function):
            return tensors_in(function(*[x.clone() for x in given]))

    names = tuple(f"in{i}" for i in range(len(inputs)))
    outputs = tuple(f"out{i}" for i in range(len(results)))
    types = [(tuple(x.shape), str(x.dtype).removeprefix("torch.")) for x in inputs]
    return SourceModel(
        origin, names, [SourceStep(WHOLE, origin, names, outputs, compute)], outputs, types
    )


def run_callable(function: Callable[..., Any], inputs: Sequence[Any]) -> list[Any]:
    """Return the tensors in the result of a callable. Raises `RunError` if it does not run."""
    try:
        with torch.no_grad(), evaluating(function), stable_order():
            return tensors_in(function(*[x.clone() for x in inputs]))
    except Exception as e:  # any error of a user's code
        raise RunError(
            f"{name_of(function)}: PyTorch cannot run the model on these inputs: {reason_of(e)}"
        ) from e


def reason_of(error: Exception) -> str:
    """Return the first line of an error's text, else its type."""
    lines = [line for line in str(error).strip().splitlines() if line.strip()]
    return lines[0].strip() if lines else type(error).__name__


@contextmanager
def evaluating(function: Any) -> Generator[None]:
    """Put a module into evaluation mode for a while."""
    modules = function.modules() if isinstance(function, torch.nn.Module) else ()
    training = [module for module in modules if module.training]
    for module in training:  # the modules of `torch.export` refuse `eval()`
        module.training = False
    try:
        yield
    finally:
        for module in training:
            module.training = True


@contextmanager
def keeping_state(function: Any) -> Generator[None]:
    """Restore the attributes of a module afterwards. A module that keeps a tensor of its run (a
    cache) would keep a tensor of the tracer."""
    modules: list[Any] = []
    if isinstance(function, torch.nn.Module) and not is_script(function):
        modules = [each for each in function.modules() if not is_script(each)]
    kept: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
        (module, {**vars(module)}, {**module._buffers}) for module in modules
    ]
    try:
        yield
    finally:
        for module, attributes, buffers in kept:
            module.__dict__ = attributes
            module._buffers.clear()
            module._buffers.update(buffers)
