"""Search for the layers that must stay float to keep the error within a limit.

Example: alone in int8, the layers a, b, c and d make errors of 8, 4, 2 and 1; all together make 15,
and the limit is 4. With a in float 7 are left, with a and b 3. So a and b stay float. Each is tried
once more in int8, as errors add up only nearly: with b in int8 the error is 7, with a 11. Both stay
float.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from ..formats.scale_table import ScaleTable
from .evaluator import Evaluator
from .fitted_layers import restored
from .int8_models import integers_of, quantized


@dataclass(frozen=True)
class Kept:
    """A layer that stays float."""

    layer: str
    alone: float
    """The error at the outputs if only this layer is int8."""


@dataclass
class Found:
    """The result of a search."""

    kept: list[Kept] = field(default_factory=list[Kept])
    error: float = 0.0
    """The error with these layers in float."""
    all_int8: float = 0.0
    """The error with all layers in int8."""
    float_macs: float | None = None
    """The fraction of multiplications in float; `None` if a layer's number is unknown."""
    measured: int = 0
    """The number of models that were measured."""


class Search:
    """Measures the error of models, each once.

    Errors at the outputs are energies, and the errors of layers nearly add up. So each layer
    becomes int8 alone, and the layers with the largest errors stay float. Bisection finds how many:
    fewer layers in int8 make less noise. Then each of these layers, the smallest errors first,
    becomes int8 again if the limit allows it.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        table: ScaleTable,
        keep: Sequence[str],
        on_progress: Callable[[str, int, int], None] = lambda activity, done, total: None,
        fitted: ModuleOp | None = None,
    ) -> None:
        self.evaluator = evaluator
        self.fitted = fitted
        """The model with fitted weights, which layers in int8 use, if there is one."""
        self.table = table
        self.keep = list(keep)
        self.on_progress = on_progress
        self._errors: dict[frozenset[str], float] = {}
        already = integers_of(evaluator.prepared.module)
        self._names = [name for name in integers_of(self.model([])) if name not in already]

    def model(self, kept: Sequence[str]) -> ModuleOp:
        """Return the int8 model with these layers in float."""
        return quantized(self.floats(kept), self.table, [*self.keep, *kept])

    def floats(self, kept: Sequence[str]) -> ModuleOp:
        """Return the float model from which it is made."""
        original = self.evaluator.prepared.module
        return original if self.fitted is None else restored(self.fitted, original, kept)

    def error(self, kept: Sequence[str]) -> float:
        """Return the error of the int8 model with these layers in float."""
        key = frozenset(kept)
        if key not in self._errors:
            self._errors[key] = self.evaluator.error(self.model(kept))
        return self._errors[key]

    def find(self, limit: float) -> Found:
        """Return the layers to keep in float, so that the error is at most `limit`."""
        found = Found(all_int8=self.error([]))
        found.error = found.all_int8
        if found.error > limit:
            ranked = self._ranked()
            names = [kept.layer for kept in ranked]
            count = self._fewest(names, limit)
            chosen = self._without_needless(names[:count], limit)
            found.kept = [kept for kept in ranked if kept.layer in chosen]
            found.error = self.error(chosen)
        found.measured = len(self._errors)
        integers = integers_of(self.model([kept.layer for kept in found.kept]))
        found.float_macs = self.evaluator.prepared.float_macs(integers)
        return found

    def _ranked(self) -> list[Kept]:
        """Return the layers by their errors alone, the largest first."""
        names = [name for name in self._names if name not in self.keep]
        ranked: list[Kept] = []
        for done, name in enumerate(names):
            self.on_progress("trying each layer alone", done, len(names))
            ranked.append(Kept(name, self.error([n for n in names if n != name])))
        return sorted(ranked, key=lambda kept: -kept.alone)

    def _fewest(self, names: Sequence[str], limit: float) -> int:
        """Return how many of the first layers must stay float."""
        low, high = 0, len(names)  # `low` layers are too few, `high` are enough
        step = 1
        while low + step < high and self.error(names[: low + step]) > limit:
            low, step = low + step, step * 2
        high = min(low + step, high)
        while high - low > 1:
            self.on_progress("searching the fewest layers", len(names) - (high - low), len(names))
            middle = (low + high) // 2
            if self.error(names[:middle]) > limit:
                low = middle
            else:
                high = middle
        return high

    def _without_needless(self, chosen: Sequence[str], limit: float) -> list[str]:
        """Return the layers without those that can become int8 again."""
        left = list(chosen)
        for done, name in enumerate(reversed(chosen)):
            self.on_progress("trying without each of them", done, len(chosen))
            fewer = [n for n in left if n != name]
            if fewer and self.error(fewer) <= limit:
                left = fewer
        return left
