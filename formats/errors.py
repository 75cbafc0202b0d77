"""The one exception of this package."""

from __future__ import annotations


class FormatError(Exception):
    """A file that is not what it should be, or a model that its format cannot hold.

    `path` names the file as the caller gave it ("" for a model that was never a file);
    `line` and `column` are 1-based and None where there is no such place (binary files, whose
    messages name a byte offset instead). Columns count characters, not bytes.
    """

    path: str
    message: str
    line: int | None
    column: int | None

    def __init__(
        self, path: str, message: str, line: int | None = None, column: int | None = None
    ) -> None:
        # All four go to Exception.args, so that the error survives pickling.
        super().__init__(path, message, line, column)
        self.path = path
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        """`path:line:column: message`, without the pieces that are missing."""
        place = [self.path] if self.path else []
        if self.line is not None:
            place.append(str(self.line))
            if self.column is not None:
                place.append(str(self.column))
        return f"{':'.join(place)}: {self.message}" if place else self.message
