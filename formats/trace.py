"""Traces in the format of Chrome's `chrome://tracing`, which Perfetto reads: complete events in
microseconds, grouped by process and thread."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Event(NamedTuple):
    """A span of time."""

    name: str
    start: float
    """Seconds from the beginning of the trace."""
    seconds: float
    group: str
    """The process in the viewer."""
    line: str
    """The thread in the viewer."""
    facts: Mapping[str, Any] = {}
    """Further facts, shown on selection."""


def trace_text(events: Iterable[Event]) -> str:
    """Return events as the content of a trace file."""
    groups: dict[str, int] = {}
    lines: dict[tuple[str, str], int] = {}
    rows: list[dict[str, Any]] = []
    for event in events:
        pid = groups.setdefault(event.group, len(groups) + 1)
        tid = lines.setdefault((event.group, event.line), len(lines) + 1)
        row = {"name": event.name, "ph": "X", "pid": pid, "tid": tid}
        times = {"ts": round(1e6 * event.start, 3), "dur": round(1e6 * event.seconds, 3)}
        rows.append({**row, **times, "args": dict(event.facts)})
    named: list[dict[str, Any]] = [
        {"name": "process_name", "ph": "M", "pid": pid, "args": {"name": name}}
        for name, pid in groups.items()
    ]
    for (group, name), tid in lines.items():
        place = {"pid": groups[group], "tid": tid}
        named.append({"name": "thread_name", "ph": "M", **place, "args": {"name": name}})
    return json.dumps({"traceEvents": [*named, *rows], "displayTimeUnit": "ms"}, indent=1) + "\n"
