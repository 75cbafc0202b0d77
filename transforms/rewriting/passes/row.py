"""The rows of the table of passes.

A row contains a function that imports the patterns of the pass, or its class, so that the table
itself imports nothing.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from xdsl.passes import ModulePass
    from xdsl.pattern_rewriter import RewritePattern

    from ..selection import LayerOrType, Selection


class Auxiliary(NamedTuple):
    """A pattern of a pass whose rewrites remarks attribute to another pass."""

    pattern: "RewritePattern"


if TYPE_CHECKING:
    Patterns = Sequence[RewritePattern | Auxiliary]
    """The patterns of a row, in order of preference."""


class Row(NamedTuple):
    """A pass: its name, its help text, and its patterns or its class."""

    name: str
    help: str
    """One sentence, without a full stop."""
    patterns: "Callable[[], Patterns] | None" = None
    """Imports the patterns and returns them."""
    prerequisite: str | None = None
    """The name of a pass that runs before this one."""
    reports_unused: bool = False
    """Whether the pass emits a remark for each unused operation that it removes. Otherwise it
    removes these silently."""
    pass_class: "Callable[[], type[ModulePass]] | None" = None
    """Imports the class of a pass that has more than patterns, and returns it."""

    def load(self) -> type["ModulePass"]:
        """Import the class of the pass and return it: each time the same class."""
        return _load(self)

    def make_patterns(self) -> tuple["RewritePattern", ...]:
        """Import all patterns and return them: each time the same instances."""
        return tuple(p.pattern if isinstance(p, Auxiliary) else p for p in _patterns(self))

    def own_patterns(self) -> tuple["RewritePattern", ...]:
        """Return the patterns whose rewrites remarks attribute to this pass."""
        return tuple(p for p in _patterns(self) if not isinstance(p, Auxiliary))

    def selection_of(
        self, cls: type, layer: "LayerOrType", other: "LayerOrType"
    ) -> "Selection | None":
        """Return the selection of the pattern of class `cls`, if it contains the rewrite of these
        two layers. Skip auxiliary patterns."""
        from ...canonicalization.selective import selection_of

        for each in self.own_patterns():
            if type(each) is cls and (selection := selection_of(each)).has(layer, other):
                return selection
        return None


@cache
def _load(row: Row) -> type["ModulePass"]:
    if row.pass_class is not None:
        return row.pass_class()
    from ..pattern_pass import pass_of

    return pass_of(row)


@cache
def _patterns(row: Row) -> "Patterns":
    return () if row.patterns is None else row.patterns()


class Rows(list[Row]):
    """Rows of the table, in order. Decorators add rows."""

    def add(
        self, name: str, help: str, prerequisite: str | None = None, reports_unused: bool = False
    ) -> "Callable[[Callable[[], Patterns]], Callable[[], Patterns]]":
        """Return a decorator of a function that imports the patterns of a pass: add the pass."""

        def decorate(patterns: "Callable[[], Patterns]") -> "Callable[[], Patterns]":
            self.append(Row(name, help, patterns, prerequisite, reports_unused))
            return patterns

        return decorate

    def add_class(
        self, name: str, help: str, patterns: "Callable[[], Patterns] | None" = None
    ) -> "Callable[[Callable[[], type[ModulePass]]], Callable[[], type[ModulePass]]]":
        """Return a decorator of a function that imports the class of a pass: add the pass, which
        may have patterns, too."""

        def decorate(pass_class: "Callable[[], type[ModulePass]]"):
            self.append(Row(name, help, patterns, pass_class=pass_class))
            return pass_class

        return decorate
