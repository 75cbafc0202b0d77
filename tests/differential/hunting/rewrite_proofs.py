"""Random nets, of which each rewrite is proven (`--verify-rewrites`): none that is right may be
refuted."""

import contextlib
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ncnn_opt.tools.ncnn_opt_main import main

from .attempt import SECONDS, Finding, Hang, limited
from .hunt import Hunt
from .sources import Case

PROVEN_IN_A_ROW = 5
"""Nets of one family and seed: proofs take longer than runs, so that fewer nets are drawn."""

STATUSES = ("proven", "approximate", "checked", "unchecked")


@dataclass
class ProofHunt(Hunt):
    """What was proven so far."""

    steps: Counter[str] = field(default_factory=Counter[str])
    """The number of rewrites by status."""
    reasons: Counter[str] = field(default_factory=Counter[str])
    """Why rewrites are not proven, and of which pass."""

    def _attempt(self, case: Case) -> Finding | bool:
        try:
            with limited(4 * SECONDS):
                status, text = verified(case, self.scratch)
        except Hang:
            return Finding("hang", "proofs", f"more than {4 * SECONDS} s", case.net, case.passes)
        for line in text.splitlines():
            if found := re.search(r"(?:un)?checked only: ([\w-]+).*\(([^()]*)\)$", line):
                self.reasons[f"{found[1]}: {found[2]}"] += 1
        if status:
            wrong = re.search(r"rewrite \d+ is wrong: ([\w-]+)(?:, (\w+))?", text)
            blame = "unknown" if wrong is None else wrong[2] or wrong[1]
            kind = "error" if wrong is None else "refuted"
            return Finding(kind, blame, text, case.net, case.passes)
        counts = re.search(r"\d+ rewrites?: (.*)", text)
        assert counts is not None, text
        made = re.findall(rf"([\d,]+) ({'|'.join(STATUSES)})\b", counts[1])
        for number, kind in made:
            self.steps[kind] += int(number.replace(",", ""))
        return bool(made)

    def lines(self) -> Iterator[str]:
        for reason, times in self.reasons.most_common():
            yield f"{times:8}  not proven: {reason}"

    def line(self, seconds: float) -> str:
        counts = ", ".join(f"{self.steps[kind]:,} {kind}" for kind in STATUSES)
        return (
            f"{self.nets:,} nets, {self.evidence:,} with rewrites: {counts}; "
            f"{len(self.found)} refuted, {seconds:,.0f} s"
        )


def verified(case: Case, folder: Path) -> tuple[int, str]:
    """The exit status of the passes of a case with `--verify-rewrites`, and what they print."""
    param, out = case.net.write(folder), folder / "verified.param"
    passes = ["--passes", ",".join(case.passes)]
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            main([str(param), *passes, "--verify-rewrites", "-o", str(out)])
    except SystemExit as e:
        return int(e.code or 0) if not isinstance(e.code, str) else 1, said.getvalue()
    return 0, said.getvalue()
