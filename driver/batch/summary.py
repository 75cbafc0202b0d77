"""The summary of a batch: a table, and a file in JSON, CSV or JUnit's XML."""

import csv
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from ...formats.columns import columns_of, left_aligned, printable, truncated_suffix
from ..errors import UsageError
from .jobs import Figures, Job, JobOutcome

KINDS = (".json", ".csv", ".xml", ".html")

SHORTEST = 16
"""The columns that a long model name has at least."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot express."""


@dataclass(frozen=True)
class BatchSummary:
    """The outcomes of a batch."""

    command: str
    version: str
    options: Sequence[str]
    """The options for each model."""
    outcomes: Mapping[Job, JobOutcome]
    seconds: float
    has_outputs: bool = True
    """Whether the outputs are files that stay."""

    def counts(self) -> dict[str, int]:
        """Return the number of models by status."""
        statuses = [outcome.status for outcome in self.outcomes.values()]
        names = ("done", "failed", "up to date", "not run")
        return {name: statuses.count(name) for name in names}

    def render(self, path: str) -> str:
        """Return the summary as the kind of file that the name specifies (see `check_kind`)."""
        ending = os.path.splitext(path)[1]
        if ending == ".html":
            return self._html(os.path.dirname(path))
        return {".json": self._json, ".csv": self._csv, ".xml": self._xml}[ending]()

    def rows(self) -> list[dict[str, Any]]:
        """Return the facts of each model."""
        return [
            {
                "model": job.path,
                **({"output": job.output} if self.has_outputs else {}),
                "status": outcome.status,
                "seconds": round(outcome.seconds, 3),
                **outcome.figures,
                "message": outcome.messages.strip(),
                **({"lost": True} if outcome.lost else {}),
            }
            for job, outcome in self.outcomes.items()
        ]

    def _html(self, folder: str) -> str:
        """Return a page in a folder, with a link to the output of each model."""
        from ...report.index import Entry, index_page

        entries = [
            Entry(
                job.path,
                os.path.relpath(job.output, folder or ".")
                if self.has_outputs and os.path.isfile(job.output)
                else None,
                outcome.status,
                outcome.figures,
                outcome.messages.strip() if outcome.failed else "",
            )
            for job, outcome in self.outcomes.items()
        ]
        return index_page(self.command, entries, self.total())

    def _json(self) -> str:
        def plain(value: str | float | tuple[int, int]) -> object:
            return dict(zip(("before", "after"), value)) if isinstance(value, tuple) else value

        facts = {
            "command": self.command,
            "version": self.version,
            "options": list(self.options),
            "seconds": round(self.seconds, 3),
            "counts": self.counts(),
            "models": [{k: plain(v) for k, v in row.items()} for row in self.rows()],
        }
        return json.dumps(facts, indent=1) + "\n"

    def _csv(self) -> str:
        rows = [_flat(row) for row in self.rows()]
        figures = dict.fromkeys(key for row in rows for key in row)
        last = "message"  # behind figures that only some models have
        columns = [*(key for key in figures if key != last), last]
        text = StringIO()
        writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def _xml(self) -> str:
        from xml.etree import ElementTree as xml  # few commands need it

        counts = self.counts()
        skipped = counts["up to date"] + counts["not run"]
        totals = {
            "name": self.command,
            "tests": str(len(self.outcomes)),
            "failures": str(counts["failed"]),
            "errors": "0",
            "skipped": str(skipped),
            "time": f"{self.seconds:.3f}",
        }
        root = xml.Element("testsuites", totals)
        suite = xml.SubElement(root, "testsuite", totals)
        for job, outcome in self.outcomes.items():
            case = xml.SubElement(
                suite,
                "testcase",
                classname=self.command,
                name=_NOT_XML.sub("?", job.path),
                time=f"{outcome.seconds:.3f}",
            )
            text = _NOT_XML.sub("?", outcome.messages.strip())
            if outcome.failed:
                lines = text.splitlines() or [""]
                xml.SubElement(case, "failure", message=lines[-1]).text = text
            elif outcome.status != "done":
                xml.SubElement(case, "skipped", message=outcome.status)
        xml.indent(root)
        return xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"

    def table(self, width: int | None = None) -> str:
        """Return the summary as text: a line per model, and a line for all. Long model names are
        cut at the beginning to keep lines within `width` columns. If that is not enough, the last
        figures are left out."""
        outcomes = self.outcomes.values()
        names = list(dict.fromkeys(name for o in outcomes for name in o.figures))
        rows = [("model", *(names or ["status"]), "seconds")]
        for job, outcome in self.outcomes.items():
            done = outcome.status == "done"
            status = "FAILED" if outcome.failed and "verdict" in names else outcome.status
            cells = [_cell(outcome.figures, name) for name in names] if outcome.figures else []
            cells = cells or [status, *[""] * (len(names) - 1)]
            seconds = f"{outcome.seconds:.2f}" if done else status if outcome.figures else ""
            rows.append((printable(job.path), *cells, seconds))
        widths = [max(columns_of(row[i]) for row in rows) for i in range(len(rows[0]))]
        omitted: list[str] = []
        if width is not None:
            while len(widths) > 3 and min(widths[0], SHORTEST) + _rest(widths) > width:
                omitted.insert(0, rows[0][-2])
                rows = [(*row[:-2], row[-1]) for row in rows]
                del widths[-2]
            widths[0] = min(widths[0], max(width - _rest(widths), SHORTEST))
        lines: list[str] = []
        for row in rows:
            cells = [cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True)]
            path = row[0]
            if columns_of(path) > widths[0]:
                path = "…" + truncated_suffix(path, widths[0] - 1)
            lines.append("  ".join([left_aligned(path, widths[0]), *cells]))
        if omitted:
            names = ", ".join(omitted)
            lines.append(f"the terminal is too narrow for {names}; --summary FILE has all figures")
        return "\n".join([*(line.rstrip() for line in lines), self.total()])

    def total(self) -> str:
        """Return the line for all models."""
        counts = self.counts()
        number = len(self.outcomes)
        parts = [f"{'1 model' if number == 1 else f'{number} models'} in {self.seconds:.1f} s"]
        parts.append(f"{counts['failed']} failed" if counts["failed"] else "none failed")
        parts += [f"{counts[s]} {s}" for s in ("up to date", "not run") if counts[s]]
        return ", ".join(parts)


def _rest(widths: Sequence[int]) -> int:
    """Return the columns of a line behind its first cell."""
    return sum(widths[1:]) + 2 * len(widths[1:])


def check_kind(path: str) -> None:
    """Raise `UsageError` for a summary of an unknown kind."""
    if not path.endswith(KINDS):
        raise UsageError(f"--summary writes {', '.join(KINDS)}, not '{path}'")


def _cell(figures: Figures, name: str) -> str:
    value = figures.get(name)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return f"{value[0]:,} -> {value[1]:,}" if isinstance(value, tuple) else f"{value:,}"


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with two columns for numbers before and after."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, tuple):
            found[f"{name} before"], found[f"{name} after"] = value
        else:
            found[name] = value
    return found
