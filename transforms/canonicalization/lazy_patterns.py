"""Patterns that are imported when a model has a layer of their root type.

A model does not pay for layer types that it lacks: neither their patterns nor their dialect modules
are imported.
"""

from collections.abc import Callable
from functools import cache
from types import UnionType
from typing import NamedTuple

from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern

from ...dialects.xdsl_extras.roots import root_of
from ..rewriting.passes.row import Pattern


class LazyPattern(NamedTuple):
    """A pattern that is not imported yet, with its root ops."""

    place: str
    layers: tuple[str, ...]
    """All layer types that the pattern can have as root op, if they are few. Empty: unknown before
    the import. The annotation of the pattern repeats these types; a test compares them."""
    when: Callable[[Operation], bool] | None = None
    """A necessary condition on the root op, checked before the import. It is given for layer types
    that are frequent and rarely match."""

    def load(self) -> RewritePattern:
        """Import the pattern and return it; always the same instance."""
        return _load(self.place)


def at(place: str, *layers: str, when: Callable[[Operation], bool] | None = None) -> LazyPattern:
    """Return the pattern at `module.Class`, with layers of these types as root ops."""
    return LazyPattern(place, layers, when)


@cache
def _load(place: str) -> RewritePattern:
    return Pattern(place).load()


@cache
def roots_of(pattern: type[RewritePattern]) -> type | UnionType | tuple[type, ...]:
    """Return the root types or interfaces of a pattern: its `ROOTS`, or the annotation of
    `match_and_rewrite`."""
    declared: tuple[type, ...] | None = getattr(pattern, "ROOTS", None)
    return root_of(pattern) if declared is None else declared
