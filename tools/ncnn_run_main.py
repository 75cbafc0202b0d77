"""`ncnn-run`: run a model in NumPy, the ncnn runtime or IREE, compare and time it."""

from argparse import Namespace
from collections.abc import Sequence

from ..runtime import DEVICES, ENGINES, PRECISIONS
from .parsers import (
    Parser,
    add_devices,
    add_image_options,
    add_input_shape,
    add_reading_options,
    positive,
    tolerance,
)
from .process import Command, run_command

TOLERANCES = {"float32": 1e-3, "float16-storage": 1e-2, "float16": 1e-2, "bfloat16": 5e-2}
"""The default of `--tolerance` by `--precision`: the largest accepted error, relative to a blob's
largest value."""

DESCRIPTION = """\
Runs a model on given or random inputs.

  ncnn-run model.param --input data=x.npy --output out.npz
  ncnn-run model.param --input data=cat.jpg --mean 104,117,123 --top 5 --labels names.txt
  ncnn-run model.param --input random --compare ncnn
  ncnn-run model.param --input random --engine iree --compare numpy
  ncnn-run model.param --compare fast.param
  ncnn-run model.param --engine ncnn --repeat 50 --against fast.param
  ncnn-run model.param --engine ncnn --repeat 50 --trace layers.json
  ncnn-run model.param --on ssh://pi@pi --against fast.param

A model is a .param (with its .bin), .param.bin or .mlir; or a .vmfb of ncnn-compile.
"""


def make_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser("ncnn-run", DESCRIPTION)
    parser.add_argument("model", metavar="MODEL", nargs="?", help="the model")

    inputs = parser.add_argument_group("inputs")
    inputs.add_argument(
        "--input",
        metavar="NAME=SOURCE",
        action="append",
        default=[],
        help="a .npy, a .npz with an array of that name, an image, or random; without a name, for "
        "the only input, or a .npz or random for all other inputs (may be given several times)",
    )
    inputs.add_argument("--seed", type=int, default=0, help="the seed of random inputs (0)")
    add_input_shape(
        inputs,
        "the shape of an input that the model does not declare, outermost extent first: "
        "data=3,224,224 (may be given several times)",
    )
    add_image_options(inputs)

    add_reading_options(parser.add_argument_group("weights"))

    engine = parser.add_argument_group("running")
    engine.add_argument(
        "--engine",
        choices=ENGINES,
        default=ENGINES[0],
        help="run with NumPy, the ncnn runtime, or native code by IREE (%(default)s)",
    )
    engine.add_argument(
        "--compare",
        metavar="ncnn|FILE",
        help="ncnn, numpy or iree: compare all blobs with that engine (native code: the outputs or "
        "the blobs of --blob); a model: compare the blobs that both models have, by default on "
        "random inputs; a .pnnx.param or TorchScript .pt: name the first layer that differs from "
        "PyTorch",
    )
    engine.add_argument(
        "--tolerance",
        metavar="ERROR",
        type=tolerance,
        help="the largest error relative to a blob's largest value (float32: "
        f"{TOLERANCES['float32']:g}, float16: {TOLERANCES['float16']:g}, bfloat16: "
        f"{TOLERANCES['bfloat16']:g}; with --on 0.05)",
    )
    engine.add_argument(
        "--precision",
        choices=PRECISIONS,
        default=PRECISIONS[0],
        help="the element type of blobs and weights in the ncnn runtime; with float16-storage, the "
        "arithmetic is float32 (%(default)s)",
    )
    engine.add_argument(
        "--device",
        choices=DEVICES,
        default=DEVICES[0],
        help="the device of the ncnn runtime (%(default)s)",
    )

    engine.add_argument(
        "--no-packing",
        action="store_true",
        help="disable packed layouts in the ncnn runtime, so that depthwise int8 layers are exact",
    )

    latency = parser.add_argument_group("latency")
    latency.add_argument(
        "--repeat",
        metavar="N",
        type=positive,
        help="measure N runs in the ncnn runtime, and the slowest layers; or, with --engine iree, "
        "of native code",
    )
    add_devices(
        latency,
        "measure on this device, and compare the outputs there with the reference: "
        "ssh://[USER@]HOST[:PORT], adb://SERIAL or local (may be given several times; "
        "see ncnn-device)",
    )
    latency.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="for --on: measure on each device by the worker of this dask.distributed scheduler "
        "that carries the device's address as a resource",
    )
    latency.add_argument(
        "--against", metavar="FILE", help="another model, run in turn with the first"
    )
    latency.add_argument(
        "--threads", metavar="N", type=positive, help="the number of threads of the runtime (1)"
    )
    latency.add_argument(
        "--trace", metavar="FILE", help="write the times of layers as a trace, for Perfetto: .json"
    )
    latency.add_argument(
        "--report", metavar="FILE", help="write a report with the figures: .html, .json or text"
    )

    results = parser.add_argument_group("results")
    results.add_argument(
        "-o", "--output", metavar="FILE", help="write the outputs to this .npz, by name"
    )
    results.add_argument(
        "--blob",
        metavar="NAME[,NAME…]",
        action="append",
        default=[],
        help="these blobs instead of the outputs (may be given several times)",
    )
    results.add_argument("--all-blobs", action="store_true", help="all blobs, including inputs")
    results.add_argument(
        "--top", metavar="N", type=positive, help="print the N largest scores of each output"
    )
    results.add_argument(
        "--labels", metavar="FILE", help="the labels for --top, one per line in a file"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake, and where a
    comparison finds errors."""
    run_command(make_parser, arguments, work)


def work(args: Namespace, process: Command) -> bool:
    """Do what the arguments specify. Return `False` if a comparison found errors. Raises one of
    `USER_ERRORS`."""
    if args.model is not None and args.model.endswith(".vmfb"):
        from .running_code import RunCode

        return RunCode(args, process).execute()
    from .running import Run

    return Run(args, process).execute()
