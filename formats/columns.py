"""Text on a terminal: how many columns it takes, and names that would move the cursor or ring the
bell (a `.param` may have any bytes but blanks in its names)."""

import re
import unicodedata

_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters but for the end of a line, and those that turn text around."""


def printable(text: str) -> str:
    """The text with such characters escaped, as in Python: `\\x1b`."""
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def columns_of(text: str) -> int:
    """How many columns a text takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def on_left(text: str, width: int) -> str:
    """The text, with blanks behind it up to so many columns."""
    return text + " " * (width - columns_of(text))


def on_right(text: str, width: int) -> str:
    """The text, with blanks before it up to so many columns."""
    return " " * (width - columns_of(text)) + text


def first_columns(text: str, width: int) -> str:
    """The beginning of a text that takes no more than so many columns."""
    while columns_of(text) > width:
        text = text[:-1]
    return text


def last_columns(text: str, width: int) -> str:
    """The end of a text that takes no more than so many columns."""
    while columns_of(text) > width:
        text = text[1:]
    return text
