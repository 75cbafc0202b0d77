"""Prove all passes that are made of patterns, and print a table.

    python -m proofs.table           print it
    python -m proofs.table --write   also write it to docs/proofs.md

Run in `tests/`.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ncnn_opt.proofs import Proof, Status, prove

from .instances import instances, passes
from .variants import decided_variants

PAGE = Path(__file__).parents[2] / "docs" / "proofs.md"
BEGIN, END = "<!-- table -->\n", "<!-- end -->\n"

HEAD = """\
| pass | status | instances | all extents of | laws, or reason |
| --- | --- | --- | --- | --- |"""

INSTANCES = 3
"""The models that a pass is proven on at least, if variants of its lit tests are needed."""

ATTEMPTS = 12
"""Variants that are tried for a proof at all extents."""


class Line(NamedTuple):
    """The proofs of a pass."""

    name: str
    counts: Counter[Status]
    axes: frozenset[str]
    """The kinds of axes for all of whose extents the pass is proven."""
    reasons: tuple[str, ...]
    laws: tuple[str, ...]

    @property
    def status(self) -> str:
        """The word for the pass as a whole."""
        if self.counts[Status.REFUTED]:
            return "refuted"
        if self.counts[Status.PROVEN]:
            return "all extents" if self.axes else "instances"
        return "approximate" if self.counts[Status.APPROXIMATE] else "checked only"

    @property
    def is_proven(self) -> bool:
        """Whether the pass is proven, at instances or for all extents."""
        return self.status in ("all extents", "instances")

    def row(self) -> str:
        """The line of the table in Markdown."""
        count, axes = self.counts[Status.PROVEN], ", ".join(sorted(self.axes))
        return f"| `{self.name}` | {self.status} | {count} | {axes} | {self.reason} |"

    @property
    def reason(self) -> str:
        """Why the pass is not proven, or the laws that the proofs need."""
        if self.is_proven:
            laws = f"with: {', '.join(self.laws)}" if self.laws else ""
            few = "no variant of the test has the pattern" if self._has_few() else ""
            return "; ".join(filter(None, (laws, few)))
        if self.status == "approximate":
            return "a constant is rounded, or the identity needs a law of a function"
        if self.counts[Status.UNCHANGED]:
            return "the pass does nothing to models with exact weights"
        return self.reasons[0] if self.reasons else "no test runs this pass alone"

    def _has_few(self) -> bool:
        return self.counts[Status.PROVEN] < INSTANCES


def line(name: str) -> Line:
    """Prove a pass at its instances."""
    models = list(instances(name))
    proofs: list[Proof] = []
    reasons: list[str] = []
    for each in models:
        proof = prove(name, each.module, extents=True)
        proofs.append(proof)
        if proof.status not in (Status.PROVEN, Status.UNCHANGED) and proof.reason:
            reasons.append(f"`{each.function}`: {proof.reason}".replace("|", "/"))
    proven = [proof for proof in proofs if proof.status is Status.PROVEN]
    if not any(proof.axes for proof in proven):
        for proof in islice(decided_variants(models, extents=True), ATTEMPTS):
            proofs.append(proof)
            if proof.axes:
                break
    missing = INSTANCES - sum(proof.status is Status.PROVEN for proof in proofs)
    proofs += islice(decided_variants(models), max(missing, 0))
    laws = dict.fromkeys(law for proof in proofs for law in proof.laws)
    axes = frozenset(
        text.partition(" of ")[0]
        for proof in proofs
        for group in proof.axes
        for text in group.split(" = ")
    )
    return Line(name, Counter(p.status for p in proofs), axes, tuple(reasons), tuple(laws))


COMPARISON = """\
| | rules | proven | at instances only | for all extents |
| --- | --- | --- | --- | --- |
| passes of this project | {} | {} | {} | {} |
| XLA's rules in TensorRight | 175 | 115 | 0 | 115 |
"""


def comparison_of(lines: Sequence[Line]) -> str:
    """The counts beside those of the literature."""
    every = sum(each.status == "all extents" for each in lines)
    proven = sum(each.is_proven for each in lines)
    return COMPARISON.format(len(lines), proven, proven - every, every)


def summary_of(lines: Sequence[Line]) -> str:
    """The counts of all passes."""
    proven = sum(each.is_proven for each in lines)
    everywhere = sum(each.status == "all extents" for each in lines)
    rest = Counter(each.status for each in lines if not each.is_proven)
    text = "".join(f", {n} {status}" for status, n in rest.most_common())
    return (
        f"{len(lines)} passes: {proven} proven, {everywhere} of them for all extents of an "
        f"axis{text}"
    )


def main() -> int:
    lines: list[Line] = []
    for name in passes():
        lines.append(line(name))
        print(lines[-1].row(), flush=True)
    summary = summary_of(lines)
    print(summary)
    if "--write" in sys.argv:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        rows = [f"{summary}.\n", comparison_of(lines), HEAD, *(each.row() for each in lines), END]
        PAGE.write_text(before + BEGIN + "\n".join(rows) + after, "utf-8")
    return int(any(each.status == "refuted" for each in lines))


if __name__ == "__main__":
    sys.exit(main())
