"""Progress of long work, on a terminal only."""

import sys
import time
from contextlib import suppress
from typing import Any, Self

from .messages import on_stderr, print_requested, shows_text


class Progress:
    """A line `writing fast.bin: 41 %` on standard error, shown after half a second and removed at
    the end."""

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        self._shown = False
        self._next = time.monotonic() + 0.5
        self._wanted = sys.stderr.isatty() and shows_text() and total > 0

    def __enter__(self) -> Self:
        return self

    def update(self, done: int) -> None:
        """Show the completed part in percent."""
        if self.total:
            self.tell(f"{100 * done // self.total} %")

    def tell(self, text: str) -> None:
        """Show this text."""
        if not self._wanted or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.1
        self._shown = True
        on_stderr(f"\r{self.what}: {text}\x1b[K")

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Remove the line until the next update."""
        if self._shown:
            self._shown = False
            on_stderr("\r\x1b[K")


class Clock(Progress):
    """A line `compiling model.param: 12 s` on standard error for work without a known length,
    removed at the end."""

    def __init__(self, what: str) -> None:
        super().__init__(what, 1)
        self._begun = time.monotonic()
        self._stage = ""

    def tick(self) -> None:
        """Update the time."""
        self.tell(f"{self._stage}{time.monotonic() - self._begun:.0f} s")

    def stage(self, text: str) -> None:
        """Show the current stage."""
        self._stage = f"{text}, " if text else ""
        self.tick()


class ProgressBar(Progress):
    """A progress bar for a number of models, by tqdm if it is installed
    (`pip install '.[progress]'`)."""

    def __init__(self, what: str, total: int, wanted: bool = True) -> None:
        super().__init__(what, total if wanted else 0)
        self._done = 0
        self._tqdm: Any = None
        if wanted and sys.stderr.isatty() and shows_text():
            with suppress(ImportError):
                from tqdm import tqdm  # pyright: ignore

                self._tqdm = tqdm(total=total, desc=what, unit="model", leave=False)

    def step(self) -> None:
        """Count one more completed model."""
        self._done += 1
        if self._tqdm is not None:
            self._tqdm.update()
        else:
            self.update(self._done)

    def say(self, text: str) -> None:
        """Print lines on standard error, above the bar."""
        if self._tqdm is not None:
            self._tqdm.clear()
        self.clear()
        print_requested(text)

    def __exit__(self, *_: object) -> None:
        if self._tqdm is not None:
            self._tqdm.close()
        self.clear()
