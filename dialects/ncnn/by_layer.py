"""A lazy registry of one fact per layer type, in files named after the layers' modules:

semantics = ByLayer[Semantics](__package__)
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Generic, TypeVar

from .layer import LayerOp

_T = TypeVar("_T")


class ByLayer(Generic[_T]):
    """A registry that imports a file on the first query for a layer of its family."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._said: dict[type, _T] = {}
        self._families: set[str] = set()
        """The families whose files are imported, if any."""

    def __call__(self, *layers: type[LayerOp]) -> Callable[[_T], _T]:
        """Register the fact of these layers, and of the layers derived from them."""

        def declare(what: _T) -> _T:
            self._said.update(dict.fromkeys(layers, what))
            return what

        return declare

    def of(self, layer: type[LayerOp]) -> _T | None:
        """Return the fact of a layer type; `None` if there is none."""
        family = layer.__module__.rpartition(".")[2]
        if layer not in self._said and family not in self._families:
            self._families.add(family)
            if find_spec(f"{self._package}.{family}") is not None:
                import_module(f"{self._package}.{family}")
        return next((self._said[cls] for cls in layer.mro() if cls in self._said), None)
