"""Compiles models to native code, runs it, and compares the outputs with what NumPy computes.
Prints a table, and exits with status 1 if anything differs.

    pip install '.[native]'
    python -m benchmarks.native_models models/ --input-shape nanodet:in0=3,320,320
    python -m benchmarks.native_models models/ --lower-only @shapes.txt  # a word in each line there

A model without a .bin beside it gets random weights; one with a .pnnx.param beside it is repaired
first. With -O models go through the passes that ncnn-compile runs, too, and NumPy computes what
they make; without, as they are. With --library LLVM compiles them. With --lower-only nothing is
compiled: the code is given to the parsers of xDSL, IREE and, if they are on the path, mlir-opt of
several versions.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ncnn_opt.native.options import CompileOptions

from .native_checks import PNNX, TOLERANCE, Request, Row

ENDINGS = (".param", ".param.bin")


def models_in(places: Sequence[Path]) -> dict[str, Path]:
    """Return the models in files and folders, by name."""
    files: list[Path] = []
    for place in places:
        files += sorted(place.iterdir()) if place.is_dir() else [place]
    found = [f for f in files if f.name.endswith(ENDINGS) and not f.name.endswith(PNNX)]
    return {f.name.removesuffix(".bin").removesuffix(".param"): f for f in found}


def ask(request: Request, timeout: float) -> Row:
    """Check a model in a separate process."""
    process = subprocess.Popen(
        [sys.executable, "-m", f"{__package__}.native_checks"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # the compiler process ends with it
    )
    try:
        text = json.dumps(asdict(request)).encode()
        answer, failure = process.communicate(text, timeout)
    except subprocess.TimeoutExpired:
        return Row(request.name, failure=f"it takes longer than {timeout:.0f} s")
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if answer:
        return Row(**json.loads(answer))
    status = process.returncode or 0
    ended = signal.Signals(-status).name if status < 0 else f"status {status}"
    last = failure.decode(errors="replace").strip().splitlines()[-1:]
    return Row(request.name, failure=" ".join([f"it ends with {ended}", *last]))


def measure(args: argparse.Namespace) -> bool:
    """Print the table, and return whether all results are right."""
    models = models_in(args.models)
    print("| model | difference | tail | seconds to compile | characters |")
    print("| --- | --- | --- | --- | --- |")
    known = rows_in(args.results)
    rows: list[Row] = []
    for name, path in models.items():
        if any(word in name for word in args.skip):
            continue
        row = known.get(name)
        if row is None:
            request = Request(
                name,
                str(path),
                args.input_shape,
                list(models),
                args.optimize,
                args.lower_only,
                args.library,
                args.conv,
                args.flag,
            )
            row = ask(request, args.timeout)
            if args.results is not None:
                with args.results.open("a") as f:
                    f.write(json.dumps(asdict(row)) + "\n")
        rows.append(row)
        shown = row.failure or ("" if args.lower_only else f"{row.difference:.1e}")
        tail = "yes" if row.tail else ""
        print(f"| {name} | {shown} | {tail} | {row.seconds:.0f} | {row.text or ''} |", flush=True)
    right = sum(row.is_right() for row in rows)
    close = "" if args.lower_only else f", within {TOLERANCE:.0e} of NumPy's largest value"
    print(f"\n{right} of {len(rows)} are right{close}")
    return right == len(rows)


def rows_in(results: Path | None) -> dict[str, Row]:
    """Return the results of an earlier run, by the names of models."""
    if results is None or not results.exists():
        return {}
    rows = [Row(**json.loads(line)) for line in results.read_text().splitlines()]
    return {row.name: row for row in rows}


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.native_models",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
        fromfile_prefix_chars="@",
    )
    parser.add_argument(
        "models", nargs="+", type=Path, help="model files, or folders of model files"
    )
    parser.add_argument(
        "--input-shape",
        metavar="[MODEL:]INPUT=EXTENTS",
        action="append",
        default=[],
        help="the shape of an input, for one model or for all: squeezenet:data=3,227,227",
    )
    parser.add_argument(
        "--skip", nargs="*", default=[], help="parts of the names of models that are skipped"
    )
    parser.add_argument(
        "-O", "--optimize", action="store_true", help="run the passes that ncnn-compile runs"
    )
    parser.add_argument(
        "--lower-only", action="store_true", help="compile nothing, only parse the code"
    )
    parser.add_argument(
        "--library",
        action="store_true",
        help="let LLVM compile shared libraries; if layers of a model run on the host, of the part "
        "before them",
    )
    parser.add_argument("--conv", default=CompileOptions().conv, help="the form of convolutions")
    parser.add_argument("--flag", action="append", default=[], help="an option of iree-compile")
    parser.add_argument(
        "--timeout",
        type=float,
        default=1800,
        metavar="SECONDS",
        help="the time limit for a model (%(default)s)",
    )
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help="continue an earlier run: skip the models in FILE, and append new results to it",
    )
    sys.exit(not measure(parser.parse_args()))


if __name__ == "__main__":
    main()
