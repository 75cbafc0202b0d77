"""The options that edit a model, as passes (docs/editing.md).

The command and the Python API both use them, so an edit has the same effect in both.
"""

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
    join: Sequence[str] | None = None
    """The connected blobs of models that are joined, each `OUTPUT=INPUT`; `None` for one model."""
    joined_inputs: Sequence[str] = ()
    """The order of the inputs of the joined model."""
    split_at: Sequence[str] = ()
    split_size: int | None = None
    split_parts: int | None = None

    fractions: Sequence[float] = ()
    """The fractions of further models with which the model is interpolated."""

    expanded: Sequence[str] = ()
    """The types of custom layers that further models stand for."""

    shapes: Sequence[str] = ()
    """The shape functions of custom layers, each `TYPE=FUNCTION`."""

    table_inputs: bool = False
    """Whether tables of positions become inputs."""

    def feeds(self) -> list[ModulePass]:
        """Return the pass that makes tables inputs."""
        return [make_pass("inputs-for-tables")] if self.table_inputs else []

    def declarations(self) -> list[ModulePass]:
        """Return the pass that declares shape functions. Raises `UsageError`."""
        return [make_pass("declare-custom-shapes", tuple(self.shapes))] if self.shapes else []

    def joins(self) -> list[ModulePass]:
        """Return the pass that makes one model of several. Raises `UsageError`."""
        if self.fractions:
            return [make_pass("interpolate-models", tuple(self.fractions))]
        if self.expanded:
            return [make_pass("expand-custom-layers", tuple(self.expanded))]
        if self.join is None:
            return []
        return [make_pass("join-models", tuple(self.join), tuple(self.joined_inputs))]

    def splits(self) -> list[ModulePass]:
        """Return the pass that splits the result. Raises `UsageError`."""
        if not self.split_at and self.split_size is None and self.split_parts is None:
            return []
        at = tuple(self.split_at)
        return [make_pass("split-model", at, self.split_size, self.split_parts)]

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
