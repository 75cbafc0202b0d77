"""The loop of a hunt: batches of cases, each from a seed of its own."""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import Phase, given, seed, settings

from ..amount import IN_A_ROW, REPEATABLE
from ..runtime import Runtime
from ..tally import Tally
from .attempt import BATCHES, OTHERS, Finding, attempt
from .reduction import reduce_found
from .sources import FAMILIES, Case, cases

BATCH = IN_A_ROW
"""Nets of one source and seed."""

SHRINKS = 400
"""Tries to make smaller what was found first."""


@dataclass
class Hunt:
    """What was tried so far, and found."""

    runtime: Runtime
    scratch: Path
    """Where models are written."""
    folder: Path
    """Where those stay that show a defect."""
    families: Sequence[str] = tuple(FAMILIES)
    batch: int = BATCH
    others: int = OTHERS
    batches: int = BATCHES
    tally: Tally = field(default_factory=Tally)
    nets: int = 0
    evidence: int = 0
    """Of the nets, those that give numbers."""
    found: Counter[str] = field(default_factory=Counter[str])
    """How often each defect showed."""
    smallest: dict[str, int] = field(default_factory=dict[str, int])
    reduced: dict[str, Path] = field(default_factory=dict[str, Path])
    """The models that `ncnn-reduce` made of nets with a defect."""

    def run(self, count: int, first_seed: int) -> Iterator[None]:
        """Tries so many nets; comes back after each batch."""
        number = first_seed
        while self.nets < count:
            self._batch(number, min(self.batch, count - self.nets))
            number += 1
            yield

    def _batch(self, number: int, count: int) -> None:
        """The nets of one seed."""
        new: dict[str, Finding] = {}

        def each(case: Case) -> None:
            with self.tally.listening():
                result = self._attempt(case)
            self.nets += 1
            if isinstance(result, Finding):
                if result.key not in self.found:
                    new.setdefault(result.key, result)
                self.found[result.key] += 1
                self._keep(result, number)
            else:
                self.evidence += result

        self._draw(number, count, each, [Phase.generate])
        for key in new:
            self._shrink(number, count, key)
            passes = json.loads((self.folder / f"{key}.txt").read_text().splitlines()[1][7:])
            small = reduce_found(self.folder / f"{key}.param", new[key].what, passes)
            if small is not None:
                self.reduced[key] = small

    def _attempt(self, case: Case) -> Finding | bool:
        return attempt(case, self.runtime, self.scratch, self.others, self.batches)

    def _draw(
        self, number: int, count: int, each: Callable[[Case], None], phases: Sequence[Phase]
    ) -> None:
        rng = random.Random(number)
        family = rng.choice(self.families)
        kinds = FAMILIES[family]
        source = kinds[rng.choice(sorted(kinds))]

        @seed(number)
        @settings(REPEATABLE, derandomize=False, max_examples=count, phases=phases)
        @given(cases(family, source))
        def run(case: Case) -> None:
            each(case)

        run()

    def _shrink(self, number: int, count: int, key: str) -> None:
        """Lets Hypothesis make a net smaller that shows a defect."""
        left = SHRINKS

        def each(case: Case) -> None:
            nonlocal left
            left -= 1
            result = self._attempt(case) if left > 0 else False
            if isinstance(result, Finding) and result.key == key:
                self._keep(result, number)
                raise AssertionError(key)

        try:
            self._draw(number, count, each, [Phase.generate, Phase.shrink])
        except (AssertionError, BaseExceptionGroup):
            pass

    def _keep(self, finding: Finding, number: int) -> None:
        """Writes down the smallest net of each defect."""
        size = len(finding.net.text())
        if size >= self.smallest.get(finding.key, size + 1):
            return
        self.smallest[finding.key] = size
        self.folder.mkdir(exist_ok=True)
        finding.net.write(self.folder, finding.key)
        text = f"seed {number}\npasses {json.dumps(finding.passes)}\n\n{finding.details}\n"
        (self.folder / f"{finding.key}.txt").write_text(text)

    def lines(self) -> Iterator[str]:
        """What was tried, at the end."""
        return self.tally.by_pattern()

    def line(self, seconds: float) -> str:
        """How far it is."""
        compared = sum(row[""] for name, row in self.tally.columns.items() if name in COMPARED)
        return (
            f"{self.nets:,} nets, {self.evidence:,} with numbers, {compared:,} comparisons, "
            f"{len(self.found)} defects, {seconds:,.0f} s"
        )


COMPARED = ("declared", "extents", "rank", "batch", "default options")
"""The columns of a tally that add up to all comparisons."""


def report(hunt: Hunt) -> Iterator[str]:
    """What came of it."""
    yield from hunt.lines()
    for key, times in hunt.found.most_common():
        yield f"{times:8}  {key}: {hunt.reduced.get(key, hunt.folder / f'{key}.param')}"


def progress(hunt: Hunt, count: int, first_seed: int, say: Callable[[str], None]) -> None:
    """Runs a hunt and says now and then how far it is."""
    start = said = time.monotonic()
    for _ in hunt.run(count, first_seed):
        now = time.monotonic()
        if now - said > 10:
            said = now
            say(hunt.line(now - start))
    say(hunt.line(time.monotonic() - start))
