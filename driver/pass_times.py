"""The times of passes and patterns: `--time-passes` and `--trace`."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..formats.trace import Event, trace_text
from ..targets.files import write_file
from ..transforms.rewriting.rewrite_budget import RewriteCounter

VERIFICATION, REPORTS = "(verification)", "(reports)"
"""The names of work between passes."""


@dataclass
class PassTimes:
    """A clock for a pipeline. It is called at the end of each part of the work."""

    counter: RewriteCounter
    """The counter of the rewrites, which also measures patterns."""
    events: list[Event] = field(default_factory=list[Event])
    _start: float = field(default_factory=time.perf_counter)
    _last: float = 0.0
    _seen: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        self.counter.seconds = Counter()

    def __call__(self, part: str | None) -> None:
        """Attribute the time since the last call to a part of the work, if it has a name."""
        now, seconds = time.perf_counter() - self._start, self.counter.seconds or Counter()
        if part is not None:
            new = seconds - self._seen
            facts = {name: f"{1e3 * spent:.3f} ms" for name, spent in new.most_common()}
            self.events.append(
                Event(part, self._last, now - self._last, "ncnn-opt", "passes", facts)
            )
        self._last, self._seen = now, Counter(seconds)

    def total(self) -> float:
        """Return the time of all parts in seconds."""
        return sum(event.seconds for event in self.events)

    def table(self) -> str:
        """Return a table of all passes in order, and of the patterns by descending time."""
        between = (VERIFICATION, REPORTS)
        rows = [(event.name, event.seconds) for event in self.events if event.name not in between]
        for name in between:
            if spent := sum(event.seconds for event in self.events if event.name == name):
                rows.append((name, spent))
        lines = ["seconds   share  pass", *self._lines(rows)]
        lines.append(f"{self.total():7.4f}  100.0%  total")
        if self.counter.seconds:
            lines += ["", "seconds   share  pattern (rewrites of attempts)"]
            fired, tried = self.counter.fired, self.counter.tried
            lines += self._lines(
                [
                    (f"{name} ({fired[name]} of {tried[name]})", spent)
                    for name, spent in self.counter.seconds.most_common()
                ]
            )
        return "\n".join(lines)

    def _lines(self, rows: Sequence[tuple[str, float]]) -> list[str]:
        total = self.total() or 1.0
        return [f"{spent:7.4f}  {100 * spent / total:5.1f}%  {name}" for name, spent in rows]

    def write_trace(self, path: str) -> None:
        """Write the passes as a trace. Raises `OSError`."""
        write_file(path, trace_text(self.events))
