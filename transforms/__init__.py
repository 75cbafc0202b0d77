"""The passes of ncnn-opt."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from .rewriting.passes import PASSES
from .rewriting.passes.repairs import ALONE, REPAIRS
from .rewriting.stages import FOR_OWN_RELEASE, OPTIMIZE

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

__all__ = ["FOR_OWN_RELEASE", "OPTIMIZE", "REPAIR", "REPAIR_ALONE", "get_all_passes"]

REPAIR = tuple(row.name for row in REPAIRS)
"""What `--pnnx` runs before all others, in order."""

REPAIR_ALONE = tuple(row.name for row in ALONE)
"""What is run before `-O` where there are layers that the runtime does not have, and no file that
says what they are."""


def get_all_passes() -> dict[str, Callable[[], type["ModulePass"]]]:
    """Every pass by name, imported when it is asked for."""
    return {name: row.load for name, row in PASSES.items()}
