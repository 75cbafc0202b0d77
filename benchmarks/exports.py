"""Converts models with the current converter, repairs them, and prints a table of the differences
between their outputs and PyTorch's.

    pip install '.[verify,export]'
    python -m benchmarks.exports
    python -m benchmarks.exports --only ViT Swin --folder exports
"""

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from ncnn_opt.dialects.ncnn import FAMILIES as LAYERS
from ncnn_opt.formats.param_text import read_param_text
from ncnn_opt.runtime.process import Failure, Runtime

from .conversion import run_program
from .export_models import FAMILIES, MODELS, packages_missing

TOLERANCE = 1e-4
"""The largest accepted difference to PyTorch's output, relative to its largest value."""


@dataclass
class Result:
    """The result for one model."""

    family: str
    left: str
    """The layers of the converted model that the runtime does not have."""
    failure: str = ""
    """The error message, if there was an error."""
    difference: float | None = None
    """The difference to PyTorch's output, relative to its largest value."""

    def is_equal(self) -> bool:
        """Whether the repaired model computes PyTorch's output."""
        return self.difference is not None and self.difference < TOLERANCE

    def row(self) -> str:
        """Return a line of the table."""
        outcome = self.failure if self.difference is None else f"{self.difference:.0e}"
        name = MODELS[self.family][1]
        return f"| {self.family} | `{name}` | {self.left or 'none'} | {outcome} |"


def convert_and_run(family: str, folder: Path, runtime: Runtime) -> Result:
    """Convert, repair and run a model."""
    if failure := run_program("export_models", [family], folder):
        return Result(family, "", failure)
    graph = read_param_text((folder / "model.ncnn.param").read_bytes(), family)
    left = Counter(layer.type for layer in graph.layers if layer.type not in LAYERS)
    result = Result(family, ", ".join(f"{n} {kind}" for kind, n in sorted(left.items())))
    program = Path(sys.executable).with_name("ncnn-opt")
    repair = ["--pnnx", "model.pnnx.param", "-O", "model.ncnn.param", "-o", "fixed.param"]
    done = subprocess.run([str(program), *repair], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        result.failure = done.stderr.strip().splitlines()[-1]
        return result
    values = np.load(folder / "values.npz")
    got = runtime.run(folder / "fixed.param", {"in0": values["x"]}, ["out0"])
    if isinstance(got, Failure):
        result.failure = got.reason
        return result
    expected, output = values["y"].reshape(-1), got["out0"].reshape(-1)
    if expected.shape == output.shape and np.isfinite(output).all():
        result.difference = float(np.abs(output - expected).max() / np.abs(expected).max())
    else:
        result.failure = "another output"
    return result


def main() -> None:
    """Run the command line. Exit with status 1 if fewer than 12 of the 13 families are equal."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", nargs="*", choices=list(MODELS), default=list(MODELS))
    parser.add_argument(
        "--folder", type=Path, help="the folder for converted models; existing ones are reused"
    )
    args = parser.parse_args()
    if missing := packages_missing():
        print(f"skipped: {', '.join(missing)} are not installed (pip install '.[export]')")
        return
    with tempfile.TemporaryDirectory(prefix="ncnn-opt-exports-") as name, Runtime() as runtime:
        folder = (args.folder or Path(name)).absolute()
        print("| family | model | layers that ncnn does not have | difference to PyTorch |")
        print("| --- | --- | --- | --- |")
        results: list[Result] = []
        for family in args.only:
            results.append(convert_and_run(family, folder / family.replace(" ", "_"), runtime))
            print(results[-1].row(), flush=True)
    equal = sum(r.is_equal() for r in results)
    known = [r for r in results if r.family in FAMILIES]
    print(f"\n{equal} of {len(results)} within {TOLERANCE:.0e} of PyTorch's largest value")
    if sum(not r.is_equal() for r in known) > 1:
        sys.exit(1)


if __name__ == "__main__":
    main()
