"""The rows of the table of passes."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..selection import EVERYTHING, Selection

if TYPE_CHECKING:
    from xdsl.passes import ModulePass
    from xdsl.pattern_rewriter import RewritePattern

    from ..pattern_pass import Patterns
    from ..selection import LayerOrType

PACKAGE = __name__.split(".", 1)[0]


class Pattern(NamedTuple):
    """The import path of a pattern, and the rewrites of it that a pass applies."""

    class_path: str
    """A module in `folder` and the class in it: `affine.FuseAffine`."""
    selection: Selection = EVERYTHING
    folder: str = "transforms.canonicalization"
    is_auxiliary: bool = False
    """Whether remarks name another pass as the origin of these rewrites."""

    def load(self) -> "RewritePattern":
        """Import the pattern and return it."""
        cls: Any = _imported(f"{self.folder}.{self.class_path}")
        return cls() if self.selection == EVERYTHING else cls(self.selection)

    def has_class(self, cls: type) -> bool:
        """Whether the class of the pattern is `cls`."""
        path = f"{PACKAGE}.{self.folder}.{self.class_path}"
        return f"{cls.__module__}.{cls.__qualname__}" == path


class Row(NamedTuple):
    """A pass: its name, its help text, and its patterns or its class."""

    name: str
    help: str
    """One sentence, without a full stop."""
    patterns: tuple[Pattern, ...] = ()
    """In order of preference."""
    prerequisite: str | None = None
    """The name of a pass that runs before this one."""
    reports_unused: bool = False
    """Whether the pass emits a remark for each unused operation that it removes. Otherwise it
    removes these silently."""
    class_path: str | None = None
    """The module and class of a pass that has more than patterns, such as
    `transforms.extraction.cut_model.CutModel`."""

    def load(self) -> type["ModulePass"]:
        """Import the class of the pass and return it: each time the same class."""
        return _load(self)

    def make_patterns(self) -> "Patterns":
        """Import all patterns and return them."""
        return tuple(pattern.load() for pattern in self.patterns)

    def selection_of(
        self, cls: type, layer: "LayerOrType", other: "LayerOrType"
    ) -> Selection | None:
        """Return the selection of the pattern of class `cls`, if it contains the rewrite of these
        two layers. Skip auxiliary patterns."""
        for each in self.patterns:
            if not each.is_auxiliary and each.has_class(cls) and each.selection.has(layer, other):
                return each.selection
        return None


@cache
def _load(row: Row) -> type["ModulePass"]:
    if row.class_path is not None:
        return cast("type[ModulePass]", _imported(row.class_path))
    from ..pattern_pass import pass_of

    return pass_of(row)


def _imported(path: str) -> object:
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"{PACKAGE}.{module}"), name)
