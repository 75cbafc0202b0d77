"""The table of passes: a row each, with its name, what the help says, and its patterns.

What else says something of passes is made of this table or tested against it: the help, the list in
docs/passes.md, the names in remarks and the steps that `ncnn-optimize` tells. Reading it imports
nothing of xDSL; patterns are imported by the pass that applies them, when it runs.
"""

from .eliminations import ELIMINATIONS, MERGES, REPLACEMENTS
from .fusions import FUSIONS
from .others import OTHERS
from .recognitions import RECOGNITIONS
from .repairs import ALONE, REPAIRS
from .row import Pattern, Row

__all__ = ["GROUPS", "PASSES", "Pattern", "Row"]

GROUPS = {
    "fusions": (*FUSIONS, *RECOGNITIONS),
    "eliminations": ELIMINATIONS,
    "several into one": MERGES,
    "one for another": REPLACEMENTS,
    "others of ours": (*OTHERS, *REPAIRS, *ALONE),
}
"""The rows, by what the help has for a title."""

PASSES = {row.name: row for rows in GROUPS.values() for row in rows}
"""The rows by name."""
