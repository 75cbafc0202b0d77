"""The number of rewritten 16-bit weights that have 16 bits again, and of those that have not."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import TensorType, f32
from xdsl.passes import ModulePass

from ...transforms.storage.convert_storage import STORED, ConvertStorage
from .run_observer import RunObserver

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, Operation


class RoundedWeights(RunObserver):
    """Counts the rewritten 16-bit weights by their final type."""

    def __init__(self) -> None:
        self._marked: list[Operation] = []

    def between_passes(
        self, done: ModulePass | None, module: "ModuleOp", following: ModulePass | None
    ) -> None:
        """Note the rewritten weights before the pass that stores them."""
        if isinstance(following, ConvertStorage) and following.storage in ("keep", "original"):
            self._marked = [op for op in module.walk() if STORED in op.attributes]

    def counts(self) -> tuple[int, int]:
        """Return the number of these weights with 16 bits, and the number of those without."""
        types = [cast("TensorType[Attribute]", op.results[0].type) for op in self._marked]
        rounded = sum(type_.element_type != f32 for type_ in types)
        return rounded, len(types) - rounded

    def facts(self) -> Mapping[str, Any]:
        """Return both numbers."""
        rounded, widened = self.counts()
        return {"rounded": rounded, "widened": widened}
