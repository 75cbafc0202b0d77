"""The times of passes and patterns: `--time-passes` and `--trace`."""

from collections import Counter
from collections.abc import Callable, Sequence
from time import perf_counter

from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern

from ...formats.trace import Event, trace_text
from ...targets.atomic_files import write_file
from ..pipelines import REPORTS, VERIFICATION
from .run_observer import RunObserver


class PassTimes(RunObserver):
    """Measures the time of each part of the work, and of each pattern."""

    def __init__(self, prints_table: bool, trace: str | None, tell: Callable[[str], None]) -> None:
        """`trace` is the file of the trace, if one is wanted."""
        self._prints_table = prints_table
        self._trace = trace
        self._tell = tell
        self.events: list[Event] = []
        self._seconds = Counter[str]()
        """The time of attempts by the name of the pattern's class."""
        self._seen = Counter[str]()
        """This time at the end of the last part."""
        self._tried, self._fired = Counter[str](), Counter[str]()
        self._attempt = 0.0
        self._start = perf_counter()
        self._last = 0.0

    def before_attempt(self, pattern: RewritePattern) -> None:
        """Start the clock."""
        self._attempt = perf_counter()

    def after_attempt(self, pattern: RewritePattern) -> None:
        """Add the time of an attempt."""
        name = type(pattern).__name__
        self._seconds[name] += perf_counter() - self._attempt  # pyright: ignore[reportArgumentType]
        self._tried[name] += 1

    def after_rewrite(self, pattern: RewritePattern, op: Operation) -> None:
        """Count a rewrite."""
        self._fired[type(pattern).__name__] += 1

    def after_part(self, name: str | None) -> None:
        """Attribute the time since the last call to a part of the work, if it has a name."""
        now = perf_counter() - self._start
        if name is not None:
            new = self._seconds - self._seen
            facts = {key: f"{1e3 * spent:.3f} ms" for key, spent in new.most_common()}
            self.events.append(
                Event(name, self._last, now - self._last, "ncnn-opt", "passes", facts)
            )
        self._last, self._seen = now, Counter(self._seconds)

    def close(self) -> None:
        """Print the table, and write the trace. Raises `OSError`."""
        if self._prints_table:
            self._tell(self.table())
        if self._trace is not None:
            write_file(self._trace, trace_text(self.events))

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
        if self._seconds:
            lines += ["", "seconds   share  pattern (rewrites of attempts)"]
            lines += self._lines(
                [
                    (f"{name} ({self._fired[name]} of {self._tried[name]})", spent)
                    for name, spent in self._seconds.most_common()
                ]
            )
        return "\n".join(lines)

    def _lines(self, rows: Sequence[tuple[str, float]]) -> list[str]:
        total = self.total() or 1.0
        return [f"{spent:7.4f}  {100 * spent / total:5.1f}%  {name}" for name, spent in rows]
