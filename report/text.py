"""A report as lines of text."""

from collections.abc import Sequence

from ..formats.columns import columns_of, left_aligned, printable, right_aligned
from .model import ModelFacts
from .model_comparison import ModelComparison
from .ranges import HEADS, cells
from .shared_texts import (
    became,
    before_and_after,
    changed,
    fates,
    figure,
    notes,
    or_blank,
    summary,
    totals,
)
from .units import count, elided, exact, extents, share, size

_WORDS = ("", "type", "name", "output", "became")
"""Columns that are aligned on the left."""
_DISPENSABLE = ("%", "params", "#")
"""Columns that are omitted, in this order, if shortening is not enough."""
_SHRINKING = (("became", 16), ("name", 12), ("type", 12))
"""Columns that are shortened if lines are too long, in this order, with their smallest widths."""


def model_text(facts: ModelFacts, width: int | None) -> str:
    """Return the layers of a model as a table, and their totals. Shorten names so that no line is
    longer than `width`, if possible; `None` for no limit."""
    heads = HEADS if facts.ranges else ()
    rows = [
        {
            "#": str(row.index),
            "type": row.type,
            "name": row.name,
            "output": extents(row.shape) if row.outputs else "–",
            "MACs": or_blank(count, row.macs),
            "%": share(row.macs, facts.macs.known) if row.macs else "",
            "params": or_blank(count, row.params),
            "weights": or_blank(size, row.weight_bytes),
            "activations": or_blank(size, row.activation_bytes),
            **dict(zip(heads, cells(facts.ranges, row.name), strict=False)),
        }
        for row in facts.rows
    ]
    lines = [f"{name + ':':13}{printable(value)}" for name, value in summary(facts)]
    device = ["", *map(printable, facts.device_lines)] if facts.device_lines else []
    return "\n".join([*_table(rows, width), "", *lines, *_notes(facts.notes), *device]) + "\n"


def comparison_text(comparison: ModelComparison, width: int | None) -> str:
    """Return the fate of each layer, and the totals before and after."""
    rows = [
        {
            "type": match.row.type,
            "name": match.row.name,
            "became": became(match),
            "MACs": before_and_after(match, lambda r: r.macs, count),
            "params": before_and_after(match, lambda r: r.params, count),
            "weights": before_and_after(match, lambda r: r.weight_bytes, size),
            "activations": before_and_after(match, lambda r: r.activation_bytes, size),
        }
        for match in comparison.matches
    ]
    sums = [
        {
            "": name,
            "before": figure(old, exact),
            "after": figure(new, exact),
            "change": changed(old, new),
        }
        for name, _, old, new in totals(comparison.before, comparison.after)
    ]
    both = (comparison.before, comparison.after)
    parts = [
        "",
        *_table(sums, None),
        "",
        *map(printable, fates(comparison)),
        *_notes(notes(comparison)),
        *(
            f"{printable(facts.name)}: {facts.device_lines[0]}"
            for facts in both
            if facts.device_lines
        ),
    ]
    return "\n".join([*_table(rows, width), *parts]) + "\n"


def _notes(lines: Sequence[str]) -> list[str]:
    return [f"note: {printable(line)}" for line in lines]


def _table(rows: Sequence[dict[str, str]], width: int | None) -> list[str]:
    """Return lines of a table with a head, without empty columns."""
    columns = [c for c in rows[0] if any(row[c] for row in rows)] if rows else []
    rows = [{c: printable(text) for c, text in row.items()} for row in rows]
    widths = {c: max(len(c), *(columns_of(row[c]) for row in rows)) for c in columns}
    if width is not None:
        _fit(columns, widths, width)
    return [
        "  ".join(_cell(line[c], widths[c], c in _WORDS) for c in columns).rstrip()
        for line in ({c: c for c in columns}, *rows)
    ]


def _fit(columns: list[str], widths: dict[str, int], width: int) -> None:
    """Reduce a table to `width` if possible: shorten text, then omit columns."""

    def excess() -> int:
        return max(sum(widths[c] for c in columns) + 2 * (len(columns) - 1) - width, 0)

    for column, least in _SHRINKING:
        if column in columns:
            widths[column] = min(widths[column], max(widths[column] - excess(), least))
    for column in _DISPENSABLE:
        if column in columns and excess():
            columns.remove(column)


def _cell(text: str, width: int, left: bool) -> str:
    return left_aligned(elided(text, width), width) if left else right_aligned(text, width)
