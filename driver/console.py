"""The standard streams as the console of a run."""

import sys

from .messages import of_stdout, print_result, say, tell
from .progress import Clock, Progress


class StandardStreams:
    """Messages and progress on standard error, results on standard output."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        """The beginning of messages: the name of the command."""

    def say(self, text: str, /) -> None:
        say(f"{self.prefix}{text}")

    def show(self, text: str, /) -> None:
        print_result(text)

    def clock(self, what: str, /) -> Clock:
        return Clock(what)

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
