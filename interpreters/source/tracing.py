"""A module, a function or a TorchScript file as a source model: the `aten` operators that it calls
for one input, recorded by PyTorch's tracer of tensors."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import RunError
from .source_steps import SourceModel, SourceStep, import_torch, torch


def load_script(path: str) -> Any:
    """Return the TorchScript module in a file. Raises `RunError`."""
    with open(path, "rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of torch.jit
        try:
            return torch.jit.load(file, map_location="cpu").eval()
        except (RuntimeError, ValueError) as e:
            reason = str(e).strip().splitlines()[0]
            raise RunError(
                f"{path}: this is not a TorchScript file ({reason}); write one with "
                "torch.jit.trace(model, x).save(…)"
            ) from e


def is_script(function: Any) -> bool:
    """Whether this is TorchScript."""
    return isinstance(function, torch.jit.ScriptModule | torch.jit.ScriptFunction)


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a callable for messages."""
    name = getattr(function, "__name__", None) or getattr(function, "original_name", None)
    return str(name or type(function).__name__)


def trace(
    function: Callable[..., Any],
    inputs: Sequence[Any],
    origin: str,
    rounding: Callable[[Any], Any] | None = None,
) -> SourceModel:
    """Return the steps that a callable of tensors takes for these inputs. `rounding` is applied
    to the weights. Raises `RunError`."""
    make_fx = import_torch("torch.fx.experimental.proxy_tensor").make_fx

    outputs: list[Any] = []

    def flat(*tensors: Any) -> tuple[Any, ...]:
        outputs[:] = tensors_in(function(*tensors))
        return tuple(outputs)

    owner: Any = function
    training = isinstance(function, torch.nn.Module) and owner.training
    if training:
        owner.eval()
    hooks = _Scopes(function)
    try:
        with torch.no_grad():
            module = make_fx(torch.func.functionalize(flat))(*inputs)
    except Exception as e:  # any error of a user's code
        reason = str(e).strip().splitlines() or [type(e).__name__]
        raise RunError(
            f"{origin}: PyTorch cannot run the model on these inputs: {reason[0]}"
        ) from e
    finally:
        hooks.remove()
        if training:
            owner.train()
    return _source(module, origin, hooks, rounding, inputs)


def tensors_in(value: Any) -> list[Any]:
    """Return the tensors in a result, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())  # pyright: ignore
    if isinstance(value, tuple | list):
        return [tensor for part in value for tensor in tensors_in(part)]  # pyright: ignore
    return []


class _Scopes:
    """The modules in which operators of a trace are."""

    def __init__(self, function: Any) -> None:
        self.names: dict[str, str] = {}
        self._handles: list[Any] = []
        if not isinstance(function, torch.nn.Module):
            return
        for name, module in function.named_modules():
            if name:
                self._handles.append(module.register_forward_pre_hook(self._enter()))
                label = f"{name} ({type(module).__name__})"
                self._handles.append(module.register_forward_hook(self._leave(label)))
        self._starts: list[int] = []

    def _enter(self) -> Callable[..., None]:
        def hook(module: Any, args: Any) -> None:
            self._starts.append(len(_nodes()))

        return hook

    def _leave(self, label: str) -> Callable[..., None]:
        def hook(module: Any, args: Any, output: Any) -> None:
            for node in _nodes()[self._starts.pop() :]:
                self.names.setdefault(node.name, label)

        return hook

    def remove(self) -> None:
        """Remove the hooks from the model."""
        for handle in self._handles:
            handle.remove()


def _nodes() -> list[Any]:
    """Return the operators that are recorded so far."""
    get_proxy_mode = import_torch("torch.fx.experimental.proxy_tensor").get_proxy_mode

    mode = get_proxy_mode()
    return [] if mode is None else list(mode.tracer.graph.nodes)


def _source(
    module: Any,
    origin: str,
    scopes: _Scopes,
    rounding: Callable[[Any], Any] | None,
    given: Sequence[Any],
) -> SourceModel:
    inputs: list[str] = []
    outputs: list[str] = []
    steps: list[SourceStep] = []
    constants: dict[str, Any] = {}
    for node in module.graph.nodes:
        match node.op:
            case "placeholder":
                inputs.append(node.name)
            case "output":
                read = node.args[0] if isinstance(node.args[0], tuple | list) else (node.args[0],)
                outputs += [each.name for each in read]
            case "get_attr":
                value = getattr(module, str(node.target)).detach()
                constants[node.name] = rounding(value) if rounding else value
            case _:
                steps.append(_step(node, scopes, constants))
    types = [(tuple(x.shape), str(x.dtype).removeprefix("torch.")) for x in given]
    return SourceModel(origin, inputs, steps, outputs, types)


def _step(node: Any, scopes: _Scopes, constants: dict[str, Any]) -> SourceStep:
    map_arg = import_torch("torch.fx.node").map_arg

    read = tuple(n.name for n in node.all_input_nodes if n.name not in constants)
    function = node.target

    def compute(inputs: Sequence[Any]) -> Sequence[Any]:
        values = {**constants, **dict(zip(read, inputs, strict=True))}

        def value(each: Any) -> Any:
            return values[each.name]

        args, kwargs = map_arg((node.args, dict(node.kwargs)), value)
        return (function(*unaliased(function, args), **kwargs),)

    label = str(scopes.names.get(node.name, node.name))
    return SourceStep(short_name(function), label, read, (node.name,), compute)


def short_name(function: Any) -> str:
    """Return the name of an operator, without its overload: `aten.relu`."""
    name = str(function)
    if name.startswith("aten."):
        name = ".".join(name.split(".")[:2])
    elif name.startswith("<built-in function"):
        name = name.removeprefix("<built-in function ").removesuffix(">")
    return name


def unaliased(function: Any, args: Sequence[Any]) -> list[Any]:
    """Return the arguments, with copies of those that the function changes."""
    schema = getattr(function, "_schema", None)
    if schema is None:
        return list(args)
    written = [a.alias_info is not None and a.alias_info.is_write for a in schema.arguments]
    written += [False] * len(args)
    return [
        a.clone() if w and hasattr(a, "clone") else a for a, w in zip(args, written, strict=False)
    ]
