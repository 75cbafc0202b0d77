"""The command line of `ncnn-opt`, read and checked. Nothing of this needs a dialect or a pattern:
help and mistakes come before those are imported."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from xdsl.utils.arg_spec import parse_pipeline

from ..driver.errors import UsageError
from ..driver.pipelines import (
    available_passes,
    check_pipeline,
    known_release,
    stopped_after,
)
from ..frontends import ReadOptions
from ..targets import target_for, targets
from ..targets.files import descriptor_of
from ..transforms import OPTIMIZE, REPAIR
from ..transforms.for_release import ForRelease
from .arguments import make_parser, split_passes, unknown_option
from .parsers import reading_options
from .pass_options import with_passes
from .trust_options import check_trust_options


class CommandLine(NamedTuple):
    """What a command line says."""

    args: Namespace
    """The options; among them the whole pipeline, as `passes`."""
    reading: ReadOptions
    """How the model is read."""

    @staticmethod
    def of(arguments: Sequence[str]) -> "CommandLine":
        """Raises `UsageError` and `OutputError` for what cannot be meant; exits after `--help`."""
        passes = available_passes()
        parser = make_parser()
        pipeline, rest = split_passes(arguments, passes)
        args, unknown = parser.parse_known_args(rest)
        if unknown and not unknown[0].startswith("-"):
            raise UsageError(too_many(unknown[0]))
        if unknown:
            raise unknown_option(unknown[0], parser, passes)
        check_pipeline(pipeline, passes)
        args.for_ncnn = None if args.for_ncnn is None else known_release(args.for_ncnn)
        of_stages = (*OPTIMIZE, ForRelease.name) if args.optimize else ()
        args.named_passes = {spec.name for spec in parse_pipeline(pipeline)}.difference(of_stages)
        args.passes = with_passes(pipeline, args)
        if args.pnnx is not None:
            args.passes = ",".join([*REPAIR, *([args.passes] if args.passes else [])])
        if isinstance(args.stop_after, str):
            args.passes = stopped_after(args.passes, args.stop_after)
        check_pipeline(args.passes, passes)
        check_output(args)
        if args.weights == "none" and args.output_weights is not None:
            raise UsageError("--weights none leaves no weights for --output-weights")
        check_trust_options(args)
        reading = replace(
            reading_options(args, args.weights),
            implicit_module=not args.no_implicit_module,
            allow_unregistered=args.allow_unregistered_dialect,
            verify=not args.disable_verify,
        )
        if args.input_file is None and not args.print_pipeline and sys.stdin.isatty():
            raise UsageError("there is no INPUT; - reads IR from the terminal")
        if args.input_file == "-":
            args.input_file = None
        return CommandLine(args, reading)


def too_many(path: str) -> str:
    """What to say of a second input."""
    if any(path.endswith(f".{kind}") for kind in targets()):
        return f"'{path}' is one input too many: -o writes it, and --output-dir takes several"
    return f"'{path}' is one input too many; several need --output-dir"


def check_output(args: Namespace) -> None:
    """Raises `UsageError` and `OutputError` unless it is clear what is written where."""
    path, kind = args.output_file, args.target
    if writes_text(args):
        if kind not in (None, "mlir"):
            raise UsageError(f"-t {kind} needs -o OUTPUT: its weights go to a file beside it")
    elif kind is None:
        target_for(path)
    else:
        name = next((other for other in targets() if path.endswith(f".{other}")), kind)
        if not kind.endswith(name):
            raise UsageError(f"'{path}' is a .{name} by its name; -t says {kind}")


def writes_text(args: Namespace) -> bool:
    """Whether the result is one text: on standard output, or to something that is no regular file
    and has no place for weights beside it."""
    path: str | None = args.output_file
    if path is None or path == "-":
        return True
    if descriptor_of(path) is not None:
        return True
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
