"""The table of the architectures: each is exported in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .models import LISTS

ROOT = Path(__file__).parents[2]
PACKAGES = ("torch", "pnnx", "transformers", "spandrel")
SECONDS = 1800
"""The time limit of one export."""


def measure(names: Sequence[str] = ()) -> None:
    """Export the architectures of all lists, or those with these names, and print a line each."""
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        need = ", ".join(missing)
        print(f"\n(sources are skipped: pip install '.[verify,export,sources]' for {need})")
        return
    for title, models in LISTS.items():
        chosen = [name for name in models if not names or name in names]
        if not chosen:
            continue
        print(f"\n{title}\n")
        print("| architecture | result | error | route | layers | seconds |")
        print("| --- | --- | --- | --- | --- | --- |")
        found = [_measured(name) for name in chosen]
        agreeing = sum(each["verdict"] == "agrees" for each in found)
        print(f"\n{agreeing} of {len(found)} agree with PyTorch")
        for each in found:
            if each["verdict"] != "agrees":
                print(f"{each['name']}: {each.get('reason', '')}")


def _measured(name: str) -> dict[str, Any]:
    result = _exported(name)
    error = f"{result['error']:.1e}" if "error" in result else ""
    words = [name, result["verdict"], error, result.get("route", ""), result.get("layers", "")]
    print(f"| {' | '.join(words)} | {result.get('seconds', '')} |", flush=True)
    return result


def _exported(name: str) -> dict[str, Any]:
    """Return the result of one architecture, made by a process of its own."""
    command = [sys.executable, "-m", "benchmarks.sources.one", name]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"name": name, "verdict": "no end", "reason": f"no end within {SECONDS} seconds"}
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        reason = (done.stderr.strip().splitlines() or [str(done.returncode)])[-1]
        return {"name": name, "verdict": "fails", "reason": reason}
    return json.loads(lines[-1])
