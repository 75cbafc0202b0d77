"""The start-up time of the command with a tiny model."""

import sys
from pathlib import Path

from .measuring import TOOL, cost, print_table
from .models import squeezenet


def measure(folder: Path, ncnnoptimize: Path | None) -> None:
    """Print the table."""
    model = squeezenet(folder / "squeezenet.param")
    out = folder / "out.param"
    commands: dict[str, list[str | Path]] = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import xdsl.passes, which all passes need": [sys.executable, "-c", "import xdsl.passes"],
        "ncnn-opt --version": [TOOL, "--version"],
        "ncnn-opt --help": [TOOL, "--help"],
        "ncnn-opt -O squeezenet (5 MB)": [TOOL, "-O", model, "-o", out],
    }
    if ncnnoptimize is not None:
        files = [model, model.with_suffix(".bin"), out, out.with_suffix(".bin")]
        commands["ncnnoptimize squeezenet"] = [ncnnoptimize, *files, "0"]
    rows: list[list[str]] = []
    for name, command in commands.items():
        took = cost(command, runs=7)
        rows.append([name, f"{took.seconds:.2f}", f"{took.megabytes:.0f}"])
    print_table("Start-up", ["command", "s", "MB"], rows)
