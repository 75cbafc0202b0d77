"""The work of `ncnn-run`: which options may stand together, and the request that follows.

One command runs, compares and times models, here, on devices and as native code. An option without
effect on the chosen work is an error, not ignored.
"""

import argparse
import os
import platform
from collections.abc import Sequence
from dataclasses import replace

from ..analysis.shape_inference import set_input_shapes
from ..dialects.ncnn.lookup import model_of
from ..driver.batch.jobs import Job
from ..driver.decoder import parse_tokens
from ..driver.errors import UsageError
from ..driver.messages import print_note, print_result
from ..driver.model_files import read_model
from ..driver.model_runs import FULL, RUNTIME, Blobs, ModelRun, RunOutcome, RunRequest
from ..driver.output_values import read_labels, summary, top_classes, write_npz
from ..driver.pipelines import parse_input_shapes
from ..driver.snippets import snippet
from ..formats.file_names import is_source_model
from ..runtime import DEVICES, ENGINES, PRECISIONS
from ..samples.images import Preprocessing
from ..targets.atomic_files import OutputFiles, check_writable
from ..targets.output_checks import check_unread
from .batch import Figures, ManyModels, OneModel
from .ncnn_run_main import TOLERANCES, make_parser
from .parsers import check_used, names, parse_custom_layers, reading_options
from .process import Command

MODEL_OPTIONS = (
    *("decode", "on", "trace", "report", "weights", "pnnx", "blob", "all_blobs"),
    *("custom_weights", "allow_trailing_weights", "custom_layer"),
)
"""Options for models only."""

OTHER_THAN_DECODING = (
    *("on", "scheduler", "against", "threads", "trace", "report", "blob", "all_blobs", "top"),
    *("precision", "device", "custom_layer", "no_packing"),
)
"""Options without effect on `--decode`."""

TIMED = ("ncnn", "iree")
"""The engines that `--repeat` measures."""


def check_meant(args: argparse.Namespace) -> None:
    """Raise `UsageError` for options without effect, and set the default tolerance."""
    args.default_tolerance = args.tolerance is None
    if args.decode is not None:
        check_decoding(args)
        return
    if args.compare == FULL:
        raise UsageError("--compare full is for --decode")
    check_used(args, args.decode, "--decode", "tokens", "prompt")
    if args.on:
        from ..driver.devices import TOLERANCE

        check_devices(args)
        args.tolerance = TOLERANCE if args.tolerance is None else args.tolerance
        return
    check_used(args, args.compare, "--compare and --on-device", "tolerance")
    check_used(args, args.on, "--on-device", "scheduler")
    if args.no_packing and args.compare is None and args.engine != "ncnn":
        raise UsageError("--no-packing is for the ncnn runtime: --engine ncnn or --compare")
    runs_ncnn = RUNTIME in (args.engine, args.compare) and args.repeat is None
    for option, default in (("precision", PRECISIONS[0]), ("device", DEVICES[0])):
        if getattr(args, option) != default and not runs_ncnn:
            raise UsageError(f"--{option} is for the ncnn runtime: --engine ncnn or --compare ncnn")
    if args.custom_layer and not runs_ncnn:
        raise UsageError(
            "--custom-layer is for the ncnn runtime: --engine ncnn or --compare ncnn, without "
            "--repeat"
        )
    compiled = args.model is not None and args.model.endswith(".vmfb")
    if args.repeat is not None and args.engine not in TIMED and not compiled:
        raise UsageError("--repeat measures the ncnn runtime or native code: --engine ncnn or iree")
    if args.trace is not None and args.engine != RUNTIME:
        raise UsageError("--trace is of layers in the ncnn runtime: --engine ncnn")
    check_used(args, args.repeat, "--repeat and --on-device", "against", "threads", "report")
    check_used(args, args.repeat, "--repeat", "trace")
    if args.repeat is not None and (args.compare or args.output or args.top):
        raise UsageError("--repeat only measures: give no --compare, --output or --top")
    if args.compare is not None and is_source_model(args.compare):
        if args.engine not in ("numpy", "ncnn"):
            raise UsageError(f"--compare {args.compare} is for the engines numpy and ncnn")
        if args.output or args.top or args.blob or args.all_blobs:
            raise UsageError(
                f"--compare {args.compare} only compares: give no --output, --blob or --top"
            )
    if args.tolerance is None:
        args.tolerance = TOLERANCES[args.precision]


