"""The standard streams as the console of a run."""

import sys

from .messages import of_stdout, say, tell
from .progress import Progress


class StandardStreams:
    """Messages and progress on standard error, results on standard output."""

    def say(self, text: str, /) -> None:
        say(text)

    def tell(self, text: str, /) -> None:
        tell(text)

    def progress(self, what: str, total: int, /) -> Progress:
        return Progress(what, total)

    def write(self, text: str, /) -> None:
        """Write all of a text. Unbuffered (`python -u`), Python writes a part and does not report
        the rest. Raises `OSError`."""
        try:
            sys.stdout.flush()
            left = memoryview(text.encode())
            while left:
                left = left[sys.stdout.buffer.write(left) :]
            sys.stdout.flush()
        except OSError as e:
            raise of_stdout(e) from e
