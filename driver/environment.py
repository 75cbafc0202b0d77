"""The dialects and passes of xDSL, of this package, and of other packages."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from xdsl.context import Context
from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE, Universe

from ..transforms import get_all_passes
from .errors import UsageError

LoadDialect = Callable[[], Dialect]
"""Imports and returns a dialect."""

LoadPass = Callable[[], type[ModulePass]]
"""Imports and returns a pass."""


def _ncnn() -> Dialect:
    from ..dialects.ncnn.dialect import NCNN

    return NCNN


def _fused() -> Dialect:
    from ..dialects.fused import FUSED

    return FUSED


def _pnnx() -> Dialect:
    from ..dialects.pnnx import PNNX

    return PNNX


DIALECTS: dict[str, LoadDialect] = {"ncnn": _ncnn, "fused": _fused, "pnnx": _pnnx}


def _util() -> Dialect:
    from ..dialects.iree import UTIL

    return UTIL


def _flow() -> Dialect:
    from ..dialects.iree import FLOW

    return FLOW


def _tensor_ext() -> Dialect:
    from ..dialects.iree import TENSOR_EXT

    return TENSOR_EXT


OF_IREE: dict[str, LoadDialect] = {
    "util": _util,
    "flow": _flow,
    "iree_tensor_ext": _tensor_ext,
}
"""The parts of IREE's dialects that we write, in our own contexts only: another package may have
all of them."""

NCNN_OPT = Universe(all_dialects=DIALECTS, all_passes=get_all_passes())
"""Our dialects and passes, imported on demand."""

AT_HAND = (XDSL_UNIVERSE, NCNN_OPT)
"""The dialects and passes without other packages."""


@cache
def universe() -> Universe:
    """Return all dialects and passes by name, imported on demand. Raises `UsageError` for a package
    that cannot be loaded, or whose pass or dialect has the name of another one."""
    try:
        return Universe.get_multiverse()
    except Exception as e:  # whatever the code of others raises
        _universes()  # raises an error with the name of a package that cannot be loaded
        raise UsageError(f"packages with passes do not go together: {e}") from e


def _universes() -> Sequence[tuple[str, Universe]]:
    """Return the universe of each package with its name. Raises `UsageError` for a package that
    cannot be loaded."""
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
    """The passes by name. Ours replace passes of xDSL that must handle layers.

    Other packages are searched only for unknown names and for the list of all names: the search
    reads the metadata of all installed packages, which takes a tenth of the time of a short run."""

    def __init__(self) -> None:
        self.at_hand = {name: load for each in AT_HAND for name, load in each.all_passes.items()}
        self.at_hand |= {"apply-pdl": _apply_pdl, "canonicalize": _canonicalize}

    def __getitem__(self, name: str) -> LoadPass:
        return self.at_hand[name] if name in self.at_hand else universe().all_passes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(universe().all_passes)

    def __len__(self) -> int:
        return len(universe().all_passes)


@cache
def available_passes() -> Mapping[str, LoadPass]:
    """Return all passes of this environment by name."""
    return AllPasses()


def _apply_pdl() -> type[ModulePass]:
    from ..transforms.apply_pdl import ApplyPDL

    return ApplyPDL


def _canonicalize() -> type[ModulePass]:
    from ..transforms.canonicalize import Canonicalize

    return Canonicalize


def passes_of_xdsl() -> Sequence[str]:
    """Return the names of xDSL's own passes."""
    return sorted(XDSL_UNIVERSE.all_passes)


def passes_of_others() -> Mapping[str, Sequence[str]]:
    """Return the names of passes of other packages (entry points `xdsl.universe`), by package.
    Raises `UsageError` as `universe`."""
    known = {name for each in AT_HAND for name in each.all_passes}
    found: dict[str, list[str]] = {}
    for package, brought in _universes():
        if names := sorted(brought.all_passes.keys() - known):
            found.setdefault(package, []).extend(names)
    return found


def make_context(foreign: bool = True) -> Context:
    """Return a context with all dialects of this environment; without `foreign`, with xDSL's and
    our dialects only."""
    dialects = dict(OF_IREE)
    for each in (universe(),) if foreign else AT_HAND:
        dialects.update(each.all_dialects)
    context = Context()
    for name, dialect in dialects.items():
        context.register_dialect(name, dialect)
    return context