def check_decoding(args: argparse.Namespace) -> None:
    """Raise `UsageError` for options without effect on decoding, and set the default tolerance."""
    if args.model is None or not os.path.isdir(args.model):
        check_used(args, None, "--decode of a bundle, which is a folder", "tokens", "prompt")
        parse_tokens(args.decode)
    elif args.tokens is not None and args.prompt is not None:
        raise UsageError("--tokens and --prompt are both the prompt: give one")
    defaults = make_parser().parse_args([])
    for option in OTHER_THAN_DECODING:
        if getattr(args, option) != getattr(defaults, option):
            name = "on-device" if option == "on" else option.replace("_", "-")
            raise UsageError(f"--{name} is not for --decode")
    if args.engine == "iree" or args.compare in ENGINES:
        raise UsageError("--decode runs the ncnn runtime; --compare takes full or another model")
    if args.tolerance is None:
        args.tolerance = TOLERANCES[args.precision]


def check_devices(args: argparse.Namespace) -> None:
    """Raise `UsageError` for options without effect on devices."""
    if args.compare or args.output or args.top or args.blob or args.all_blobs or args.no_packing:
        raise UsageError(
            "--on-device only measures: give no --compare, --output, --blob, --top or --no-packing"
        )
    if args.engine == "iree":
        raise UsageError("--on-device measures the ncnn runtime of a device: give no --engine iree")
    for option, default in (("precision", PRECISIONS[0]), ("device", DEVICES[0]), ("trace", None)):
        if getattr(args, option) != default:
            raise UsageError(
                f"--on-device measures the runtime as the device runs it: give no --{option}"
            )
    if args.custom_layer:
        raise UsageError("--on-device measures the runtime of a device: give no --custom-layer")


def run(args: argparse.Namespace, process: Command) -> RunOutcome:
    """Run, compare or measure the model. Raises one of `USER_ERRORS`."""
    if args.model is None:
        raise UsageError("there is no model; see --help")
    path: str = args.model
    process.input = path
    reading = reading_options(args, args.weights)
    shapes = parse_input_shapes(args.input_shape)
    labels = [] if args.labels is None else read_labels(args.labels)
    if args.labels is not None and args.top is None:
        raise UsageError("--labels is for --top")
    if args.compare in ENGINES and args.compare == args.engine:
        raise UsageError(f"--compare {args.compare} is for another --engine")
    check_meant(args)
    if args.output is not None and not args.output.endswith(".npz"):
        raise UsageError(f"--output writes .npz, not '{args.output}'")
    if args.output is not None:
        # An input is `NAME=FILE` or a file.
        sources = [s for spec in args.input for s in (spec, spec.partition("=")[2])]
        beside = filter(None, [args.weights, args.pnnx])
        check_unread(args.output, [path, *beside, *sources])
        check_writable(args.output)
    if args.trace is not None:
        check_unread(args.trace, [path, *filter(None, [args.against, args.report])])
        check_writable(args.trace)
    how = Preprocessing(args.mean, args.norm, args.to_rgb)
    if path.endswith(".vmfb"):
        check_compiled(args)
    request = RunRequest(
        model=args.model,
        reading=reading,
        pnnx=args.pnnx,
        shapes=shapes,
        input=args.input,
        how=how,
        seed=args.seed,
        engine=args.engine,
        compare=args.compare,
        tolerance=args.tolerance,
        default_tolerance=args.default_tolerance,
        precision=args.precision,
        device=args.device,
        custom_layers=parse_custom_layers(args.custom_layer),
        no_packing=args.no_packing,
        repeat=args.repeat,
        on=args.on,
        scheduler=args.scheduler,
        against=args.against,
        threads=args.threads,
        trace=args.trace,
        report=args.report,
        blobs=names(args.blob),
        all_blobs=args.all_blobs,
        decode=args.decode,
        tokens=args.tokens,
        prompt=args.prompt,
    )
    if path.endswith(".vmfb"):
        from ..driver.compiled_runs import run_compiled

        outcome = run_compiled(request)
    else:
        outcome = ModelRun(request).execute()
    if outcome.blobs is not None:
        show(outcome.blobs, args, labels)
    if args.precision.startswith("float16") and args.device == DEVICES[0] and not is_arm():
        print_note(
            "ncnn-run: on this processor the runtime has no float16 blobs, so that none overflows; "
            "use --device vulkan, or --on-device with an arm processor"
        )
    return outcome


