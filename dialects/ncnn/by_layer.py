"""What a package says of layer types, one thing of each, in files of the same names as those of
the layers:

    semantics = ByLayer[Semantics](__package__)

    @semantics(AbsValOp)                      # in the package's activation.py
    def absval(op: AbsValOp, …) -> …: …

    semantics.of(AbsValOp)
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Generic, TypeVar

from .layer import LayerOp

_T = TypeVar("_T")


class ByLayer(Generic[_T]):
    """A lazy registry: a file is imported when a layer of its family is first asked about."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._said: dict[type[LayerOp], _T] = {}
        self._families: set[str] = set()
        """Those whose files were imported, if there are any."""

    def __call__(self, *layers: type[LayerOp]) -> Callable[[_T], _T]:
        """Declares what is said of these layers."""

        def declare(what: _T) -> _T:
            self._said.update(dict.fromkeys(layers, what))
            return what

        return declare

    def of(self, layer: type[LayerOp]) -> _T | None:
        """What is said of a layer type; `None` if nothing is."""
        family = layer.__module__.rpartition(".")[2]
        if layer not in self._said and family not in self._families:
            self._families.add(family)
            if find_spec(f"{self._package}.{family}") is not None:
                import_module(f"{self._package}.{family}")
        return self._said.get(layer)
