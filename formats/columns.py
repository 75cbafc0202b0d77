"""Text layout on a terminal: column widths and escapes. Names in a `.param` may contain any bytes
except blanks, so they could move the cursor or ring the bell."""

import re
import unicodedata
from collections.abc import Sequence

_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters except line ends, and characters that change the text direction."""


def printable(text: str) -> str:
    """Return the text with such characters escaped as in Python: `\\x1b`."""
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def columns_of(text: str) -> int:
    """Return the number of columns of a text: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def left_aligned(text: str, width: int) -> str:
    """Return the text, left-aligned in `width` columns."""
    return text + " " * (width - columns_of(text))


def right_aligned(text: str, width: int) -> str:
    """Return the text, right-aligned in `width` columns."""
    return " " * (width - columns_of(text)) + text


def aligned(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return the lines of a table: the first `left` columns are left-aligned, others right."""
    widths = [max(map(columns_of, column)) for column in zip(*rows, strict=True)]
    lines: list[str] = []
    for row in rows:
        cells = list(map(left_aligned, row[:left], widths[:left]))
        cells += map(right_aligned, row[left:], widths[left:])
        lines.append("  ".join(cells).rstrip())
    return lines


def truncated_prefix(text: str, width: int) -> str:
    """Return the longest prefix of a text that fits `width` columns."""
    while columns_of(text) > width:
        text = text[:-1]
    return text


def truncated_suffix(text: str, width: int) -> str:
    """Return the longest suffix of a text that fits `width` columns."""
    while columns_of(text) > width:
        text = text[1:]
    return text
