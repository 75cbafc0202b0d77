"""A TorchScript module or another callable as a source model: the `aten` operators that it runs for
one input, in order."""

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import RunError
from .source_steps import SourceModel, SourceStep, StepError, import_torch, torch
from .tracing import short_name, tensors_in, unaliased


def record(
    function: Any,
    inputs: Sequence[Any],
    origin: str,
    rounding: Callable[[Any], Any] | None = None,
    owner: Any = None,
) -> SourceModel:
    """Return the steps of a callable of tensors for these inputs. `rounding` is applied to the
    weights. `owner` is the module whose parts name the steps, by default `function`. Raises
    `RunError`."""
    TorchDispatchMode = import_torch("torch.utils._python_dispatch").TorchDispatchMode

    scopes = _OpenModules(function if owner is None else owner)
    recorder = _Recorder(inputs, rounding, scopes)

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
    finally:
        scopes.remove()
    return SourceModel(
        origin,
        recorder.inputs,
        recorder.steps,
        [recorder.name(tensor) for tensor in outputs],
        [(tuple(x.shape), str(x.dtype).removeprefix("torch.")) for x in inputs],
    )


class _OpenModules:
    """The labels of the modules that are running, the innermost last."""

    def __init__(self, owner: Any) -> None:
        self.labels: list[str] = []
        self._handles: list[Any] = []
        is_module = isinstance(owner, torch.nn.Module) and not isinstance(
            owner, torch.jit.ScriptModule
        )
        for name, module in owner.named_modules() if is_module else ():
            if name:
                label = f"{name} ({type(module).__name__})"
                self._handles.append(module.register_forward_pre_hook(self._enter(label)))
                self._handles.append(module.register_forward_hook(self._leave))

    def _enter(self, label: str) -> Callable[..., None]:
        def hook(module: Any, args: Any) -> None:
            self.labels.append(label)

        return hook

    def _leave(self, module: Any, args: Any, output: Any) -> None:
        self.labels.pop()

    def remove(self) -> None:
        """Remove the hooks from the model."""
        for handle in self._handles:
            handle.remove()


class _Recorder:
    """The operators so far. Tensors are kept, so that each has an identity of its own."""

    def __init__(
        self, inputs: Sequence[Any], rounding: Callable[[Any], Any] | None, scopes: _OpenModules
    ) -> None:
        self.steps: list[SourceStep] = []
        self._scopes = scopes
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
            self.steps.append(SourceStep("constant", name, (), (name,), lambda inputs: (value,)))
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
            open_modules = self._scopes.labels
            label = open_modules[-1] if open_modules else outputs[0].partition(".")[0]
            self.steps.append(SourceStep(short_name(function), label, read, outputs, compute))
        return result
