"""The routes from a module of PyTorch to TorchScript for PNNX. PNNX converts some modules only from
one of them."""

import io
import logging
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

from ..interpreters.errors import RunError
from ..interpreters.source.callables import evaluating, keeping_state, reason_of, tensors_in
from ..interpreters.source.source_steps import import_torch, torch
from ..interpreters.source.tracing import is_script
from .onnx_session import OnnxSession

EAGER = "eager"
"""The plain implementation of attention in `transformers`."""
IMPLEMENTATION = "_attn_implementation"
"""The attribute of a configuration of `transformers` with the name of the implementation."""


class Route(NamedTuple):
    """A way to TorchScript."""

    name: str
    """Its description for messages."""
    script: Callable[[], Any]
    """Return the TorchScript, or the name of an ONNX file. Raises `RunError`."""


def routes_of(module: Any, inputs: Sequence[Any]) -> Iterator[Route]:
    """Yield the routes for a module, the most usual first."""
    if isinstance(module, OnnxSession):
        yield Route("as ONNX", lambda: module.path)
        return
    flat = as_module(module)
    yield Route("traced", lambda: _trace(flat, inputs))
    if is_script(module):
        return
    yield Route("torch.export", lambda: _export(flat, inputs))
    if configurations := _other_attention(module):

        def eager(make: Callable[[Any, Sequence[Any]], Any]) -> Callable[[], Any]:
            def script() -> Any:
                with _eager_attention(configurations):
                    return make(flat, inputs)

            return script

        yield Route("traced with eager attention", eager(_trace))
        yield Route("torch.export with eager attention", eager(_export))


def as_module(function: Any) -> Any:
    """Return a callable as a module whose result is one tensor or a tuple of tensors."""
    if is_script(function):
        return function

    base: Any = torch.nn.Module

    class Flat(base):
        """A callable with its tensors as result."""

        def __init__(self) -> None:
            base.__init__(self)
            self.model = function

        def forward(self, *inputs: Any) -> Any:
            result = self.model(*inputs)
            if isinstance(result, torch.Tensor):
                return result
            tensors = tensors_in(result)
            return tensors[0] if len(tensors) == 1 else tuple(tensors)

    return Flat()


def _trace(module: Any, inputs: Sequence[Any]) -> Any:
    try:
        with _quiet(module):
            return torch.jit.trace(module, tuple(x.clone() for x in inputs), check_trace=False)
    except Exception as e:  # any error of a user's code
        raise RunError(f"torch.jit.trace: {reason_of(e)}") from e


def _export(module: Any, inputs: Sequence[Any]) -> Any:
    export = import_torch("torch.export").export
    try:
        with _quiet(module):
            exported = export(module, tuple(x.clone() for x in inputs), strict=False).module()
    except Exception as e:  # any error of a user's code
        raise RunError(f"torch.export: {reason_of(e)}") from e
    return _trace(exported, inputs)


@contextmanager
def _quiet(module: Any) -> Generator[None]:
    """Run a module in evaluation mode, without gradients and printed text, and restore its state:
    the reason of a failure is in the exception."""
    with ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        stack.enter_context(warnings.catch_warnings())
        stack.enter_context(redirect_stdout(io.StringIO()))
        stack.enter_context(redirect_stderr(io.StringIO()))
        stack.enter_context(keeping_state(module))
        stack.enter_context(evaluating(module))
        warnings.simplefilter("ignore")
        stack.enter_context(without_logs())
        yield


@contextmanager
def without_logs() -> Generator[None]:
    """Drop what PyTorch logs; a failure is an exception."""
    disabled = logging.root.manager.disable
    logging.disable(max(disabled, logging.ERROR))
    try:
        yield
    finally:
        logging.disable(disabled)


def _other_attention(module: Any) -> list[Any]:
    """Return the configurations of `transformers` in a module whose attention is not eager."""
    found: dict[int, Any] = {}
    for part in module.modules() if isinstance(module, torch.nn.Module) else ():
        configuration = getattr(part, "config", None)
        if getattr(configuration, IMPLEMENTATION, None) not in (None, EAGER):
            found[id(configuration)] = configuration
    return [*found.values()]


@contextmanager
def _eager_attention(configurations: Sequence[Any]) -> Generator[None]:
    before = [getattr(each, IMPLEMENTATION) for each in configurations]
    try:
        for each in configurations:
            setattr(each, IMPLEMENTATION, EAGER)
        yield
    finally:
        for each, name in zip(configurations, before, strict=True):
            setattr(each, IMPLEMENTATION, name)
