"""Which rewrites of a pattern are meant, by the layers that they are about.

A pattern does all that it can; a pass may want only some of that: a BatchNorm into a Deconvolution,
say. Nothing is imported here: the table of passes, which `--help` reads, is made of these.
"""

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from ...dialects.ncnn.layer import LayerOp

    About: TypeAlias = LayerOp | type[LayerOp] | None
    """A layer, or the type of one that is to be made."""


class Kind(NamedTuple):
    """Layers of some types, perhaps only such of which something is so."""

    types: tuple[str, ...]
    so: tuple[tuple[str, object], ...] = ()
    """Parameters, or methods without arguments, and what they are."""

    def has(self, layer: "About") -> bool:
        """Whether a layer is one of them. Of a type that is all there is to know."""
        if layer is None or layer.LAYER_TYPE not in self.types:
            return False
        return isinstance(layer, type) or all(_asked(layer, key) == value for key, value in self.so)


def _asked(layer: "LayerOp", key: str) -> object:
    found: Any = getattr(layer, key)
    return found() if callable(found) else found


def kind(*types: str, **so: object) -> Kind:
    """Layers of these types, of which this is so."""
    return Kind(types, tuple(so.items()))


class Selection(NamedTuple):
    """Rewrites, by two layers. Empty means any."""

    layer: tuple[Kind, ...] = ()
    """The layer that the pattern is rooted at: one that goes, or is replaced."""
    other: tuple[Kind, ...] = ()
    """The one that it is joined with, or comes behind, or that is made of it: the pattern says."""

    def has(self, layer: "About", other: "About" = None) -> bool:
        """Whether a rewrite of these two is one of them."""
        return _has(self.layer, layer) and _has(self.other, other)


def _has(kinds: tuple[Kind, ...], layer: "About") -> bool:
    return not kinds or any(each.has(layer) for each in kinds)


EVERYTHING = Selection()
