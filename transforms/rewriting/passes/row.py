"""What the table of passes is made of."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..selection import EVERYTHING, Selection

if TYPE_CHECKING:
    from xdsl.passes import ModulePass
    from xdsl.pattern_rewriter import RewritePattern

    from ..pattern_pass import Patterns
    from ..selection import About

PACKAGE = __name__.split(".", 1)[0]


class Pattern(NamedTuple):
    """A pattern, by where it is, and which of its rewrites are meant."""

    place: str
    """A module in `folder` and the class in it: `affine.FuseAffine`."""
    selection: Selection = EVERYTHING
    folder: str = "transforms.canonicalization"
    helps: bool = False
    """Whether its rewrites are called after another pass, which they are the purpose of."""

    def load(self) -> "RewritePattern":
        """The pattern, imported now."""
        cls: Any = _found(f"{self.folder}.{self.place}")
        return cls() if self.selection == EVERYTHING else cls(self.selection)

    def is_of(self, cls: type) -> bool:
        """Whether the pattern is of this class."""
        place = f"{PACKAGE}.{self.folder}.{self.place}"
        return f"{cls.__module__}.{cls.__qualname__}" == place


class Row(NamedTuple):
    """A pass: what it is called, what the help says of it, and what it does."""

    name: str
    help: str
    """One sentence, without a full stop."""
    patterns: tuple[Pattern, ...] = ()
    """In order of preference."""
    first: str | None = None
    """A pass that must have run before."""
    tells_unused: bool = False
    """Whether what nothing uses is told like any other rewrite; else it goes without a remark."""
    place: str | None = None
    """The module and class of a pass that is not made of patterns alone, such as
    `transforms.extraction.cut_model.CutModel`."""

    def load(self) -> type["ModulePass"]:
        """The class of the pass, imported now; always the same one."""
        return _load(self)

    def make_patterns(self) -> "Patterns":
        """All patterns, imported now."""
        return tuple(pattern.load() for pattern in self.patterns)

    def selection_of(self, cls: type, layer: "About", other: "About") -> Selection | None:
        """What the pass selects of the rewrites of a pattern, if that of these two layers is one
        that it is there for."""
        for each in self.patterns:
            if not each.helps and each.is_of(cls) and each.selection.has(layer, other):
                return each.selection
        return None


@cache
def _load(row: Row) -> type["ModulePass"]:
    if row.place is not None:
        return cast("type[ModulePass]", _found(row.place))
    from ..pattern_pass import pass_of

    return pass_of(row)


def _found(place: str) -> object:
    module, _, name = place.rpartition(".")
    return getattr(import_module(f"{PACKAGE}.{module}"), name)
