"""Measures the tools on this machine and prints tables.

make bench
make bench BENCH="--ncnnoptimize ../ncnn/build/tools/ncnnoptimize --only start scale"
make bench BENCH="--only promised --models exports/ @shapes.txt"    # a word in each line there
make bench BENCH="--only extents --models exports/ @shapes.txt"     # outputs at two sizes
make bench BENCH="--only native --models exports/ @shapes.txt"      # needs the extra native
make bench BENCH="--only decoders --models *_decoder.ncnn.param"    # decoders of language models
make bench BENCH="--only bundles"                                   # the table of docs/decoders.md
make bench BENCH="--only sources"                                   # needs the extra sources
make bench BENCH="--only sources --sources Bert 'RT-DETR'"          # these architectures
make bench BENCH="--only structures"                                # what each rewrite gains here
make bench BENCH="--only reduce --python old/bin/python"            # ncnn-reduce on faults
make bench BENCH="--only processors --arm runner counter.so"        # see arm/README.md
"""

import argparse
import os
import platform
import tempfile
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path

from ncnn_opt.analysis.target_info import ARM, X86

from . import (
    attention,
    decoders,
    extents,
    large,
    latency,
    native,
    processors,
    promised,
    rates,
    reducing,
    scaling,
    starting,
    structures,
)
from .emulated import Arm
from .sources import causal_models
from .sources import table as sources
from .timing import instead_of_time

PARTS = (
    "start",
    "scale",
    "large",
    "latency",
    "processors",
    "structures",
    "promised",
    "extents",
    "native",
    "decoders",
    "bundles",
    "sources",
    "reduce",
)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="make bench",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
        fromfile_prefix_chars="@",
    )
    parser.add_argument("--ncnnoptimize", type=Path, help="an ncnnoptimize binary for comparison")
    parser.add_argument(
        "--models",
        nargs="*",
        type=Path,
        default=[],
        help="additional .param files (for promised, extents and native: folders, too)",
    )
    parser.add_argument(
        "--only", nargs="*", choices=PARTS, default=PARTS, help="the parts to measure"
    )
    parser.add_argument(
        "--sources", nargs="*", default=[], help="the architectures of sources (all of them)"
    )
    parser.add_argument(
        "--take-apart",
        nargs="*",
        type=Path,
        default=[],
        help="models for latency, taken apart first",
    )
    parser.add_argument(
        "--input-shape",
        metavar="[MODEL:]INPUT=EXTENTS",
        action="append",
        default=[],
        help="the shape of an input, for one model or for all: squeezenet:data=3,227,227",
    )
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="the time for each process that measures latency"
    )
    parser.add_argument(
        "--no-own", action="store_true", help="measure the latency of the given models only"
    )
    parser.add_argument(
        "--folder", type=Path, help="the folder for generated models (6 GB for large ones)"
    )
    parser.add_argument(
        "--no-tune",
        action="store_true",
        help="native code with the forms that the cost model selects",
    )
    parser.add_argument(
        "--target-cpu",
        metavar="CPU",
        help="native code for this processor, by IREE's name (haswell: without AVX-512)",
    )
    parser.add_argument(
        "--runtime",
        metavar="FOLDER",
        type=Path,
        help="a folder with another build of the package ncnn, for native (without AVX-512)",
    )
    parser.add_argument(
        "--keep",
        metavar="FOLDER",
        type=Path,
        help="keep the compiled code of native for the next run",
    )
    parser.add_argument(
        "--arm",
        nargs=2,
        metavar=("RUNNER", "COUNTER"),
        type=Path,
        help="count instructions on an emulated arm processor instead of measuring time",
    )
    parser.add_argument(
        "--python",
        type=Path,
        help="for reduce: the Python of an environment with ncnn 20240102 and NumPy",
    )
    parser.add_argument("--half", action="store_true", help="with --arm: in float16")
    args = parser.parse_args()
    arm = Arm(*args.arm, half=args.half) if args.arm else None
    processor = X86 if arm is None else ARM
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with (
        tempfile.TemporaryDirectory(prefix="ncnn-opt-bench-", dir=args.folder) as name,
        nullcontext() if arm is None else instead_of_time(arm),
    ):
        folder = Path(name)
        if "start" in args.only:
            starting.measure(folder, args.ncnnoptimize)
        if "scale" in args.only:
            scaling.measure(folder)
        if "large" in args.only and large.room(folder):
            large.measure(folder, args.ncnnoptimize, args.models)
        elif "large" in args.only:
            print("\n(no room for large models; --folder names another place)")
        if "latency" in args.only:
            options = latency.Options(
                args.ncnnoptimize,
                args.models,
                args.take_apart,
                args.input_shape,
                args.seconds,
                own=not args.no_own,
            )
            latency.measure(folder, options)
        if "processors" in args.only:
            processors.measure(folder, processor, args.seconds)
            attention.measure(folder, processor, args.seconds)
            rates.measure(folder, processor, args.seconds)
        if "structures" in args.only:
            structures.measure(folder, args.seconds)
        if "promised" in args.only and args.models:
            promised.measure(folder, args.models, args.input_shape, args.seconds)
        if "extents" in args.only and args.models:
            extents.measure(folder, args.models, args.input_shape)
        if "decoders" in args.only and args.models:
            decoders.measure(folder, args.models, args.seconds)
        if "bundles" in args.only and find_spec("transformers") is not None:
            causal_models.measure(args.sources)
        if "sources" in args.only:
            sources.measure(args.sources)
        if "reduce" in args.only:
            reducing.measure(folder, args.python)
        if "native" in args.only and args.models:
            native.measure(
                args.models,
                args.input_shape,
                args.seconds,
                args.keep,
                not args.no_tune,
                args.target_cpu,
                args.runtime,
            )


if __name__ == "__main__":
    main()
