"""Patterns by the layers that they are rooted at, imported when there is such a layer: what a model
has no layers for costs it nothing, neither the patterns nor the dialect's modules behind them."""

from collections.abc import Callable
from functools import cache
from types import UnionType
from typing import NamedTuple

from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern

from ...xdsl_extras.roots import root_of
from ..passes.row import Pattern


class Rooted(NamedTuple):
    """A pattern by where it is (`Pattern.place`)."""

    place: str
    layers: tuple[str, ...]
    """The types of the layers that it is rooted at, all of them, where these are few; none: it is
    not known before it is imported. (The annotation of the pattern says the same; a test compares
    the two.)"""
    when: Callable[[Operation], bool] | None = None
    """What is so of such a layer wherever the pattern fires, as can be seen without importing it:
    where layers of these types are many, and few are such."""

    def may_be_at(self, layer: str) -> bool:
        """Whether it may be rooted at layers of a type."""
        return not self.layers or layer in self.layers

    def load(self) -> RewritePattern:
        """The pattern, imported now; always the same one."""
        return _load(self.place)


def at(place: str, *layers: str, when: Callable[[Operation], bool] | None = None) -> Rooted:
    """The pattern at a place, rooted at layers of these types."""
    return Rooted(place, layers, when)


@cache
def _load(place: str) -> RewritePattern:
    return Pattern(place).load()


@cache
def roots_of(pattern: type[RewritePattern]) -> type | UnionType | tuple[type, ...]:
    """The types or interfaces of the layers that a pattern is rooted at: those that a recognizer
    says, or the annotation of `match_and_rewrite`."""
    declared: tuple[type, ...] | None = getattr(pattern, "ROOTS", None)
    return root_of(pattern) if declared is None else declared
