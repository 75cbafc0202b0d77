"""Which layers stay float, so that the outputs are as near to those of the float model as they must
be."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from ..formats.scale_table import ScaleTable
from .evaluator import Bench
from .fitting import restored
from .integers import integers_of, quantized


@dataclass(frozen=True)
class Kept:
    """A layer that stays float."""

    layer: str
    alone: float
    """The error at the outputs if only this layer is int8."""


@dataclass
class Found:
    """What a search found."""

    kept: list[Kept] = field(default_factory=list[Kept])
    error: float = 0.0
    """What is left of the error."""
    all_int8: float = 0.0
    """What it is with all layers in int8."""
    float_macs: float | None = None
    """The part of the multiplications that is in floats, if all are known."""
    measured: int = 0
    """How many models were measured."""


class Search:
    """Measures the error of models, each once.

    Errors at the outputs are energies, and those of layers nearly add up. So each layer is made
    int8 alone, and those with the largest errors stay float: as few as it takes, by bisection, as
    fewer layers in int8 make less noise. Then each of these, those with the least errors first, is
    made int8 again if the error allows it.
    """

    def __init__(
        self,
        bench: Bench,
        table: ScaleTable,
        path: str,
        keep: Sequence[str],
        tell: Callable[[str, int, int], None] = lambda what, done, total: None,
        fitted: ModuleOp | None = None,
    ) -> None:
        self.bench = bench
        self.fitted = fitted
        """The model whose weights are fitted to int8, if they are: of layers in int8."""
        self.table = table
        self.path = path
        self.keep = list(keep)
        self.tell = tell
        self._errors: dict[frozenset[str], float] = {}
        already = integers_of(bench.prepared.module)
        self._names = [name for name in integers_of(self.model([])) if name not in already]

    def model(self, kept: Sequence[str]) -> ModuleOp:
        """The model with these layers in float."""
        return quantized(self.floats(kept), self.table, [*self.keep, *kept], self.path)

    def floats(self, kept: Sequence[str]) -> ModuleOp:
        """The model in float that it is made of."""
        original = self.bench.prepared.module
        return original if self.fitted is None else restored(self.fitted, original, kept)

    def error(self, kept: Sequence[str]) -> float:
        """Its error."""
        key = frozenset(kept)
        if key not in self._errors:
            self._errors[key] = self.bench.error(self.model(kept))
        return self._errors[key]

    def run(self, most: float) -> Found:
        """The layers to keep, so that the error is at most this."""
        found = Found(all_int8=self.error([]))
        found.error = found.all_int8
        if found.error > most:
            ranked = self._ranked()
            names = [kept.layer for kept in ranked]
            count = self._fewest(names, most)
            chosen = self._without_needless(names[:count], most)
            found.kept = [kept for kept in ranked if kept.layer in chosen]
            found.error = self.error(chosen)
        found.measured = len(self._errors)
        integers = integers_of(self.model([kept.layer for kept in found.kept]))
        found.float_macs = self.bench.prepared.float_share(integers)
        return found

    def _ranked(self) -> list[Kept]:
        """The layers by the errors that they make alone, the largest first."""
        names = [name for name in self._names if name not in self.keep]
        ranked: list[Kept] = []
        for done, name in enumerate(names):
            self.tell("trying each layer alone", done, len(names))
            ranked.append(Kept(name, self.error([n for n in names if n != name])))
        return sorted(ranked, key=lambda kept: -kept.alone)

    def _fewest(self, names: Sequence[str], most: float) -> int:
        """How many of the first must stay float."""
        low, high = 0, len(names)  # `low` are too few, `high` are enough
        step = 1
        while low + step < high and self.error(names[: low + step]) > most:
            low, step = low + step, step * 2
        high = min(low + step, high)
        while high - low > 1:
            self.tell("searching the fewest layers", len(names) - (high - low), len(names))
            middle = (low + high) // 2
            if self.error(names[:middle]) > most:
                low = middle
            else:
                high = middle
        return high

    def _without_needless(self, chosen: Sequence[str], most: float) -> list[str]:
        """The same without layers that the others make up for."""
        left = list(chosen)
        for done, name in enumerate(reversed(chosen)):
            self.tell("trying without each of them", done, len(chosen))
            fewer = [n for n in left if n != name]
            if fewer and self.error(fewer) <= most:
                left = fewer
        return left
