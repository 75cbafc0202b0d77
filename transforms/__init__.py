"""The passes of ncnn-opt."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from .rewriting.passes import PASSES
from .rewriting.passes.repairs import ALONE, REPAIRS
from .rewriting.stages import OPTIMIZE

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

__all__ = ["OPTIMIZE", "REPAIR", "REPAIR_ALONE", "get_all_passes"]

REPAIR = tuple(row.name for row in REPAIRS)
"""The passes that `--pnnx` runs before all others, in order."""

REPAIR_ALONE = tuple(row.name for row in ALONE)
"""The passes that run before `-O` if the model has layers that the runtime lacks and there is no
PNNX file that defines them."""


def get_all_passes() -> dict[str, Callable[[], type["ModulePass"]]]:
    """Return a function for each pass name that imports the pass."""
    return {name: row.load for name, row in PASSES.items()}
