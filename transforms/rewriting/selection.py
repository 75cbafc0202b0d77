"""Selections of a pattern's rewrites, by the layers that they rewrite.

A pattern makes all rewrites that it can. A pass may select some of them, for example only the fold
of a BatchNorm into a Deconvolution. This module imports nothing: the table of passes, which
`--help` reads, contains selections.
"""

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from ...dialects.ncnn.layer import LayerOp

    LayerOrType: TypeAlias = LayerOp | type[LayerOp] | None
    """A layer, or the type of a layer that a rewrite would create."""


class Kind(NamedTuple):
    """Layers of given types that satisfy given conditions."""

    types: tuple[str, ...]
    conditions: tuple[tuple[str, object], ...] = ()
    """Names of parameters, or of methods without arguments, with the values that they must have."""

    def has(self, layer: "LayerOrType") -> bool:
        """Whether a layer is of this kind. For a layer type, only the type counts."""
        if layer is None or layer.LAYER_TYPE not in self.types:
            return False
        return isinstance(layer, type) or all(
            _value_of(layer, key) == value for key, value in self.conditions
        )


def _value_of(layer: "LayerOp", key: str) -> object:
    found: Any = getattr(layer, key)
    return found() if callable(found) else found


def kind(*types: str, **conditions: object) -> Kind:
    """Return the kind of the layers of these types that satisfy these conditions."""
    return Kind(types, tuple(conditions.items()))


class Selection(NamedTuple):
    """The rewrites of a pattern that involve layers of some kinds. An empty tuple selects all."""

    layer: tuple[Kind, ...] = ()
    """The pattern's root, which the rewrite removes or replaces."""
    other: tuple[Kind, ...] = ()
    """The second layer of the rewrite: the layer that absorbs the root, the layer before the root,
    or the layer that replaces it. Each pattern defines it."""

    def has(self, layer: "LayerOrType", other: "LayerOrType" = None) -> bool:
        """Whether the selection contains the rewrite of these two layers."""
        return _has(self.layer, layer) and _has(self.other, other)


def _has(kinds: tuple[Kind, ...], layer: "LayerOrType") -> bool:
    return not kinds or any(each.has(layer) for each in kinds)


EVERYTHING = Selection()
