"""The rows of the table of passes.

A row contains a function that imports the patterns of the pass, or its class, so that the table
itself imports nothing.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from xdsl.passes import ModulePass
    from xdsl.pattern_rewriter import RewritePattern

    from ....dialects.ncnn.layer import LayerOp

    LayerOrType: TypeAlias = LayerOp | type[LayerOp]
    """A layer, or the type of a layer that a rewrite would create."""


class Layers(NamedTuple):
    """Layers of given types; only those that satisfy a condition, if there is one."""

    types: tuple[str, ...]
    condition: "Callable[[Any], bool] | None" = None

    def has(self, layer: "LayerOrType") -> bool:
        """Whether a layer is one of these. For a layer type, only the type counts."""
        if layer.LAYER_TYPE not in self.types:
            return False
        return self.condition is None or isinstance(layer, type) or self.condition(layer)


def of_types(*types: str, only: "Callable[[Any], bool] | None" = None) -> Layers:
    """Return the layers of these types; with `only`, those that satisfy this condition."""
    return Layers(types, only)


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
    first: Layers | None = None
    """Restricts the pass to rewrites where the first layer of the remark, which remains, is one of
    these; for a rewrite that creates a layer, the new layer."""
    last: Layers | None = None
    """Restricts the pass to rewrites where the last layer of the remark is one of these."""

    def load(self) -> type["ModulePass"]:
        """Import the class of the pass and return it: each time the same class."""
        return _load(self)

    def make_patterns(self) -> tuple["RewritePattern", ...]:
        """Import all patterns and return them: each time the same instances."""
        return tuple(p.pattern if isinstance(p, Auxiliary) else p for p in _patterns(self))

    def owns(self, cls: "type[RewritePattern]") -> bool:
        """Whether remarks attribute rewrites of a pattern of this class to this pass."""
        return any(type(each) is cls for each in _patterns(self))

    def selects(self, layers: "Sequence[LayerOrType]", new: "LayerOrType | None" = None) -> bool:
        """Whether `first` and `last` allow a rewrite of these layers, in the order of its remark.
        `new` is the layer that replaces all of them, or its type."""
        first = layers[0] if new is None else new
        return (self.first is None or self.first.has(first)) and (
            self.last is None or self.last.has(layers[-1])
        )


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
        self,
        name: str,
        help: str,
        first: Layers | None = None,
        last: Layers | None = None,
        prerequisite: str | None = None,
        reports_unused: bool = False,
    ) -> "Callable[[Callable[[], Patterns]], Callable[[], Patterns]]":
        """Return a decorator of a function that imports the patterns of a pass: add the pass."""

        def decorate(patterns: "Callable[[], Patterns]") -> "Callable[[], Patterns]":
            self.append(Row(name, help, patterns, prerequisite, reports_unused, None, first, last))
            return patterns

        return decorate

    def add_class(
        self,
        name: str,
        help: str,
        patterns: "Callable[[], Patterns] | None" = None,
        last: Layers | None = None,
    ) -> "Callable[[Callable[[], type[ModulePass]]], Callable[[], type[ModulePass]]]":
        """Return a decorator of a function that imports the class of a pass: add the pass, which
        may have patterns, too."""

        def decorate(pass_class: "Callable[[], type[ModulePass]]"):
            self.append(Row(name, help, patterns, pass_class=pass_class, last=last))
            return pass_class

        return decorate
