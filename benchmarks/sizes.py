"""Converts models at one size, makes them accept other sizes (`--dynamic`), runs them at five
sizes, and prints a table of the differences to the same models converted at these sizes.

    pip install '.[verify,export]'
    python -m benchmarks.sizes
    python -m benchmarks.sizes --only unet crnn --folder sizes
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from ncnn_opt.runtime.process import Failure, Runtime

from .conversion import run_program
from .sized_models import MODELS, packages_missing

TOLERANCE = 1e-4
"""The largest accepted difference, relative to an output's largest value."""


def differences(name: str, folder: Path, runtime: Runtime, options: list[str]) -> list[str]:
    """Return the difference or the error message for each size, as text."""
    model = MODELS[name]
    places = {shape: folder / "x".join(map(str, shape)) for shape in model.shapes}
    for shape, place in places.items():
        if failure := run_program("sized_models", [name, ",".join(map(str, shape))], place):
            return [failure]
    first = model.shapes[0]
    result = places[first] / "any.param"
    program = str(Path(sys.executable).with_name("ncnn-opt"))
    size = ["--input-shape", f"in0={','.join(map(str, first))}", "--dynamic", model.dynamic]
    source = str(places[first] / "model.ncnn.param")
    command = [program, source, *size, *options, "-o", str(result)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return [done.stderr.strip().splitlines()[-1]]
    results: list[str] = []
    for place in places.values():
        values = {"in0": np.load(place / "values.npz")["x"]}
        expected = runtime.run(place / "model.ncnn.param", values, ["out0"])
        blobs = runtime.run(result, values, ["out0"])
        if isinstance(expected, Failure) or isinstance(blobs, Failure):
            results.append(next(f.reason for f in (blobs, expected) if isinstance(f, Failure)))
            continue
        a, b = expected["out0"], blobs["out0"]
        same = a.shape == b.shape
        results.append(f"{np.abs(a - b).max() / np.abs(a).max():.0e}" if same else "another shape")
    return results


def is_equal(results: list[str]) -> bool:
    """Whether the results of all sizes are right."""
    try:
        return len(results) == 5 and all(float(each) <= TOLERANCE for each in results)
    except ValueError:
        return False


def main() -> None:
    """Run the command line. Exit with status 1 if a model differs at a size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", nargs="*", choices=list(MODELS), default=list(MODELS))
    parser.add_argument(
        "--folder", type=Path, help="the folder for converted models; existing ones are reused"
    )
    parser.add_argument("-O", action="store_true", help="also optimize the models")
    args = parser.parse_args()
    if missing := packages_missing():
        print(f"skipped: {', '.join(missing)} are not installed (pip install '.[export]')")
        return
    print("| model | `--dynamic` | exported at | difference there and at four other sizes |")
    print("| --- | --- | --- | --- |")
    failed: list[str] = []
    with tempfile.TemporaryDirectory(prefix="ncnn-opt-sizes-") as name, Runtime() as runtime:
        folder = (args.folder or Path(name)).absolute()
        for model in args.only:
            options = ["-O"] if args.O else []
            results = differences(model, folder / model, runtime, options)
            first = "x".join(map(str, MODELS[model].shapes[0]))
            row = f"| {model} | `{MODELS[model].dynamic}` | {first} | {', '.join(results)} |"
            print(row, flush=True)
            failed += [] if is_equal(results) else [model]
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
