"""The work of `ncnn-compile`."""

import argparse
import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.weight_file import scratch_file
from ..driver.companions import read_repaired
from ..driver.compiling import pipeline, run_passes, set_shapes
from ..driver.errors import UsageError
from ..driver.missing import describe_missing, missing_layers
from ..native.artifact import ENDING
from ..native.compiling import find_compiler
from ..native.errors import NativeError
from ..native.options import Options
from ..native.outputs import Request, kind_of, write
from ..native.tuning import SECONDS, Tuning
from ..native.tuning_cache import default_folder
from ..targets.files import check_writable, descriptor_of
from ..targets.overwriting import check_unread
from .messages import print_result, quiet, say
from .parsers import reading_options
from .pass_options import parse_input_shapes
from .process import Command
from .progress import Clock


class Compile:
    """A checked command line of `ncnn-compile`. Raises `UsageError`."""

    def __init__(self, args: argparse.Namespace, process: Command) -> None:
        self.args = args
        self.options = Options(
            args.target,
            args.target_cpu,
            weights=args.externalize,
            target_triple=args.target_triple,
            flags=tuple(args.iree_flag),
            cache=None if args.no_cache else default_folder(),
        )
        self.shapes = parse_input_shapes(args.input_shape)
        if args.print_pipeline:
            return
        if args.model is None:
            raise UsageError("there is no model; see --help")
        if args.output is None:
            raise UsageError("there is no -o OUTPUT; see --help")
        process.input = args.model
        kind_of(args.output)
        if descriptor_of(args.output) is not None or os.path.isdir(args.output):
            raise UsageError(f"'{args.output}' is no place for several files")
        check_writable(args.output)
        if args.externalize == "args" and not args.output.endswith(".mlir"):
            raise UsageError("--externalize args is for an .mlir")
        if args.tune and not args.output.endswith(ENDING):
            raise UsageError(f"--tune is for a {ENDING}: it runs the code")
        for name in ("tune_seconds", "tune_cache"):
            if getattr(args, name) is not None and not args.tune:
                raise UsageError(f"--{name.replace('_', '-')} is for --tune")
        self.reading = reading_options(args, args.weights)

    def compile(self) -> Sequence[str]:
        """Compile the model, or print the pipeline. Return the written files. Raises one of
        `USER_ERRORS`."""
        args = self.args
        if args.print_pipeline:
            print_result(pipeline(self.options, self.shapes, not args.no_optimize))
            return ()
        source = read_repaired(args.model, self.reading, args.pnnx)
        for message in source.warnings:
            say(f"ncnn-compile: warning: {message}")
        read = [args.model, *filter(None, [source.origin.weights, args.pnnx])]
        check_unread(args.output, read)
        if missing := describe_missing(missing_layers(source.module), source.repaired):
            raise NativeError(f"{args.model}: {missing[0]}")
        with scratch_file(), Clock(f"compiling {args.model}") as clock:
            with _naming(args.model):
                set_shapes(source.module, self.shapes)
            if args.output.endswith(ENDING):
                find_compiler()  # after all mistakes in the options, before all the work
            with _naming(args.model):
                if not args.no_optimize:
                    run_passes(source.module, args.model)
                clock.tick()
                written = write(self.request(source.module, clock))
        return written

    def request(self, module: ModuleOp, clock: Clock) -> Request:
        """Return the request for writing a model."""
        args = self.args

        def note(text: str) -> None:
            clock.clear()
            say(f"ncnn-compile: {text}")

        return Request(
            module,
            args.output,
            self.options,
            args.copy_weights,
            clock.tick,
            note,
            clock.stage,
            self.tuning() if args.tune else None,
        )

    def tuning(self) -> Tuning:
        """Return the options of tuning."""
        seconds, folder = self.args.tune_seconds, self.args.tune_cache
        return Tuning(SECONDS if seconds is None else seconds, folder)


def compile_one(arguments: list[str]) -> Mapping[str, int]:
    """Compile one of many models. Raises one of `USER_ERRORS`."""
    from .ncnn_compile_main import make_parser

    args = make_parser().parse_args(arguments)
    with quiet(args.quiet):
        written = Compile(args, Command("ncnn-compile")).compile()
    return {"bytes": sum(os.path.getsize(path) for path in written)}


@contextmanager
def _naming(path: str) -> Generator[None]:
    """Put the model's path before the message of a `NativeError` that the block raises."""
    try:
        yield
    except NativeError as e:
        raise NativeError(f"{path}: {e}") from e
