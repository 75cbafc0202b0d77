"""The options that edit a model, as passes (docs/editing.md)."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.passes import ModulePass

from .pipelines import make_pass


@dataclass(frozen=True)
class Edits:
    """The edits of a run. Layers are inserted first, under names of the file; then names change;
    inputs and outputs are ordered after all other passes, under the new names."""

    insert: Sequence[str] = ()
    """Lines of a `.param`."""
    rename: Sequence[str] = ()
    """Each `OLD=NEW`."""
    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()

    def insertions(self) -> list[ModulePass]:
        """Return the passes that insert layers. Raises `UsageError`."""
        return [make_pass("insert-layers", tuple(self.insert))] if self.insert else []

    def renamings(self) -> list[ModulePass]:
        """Return the passes that change names. Raises `UsageError`."""
        return [make_pass("rename-model", tuple(self.rename))] if self.rename else []

    def orders(self) -> list[ModulePass]:
        """Return the passes that order inputs and outputs. Raises `UsageError`."""
        if not self.inputs and not self.outputs:
            return []
        return [make_pass("reorder-model", tuple(self.inputs), tuple(self.outputs))]
