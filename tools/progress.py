"""A line that says how far long work is, on a terminal only."""

import sys
import time
from types import TracebackType


class Progress:
    """`writing fast.bin: 41 %` on standard error, after half a second, and gone at the end."""

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        self._shown = False
        self._next = time.monotonic() + 0.5
        self._wanted = sys.stderr.isatty() and total > 0

    def __enter__(self) -> "Progress":
        return self

    def update(self, done: int) -> None:
        """Tells how much is done."""
        if not self._wanted or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.1
        self._shown = True
        print(
            f"\r{self.what}: {100 * done // self.total} %",
            end="\x1b[K",
            file=sys.stderr,
            flush=True,
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            print("\r", end="\x1b[K", file=sys.stderr, flush=True)