def is_arm() -> bool:
    """Whether this processor stores blobs in float16."""
    return platform.machine().lower() in ("aarch64", "arm64")


def print_snippet(args: argparse.Namespace, process: Command) -> None:
    """Print a program that runs the model once. Raises one of `USER_ERRORS`."""
    if args.model is None:
        raise UsageError("there is no model; see --help")
    process.input = args.model
    if args.model.endswith(".vmfb"):
        raise UsageError(f"{args.model}: --snippet is for a .param or .param.bin, which ncnn loads")
    reading = replace(reading_options(args, args.weights), structure_only=True)
    source = read_model(args.model, reading)
    if shapes := parse_input_shapes(args.input_shape):
        set_input_shapes(model_of(source.module), shapes)
    how = Preprocessing(args.mean, args.norm, args.to_rgb)
    print_result(snippet(args.snippet, source, how))


def run_one(args: argparse.Namespace) -> Figures:
    """Compare one of many models. Raises one of `USER_ERRORS`, also if it differs."""
    outcome = run(args, Command("ncnn-run"))
    error = "" if outcome.error is None else f"{outcome.error:.2g}"
    if not outcome.agrees:
        by = f" by {error}" if error else ""
        raise UsageError(f"{args.model}: it differs from {args.compare}{by}")
    return {"verdict": "PASSED", **({"error": error} if error else {})}


def compared_folder(many: ManyModels) -> str | None:
    """Return the folder of `--compare`, and take it from the options of each model. Raises
    `UsageError`."""
    other: str | None = many.parsed.compare
    if other is None:
        names = ", ".join(f"'{path}'" for path in many.inputs)
        remedy = "--compare FOLDER, ncnn, numpy or iree"
        raise UsageError(f"many models ({names}) are compared with something: {remedy}")
    if not os.path.isdir(other):
        return None
    at = next(i for i, word in enumerate(many.common) if word.partition("=")[0] == "--compare")
    del many.common[at : at + (1 if "=" in many.common[at] else 2)]
    return other


def words_of(job: Job) -> list[str]:
    """Return the words that name the models of a comparison."""
    return [*(word for path in job.others for word in ("--compare", path)), "--", job.path]


COMPARE_ONE = OneModel(
    run_one,
    make_parser().parse_args,
    ("txt",),
    scheduled=False,
    checks=True,
    counterparts=compared_folder,
    words=words_of,
)


def check_compiled(args: argparse.Namespace) -> None:
    """Raise `UsageError` for options that are not for native code."""
    defaults = make_parser().parse_args([])
    for option in MODEL_OPTIONS:
        if getattr(args, option) != getattr(defaults, option):
            name = "on-device" if option == "on" else option.replace("_", "-")
            raise UsageError(f"--{name} is for models, '{args.model}' is compiled")
    if args.compare in ENGINES or (args.compare is not None and is_source_model(args.compare)):
        engine = f" --engine {args.compare}" if args.compare in ENGINES else ""
        raise UsageError(
            f"'{args.model}' is compiled: compare it with a model of ncnn, for example with the "
            f"one that was compiled: --compare model.param{engine}"
        )
    if args.engine == "ncnn" and args.compare is None and args.against is None:
        raise UsageError(f"'{args.model}' is compiled, not for the ncnn runtime")


def show(blobs: Blobs, args: argparse.Namespace, labels: Sequence[str]) -> None:
    """Write or print the results."""
    if args.output is not None:
        with OutputFiles() as files:
            write_npz(files.create(args.output, "wb"), blobs)
    if args.top is not None:
        for name, value in blobs.items():
            print_result(top_classes(name, value, args.top, labels))
    elif args.output is None and args.compare is None and args.decode is None:
        print_result(summary(blobs))
