"""Missed rewrites: the reasons why a pattern does not rewrite layers that it matches.

MLIR's patterns call `notifyMatchFailure` for this purpose. Only the pattern knows the reason.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .observers import current_observers
from .remarks import Labelled, Remark
from .running_passes import name_of

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

    from .passes.row import LayerOrType


@dataclass(frozen=True)
class Missed:
    """A rewrite that a pattern does not make, although it matches the layers."""

    pattern: "RewritePattern"
    layers: tuple[Labelled, ...]
    new: "LayerOrType | None"
    """As for `emit_remark`."""
    why: str

    def remark(self) -> Remark:
        """Return a remark with the reason. The layers must still exist."""
        name = name_of(self.pattern, *self.layers, new=self.new)
        return Remark(name, tuple(layer.label() for layer in self.layers), self.why)


class FailedCondition(Missed):
    """A rewrite that is wrong, or slower, for these layers."""


class BeyondGrowth(Missed):
    """A rewrite that the limit on the growth of weights forbids: see `growth.py`."""


@dataclass(frozen=True)
class UnsupportedRewrite(Missed):
    """A rewrite that a newer release would support: see `release_conditions.py`."""

    layer: str
    """The type of the layer that the rewrite would create."""
    release: str
    """The oldest release that supports this layer with its parameters."""


def send_missed(missed: Missed) -> None:
    """Send a missed rewrite to the observers."""
    for on_missed in current_observers().on_missed:
        on_missed(missed)


def missed(pattern: "RewritePattern", *layers: Labelled, why: str) -> None:
    """Send the reason `why` a pattern does not rewrite these layers to the observers. The layers
    are in the order of `emit_remark`."""
    send_missed(FailedCondition(pattern, layers, None, why))
