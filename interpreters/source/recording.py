"""A TorchScript module as a source model: the `aten` operators that it runs, in order."""

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import RunError
from .steps import SourceModel, Step, StepError, import_torch, torch
from .tracing import short_name, tensors_in, unaliased


def record(
    function: Any, inputs: Sequence[Any], origin: str, rounding: Callable[[Any], Any] | None = None
) -> SourceModel:
    """Return the steps of a TorchScript module for these inputs. `rounding` is applied to the
    weights. Raises `RunError`."""
    TorchDispatchMode = import_torch("torch.utils._python_dispatch").TorchDispatchMode

    recorder = _Recorder(inputs, rounding)

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return recorder.call(func, args, kwargs or {})

    try:
        with torch.no_grad(), torch.jit.optimized_execution(False), Mode():
            outputs = tensors_in(function(*inputs))
    except Exception as e:  # any error in the file's code
        reason = [line for line in str(e).strip().splitlines() if line] or [type(e).__name__]
        raise RunError(
            f"{origin}: PyTorch cannot run the model on these inputs: {reason[-1]}"
        ) from e
    return SourceModel(
        origin,
        recorder.inputs,
        recorder.steps,
        [recorder.name(tensor) for tensor in outputs],
        [(tuple(x.shape), str(x.dtype).removeprefix("torch.")) for x in inputs],
    )


class _Recorder:
    """The operators so far. Tensors are kept, so that each has an identity of its own."""

    def __init__(self, inputs: Sequence[Any], rounding: Callable[[Any], Any] | None) -> None:
        self.steps: list[Step] = []
        self.inputs = [f"in{i}" for i in range(len(inputs))]
        self._names = {id(tensor): name for tensor, name in zip(inputs, self.inputs, strict=True)}
        self._kept: list[Any] = [*inputs]
        self._rounding = rounding

    def name(self, tensor: Any) -> str:
        """Return the operand of a tensor. A tensor that no operator made is a constant."""
        if id(tensor) not in self._names:
            name = f"constant{len(self.steps)}"
            value = tensor.detach().clone()
            value = value if self._rounding is None else self._rounding(value)
            self._name(tensor, name)
            self.steps.append(Step("constant", name, (), (name,), lambda inputs: (value,)))
        return self._names[id(tensor)]

    def _name(self, tensor: Any, name: str) -> None:
        self._names[id(tensor)] = name
        self._kept.append(tensor)

    def call(self, function: Any, args: Any, kwargs: Any) -> Any:
        """Run an operator, and record it."""
        tree_flatten = import_torch("torch.utils._pytree").tree_flatten
        tree_unflatten = import_torch("torch.utils._pytree").tree_unflatten

        flat, tree = tree_flatten((args, kwargs))
        tensors = [i for i, value in enumerate(flat) if isinstance(value, torch.Tensor)]
        read = tuple(self.name(flat[i]) for i in tensors)
        result = function(*args, **kwargs)
        made, _ = tree_flatten(result)
        made = [value for value in made if isinstance(value, torch.Tensor)]
        others = [v if i not in tensors else None for i, v in enumerate(flat)]

        def compute(inputs: Sequence[Any]) -> Sequence[Any]:
            values = [*others]
            for i, value in zip(tensors, inputs, strict=True):
                values[i] = value
            given, named = tree_unflatten(values, tree)
            results, _ = tree_flatten(function(*unaliased(function, given), **named))
            found = [value for value in results if isinstance(value, torch.Tensor)]
            if len(found) != len(outputs):
                raise StepError(f"{len(found)} results, not {len(outputs)}")
            return found

        outputs = tuple(f"{len(self.steps)}.{i}" for i in range(len(made)))
        for name, tensor in zip(outputs, made, strict=True):
            self._name(tensor, name)
        if outputs:
            label = outputs[0].partition(".")[0]
            self.steps.append(Step(short_name(function), label, read, outputs, compute))
        return result
