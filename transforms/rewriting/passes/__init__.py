"""The table of passes: for each pass a row with its name, its help text and its patterns.

The help, the list in docs/passes.md, the names in remarks and the steps that `ncnn-optimize` prints
are generated from this table or tested against it. Importing it does not import xDSL; a pass
imports its patterns when it runs.
"""

from .conversions import CONVERSIONS
from .eliminations import ELIMINATIONS, MERGES
from .fusions import FUSIONS
from .others import OTHERS
from .recognitions import RECOGNITIONS
from .repairs import ALONE, REPAIRS
from .replacements import REPLACEMENTS
from .row import Row

__all__ = ["GROUPS", "PASSES", "Row"]

GROUPS = {
    "fusions": (*FUSIONS, *RECOGNITIONS),
    "eliminations": ELIMINATIONS,
    "merges": MERGES,
    "replacements": REPLACEMENTS,
    "other passes": (*OTHERS, *CONVERSIONS, *REPAIRS, *ALONE),
}
"""The rows, by their title in the help."""

PASSES = {row.name: row for rows in GROUPS.values() for row in rows}
"""The rows by name."""
