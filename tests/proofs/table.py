"""Prove all passes that are made of patterns, and print a table.

    python -m proofs.table           print it
    python -m proofs.table --write   also write it to docs/proofs.md

Run in `tests/`.
"""

import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from ncnn_opt.proofs import Status, prove

from .instances import instances, passes

PAGE = Path(__file__).parents[2] / "docs" / "proofs.md"
BEGIN, END = "<!-- table -->\n", "<!-- end -->\n"

HEAD = "| pass | status | proven | approximate | laws, or reason |\n| --- | --- | --- | --- | --- |"


class Line(NamedTuple):
    """The proofs of a pass."""

    name: str
    counts: Counter[Status]
    reasons: tuple[str, ...]
    laws: tuple[str, ...]

    @property
    def status(self) -> str:
        """The word for the pass as a whole."""
        if self.counts[Status.REFUTED]:
            return "refuted"
        if self.counts[Status.PROVEN]:
            return "proven"
        return "approximate" if self.counts[Status.APPROXIMATE] else "checked only"

    def row(self) -> str:
        """The line of the table in Markdown."""
        counts = (self.counts[s] for s in (Status.PROVEN, Status.APPROXIMATE))
        return f"| `{self.name}` | {self.status} | {' | '.join(map(str, counts))} | {self.reason} |"

    @property
    def reason(self) -> str:
        """Why the pass is not proven, or the laws that the proofs need."""
        if self.status == "proven":
            return f"with: {', '.join(self.laws)}" if self.laws else ""
        if self.status == "approximate":
            return "a constant is rounded, or the identity needs a law of a function"
        if self.counts[Status.UNCHANGED]:
            return "the pass does nothing to models with exact weights"
        return self.reasons[0] if self.reasons else "no test runs this pass alone"


def line(name: str) -> Line:
    """Prove a pass at its instances."""
    counts: Counter[Status] = Counter()
    reasons: list[str] = []
    laws: dict[str, None] = {}
    for each in instances(name):
        proof = prove(name, each.module)
        counts[proof.status] += 1
        laws |= dict.fromkeys(proof.laws)
        if proof.status not in (Status.PROVEN, Status.UNCHANGED) and proof.reason:
            reasons.append(f"`{each.function}`: {proof.reason}".replace("|", "/"))
    return Line(name, counts, tuple(reasons), tuple(laws))


def main() -> int:
    lines: list[Line] = []
    for name in passes():
        lines.append(line(name))
        print(lines[-1].row(), flush=True)
    total = Counter(each.status for each in lines)
    text = ", ".join(f"{n} {status}" for status, n in total.most_common())
    summary = f"{len(lines)} passes: {text}"
    print(summary)
    if "--write" in sys.argv:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        rows = [f"{summary}.\n", HEAD, *(each.row() for each in lines), END]
        PAGE.write_text(before + BEGIN + "\n".join(rows) + after, "utf-8")
    return int(total["refuted"] > 0)


if __name__ == "__main__":
    sys.exit(main())
