"""What there is to work with: the dialects and passes of xDSL, ours, and those that other packages
bring along."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from xdsl.context import Context
from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE, Universe

from ..transforms import get_all_passes
from .errors import UsageError

LoadPass = Callable[[], type[ModulePass]]
"""Imports a pass when it is asked for."""


def _ncnn() -> Dialect:
    from ..dialects.ncnn import NCNN

    return NCNN


def _fused() -> Dialect:
    from ..dialects.fused import FUSED

    return FUSED


def _pnnx() -> Dialect:
    from ..dialects.pnnx import PNNX

    return PNNX


def _util() -> Dialect:
    from ..dialects.iree import UTIL

    return UTIL


def _flow() -> Dialect:
    from ..dialects.iree import FLOW

    return FLOW


NCNN_OPT = Universe(
    all_dialects={"ncnn": _ncnn, "fused": _fused, "pnnx": _pnnx, "util": _util, "flow": _flow},
    all_passes=get_all_passes(),
)
"""Our dialects and passes, imported when they are first met."""

AT_HAND = (XDSL_UNIVERSE, NCNN_OPT)
"""What is there without other packages."""


@cache
def universe() -> Universe:
    """All of them by name, imported when they are asked for. Raises `UsageError` for a package that
    cannot be loaded, or has a pass or dialect of a name that there is already."""
    try:
        return Universe.get_multiverse()
    except Exception as e:  # whatever the code of others raises
        _universes()  # says which package cannot be loaded, if it is that
        raise UsageError(f"packages with passes do not go together: {e}") from e


def _universes() -> Sequence[tuple[str, Universe]]:
    """What each package has, with its name. Raises `UsageError` for one that cannot be loaded."""
    from importlib.metadata import entry_points

    found: list[tuple[str, Universe]] = []
    for entry in entry_points(group="xdsl.universe"):
        package = entry.name if entry.dist is None else entry.dist.name
        try:
            found.append((package, entry.load()))
        except Exception as e:  # whatever the code of others raises
            raise UsageError(
                f"the passes of the package '{package}' cannot be loaded from '{entry.value}': "
                f"{type(e).__name__}: {e}"
            ) from e
    return found


class AllPasses(Mapping[str, LoadPass]):
    """The passes by name; for one of xDSL's own that must know about layers, ours of the same name.

    Other packages are asked for a name that neither xDSL nor we have, and for all names: to find
    them the metadata of all that is installed is read, a tenth of the time of a short run."""

    def __init__(self) -> None:
        self.at_hand = {name: load for each in AT_HAND for name, load in each.all_passes.items()}
        self.at_hand["apply-pdl"] = _apply_pdl

    def __getitem__(self, name: str) -> LoadPass:
        return self.at_hand[name] if name in self.at_hand else universe().all_passes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(universe().all_passes)

    def __len__(self) -> int:
        return len(universe().all_passes)


def _apply_pdl() -> type[ModulePass]:
    from ..transforms.apply_pdl import ApplyPDL

    return ApplyPDL


def passes_of_xdsl() -> Sequence[str]:
    """The names of xDSL's own passes."""
    return sorted(XDSL_UNIVERSE.all_passes)


def passes_of_others() -> Mapping[str, Sequence[str]]:
    """The names of passes that other packages bring along, by package: those that have an entry
    point `xdsl.universe`. Raises `UsageError` as `universe`."""
    known = {name for each in AT_HAND for name in each.all_passes}
    found: dict[str, list[str]] = {}
    for package, brought in _universes():
        if names := sorted(brought.all_passes.keys() - known):
            found.setdefault(package, []).extend(names)
    return found


def make_context(foreign: bool = True) -> Context:
    """A context that knows all dialects of this environment, or only those of xDSL and ours."""
    context = Context()
    for each in (universe(),) if foreign else AT_HAND:
        for name, dialect in each.all_dialects.items():
            context.register_dialect(name, dialect)
    return context
