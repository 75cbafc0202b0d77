"""Prove all passes that are made of patterns, and print a table.

    python -m proofs.table           print it
    python -m proofs.table --write   also write it to docs/proofs.md, and its counts to README.md

`--passes PASS…` proves these passes only; the rows of the others stay. Run in `tests/`.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ncnn_opt.proofs import Proof, Status, prove

from .instances import instances, passes
from .variants import decided_variants

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "proofs.md"
README = ROOT / "README.md"
BEGIN, END = "<!-- table -->\n", "<!-- end -->\n"

HEAD = """\
| pass | status | instances | all extents of | laws, or reason |
| --- | --- | --- | --- | --- |"""

PROVEN = ("all extents", "instances")
"""The words for a pass that is proven."""

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
        return self.status in PROVEN

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


class Counts(NamedTuple):
    """The numbers of passes by status."""

    statuses: Counter[str]

    @property
    def everywhere(self) -> int:
        """The passes that are proven for all extents."""
        return self.statuses["all extents"]

    @property
    def proven(self) -> int:
        """The passes that are proven, at instances or for all extents."""
        return self.everywhere + self.statuses["instances"]

    def comparison(self) -> str:
        """The counts beside those of the literature."""
        at_instances = self.statuses["instances"]
        return COMPARISON.format(self.statuses.total(), self.proven, at_instances, self.everywhere)

    def summary(self) -> str:
        """The counts as a sentence."""
        rest = [each for each in self.statuses.most_common() if each[0] not in PROVEN]
        text = "".join(f", {n} {status}" for status, n in rest)
        return (
            f"{self.statuses.total()} passes: {self.proven} proven, {self.everywhere} of them for "
            f"all extents of an axis{text}"
        )

    def in_readme(self) -> str:
        """The counts as README.md has them."""
        return (
            f"{self.proven} of {self.statuses.total()} passes are proven, {self.everywhere} of "
            "them for all extents"
        )


def rows_of_page() -> dict[str, str]:
    """Return the rows of the table in docs/proofs.md by pass."""
    table = PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
    return {found[1]: found[0] for found in re.finditer(r"^\| `([^`]+)` \|.*$", table, re.M)}


def counts_of(rows: Iterable[str]) -> Counts:
    """Return the counts of rows."""
    return Counts(Counter(row.split(" | ")[1] for row in rows))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m proofs.table", description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--passes", nargs="+", default=passes(), choices=passes(), metavar="PASS")
    args = parser.parse_args()
    found = rows_of_page()
    for name in args.passes:
        found[name] = line(name).row()
        print(found[name], flush=True)
    rows = [found[name] for name in passes() if name in found]
    counts = counts_of(rows)
    print(counts.summary())
    if args.write:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        lines = [f"{counts.summary()}.\n", counts.comparison(), HEAD, *rows, END]
        PAGE.write_text(before + BEGIN + "\n".join(lines) + after, "utf-8")
        old = r"\d+ of \d+ passes are proven, \d+ of them for all extents"
        README.write_text(re.sub(old, counts.in_readme(), README.read_text("utf-8")), "utf-8")
    return int(counts.statuses["refuted"] > 0)


if __name__ == "__main__":
    sys.exit(main())
