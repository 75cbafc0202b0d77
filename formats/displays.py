"""Results in an interactive session: a line and a short table, as text and as HTML of notebooks.

A result of a large model would fill the screen, so that only the most important rows are shown.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from .columns import aligned, printable
from .markup import element, table

MOST = 10
"""The largest number of rows that are displayed."""


class Displayed(ABC):
    """A result that an interactive session displays as a line and a table."""

    @abstractmethod
    def heading(self) -> str:
        """Return the result in one line."""

    @abstractmethod
    def table_rows(self) -> Sequence[Sequence[str]]:
        """Return the heads and the rows of the table, the most important rows first. The first
        column has labels."""

    def __repr__(self) -> str:
        """Return the line, and a table of at most `MOST` rows."""
        return self._text(MOST)

    def __str__(self) -> str:
        """Return the line, and all rows of the table, for `print`."""
        return self._text(len(self.table_rows()))

    def _text(self, most: int) -> str:
        heads, *rows = self.table_rows()
        shown = aligned([heads, *rows[:most]], 1) if rows else []
        left = _left(len(rows)) if len(rows) > most else []
        return printable("\n".join([self.heading(), *shown, *left]))

    def _repr_html_(self) -> str:
        """Return the HTML for a notebook."""
        heads, *rows = self.table_rows()
        lines = [
            element("tr", *(element("td", printable(cell)) for cell in row)) for row in rows[:MOST]
        ]
        shown = [table(heads, lines)] if rows else []
        more = [element("p", text) for text in _left(len(rows))]
        return element("div", element("b", printable(self.heading())), *shown, *more)


def _left(rows: int) -> list[str]:
    return [f"and {rows - MOST} more: see print()"] if rows > MOST else []
