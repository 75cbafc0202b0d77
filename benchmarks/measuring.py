"""Time and memory of commands."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

TOOL = Path(sys.executable).with_name("ncnn-opt")

_LAUNCHER = """
import json, os, resource, subprocess, sys, time
start = time.perf_counter()
status = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
messages = status.stderr.decode(errors="replace")[-2000:]
with open(sys.argv[1], "w") as f:
    json.dump([seconds, peak, status.returncode, messages], f)
"""
"""A program that runs a command from a small process: a child starts with the peak memory of its
parent."""


@dataclass(frozen=True)
class Cost:
    """The time and memory of a command."""

    seconds: float
    megabytes: float


def cost(command: Sequence[str | Path], runs: int = 3) -> Cost:
    """Return the median time of several runs and the largest peak memory. Raise `RuntimeError` if
    the command fails."""
    all_runs = [_run([str(word) for word in command]) for _ in range(runs)]
    return Cost(
        statistics.median(run.seconds for run in all_runs), max(run.megabytes for run in all_runs)
    )


def _run(command: Sequence[str]) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report")
        launcher = [sys.executable, "-I", "-S", "-c", _LAUNCHER, report]
        subprocess.run([*launcher, *command], check=True)
        with open(report) as f:
            seconds, peak, status, messages = json.load(f)
    if status != 0:
        raise RuntimeError(f"{' '.join(command)}: exit status {status}\n{messages}")
    return Cost(seconds, peak / 1024)


def print_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    print(f"\n{title}\n")
    for row in (head, ["-" * width for width in widths], *rows):
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]
        print(f"| {' | '.join(cells)} |", flush=True)
