"""The command line of `ncnn-opt`, read and checked. Nothing of this needs a dialect or a pattern:
help and mistakes come before those are imported."""

import os
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.utils.arg_spec import parse_spec

from ..targets.files import descriptor_of
from ..transforms import REPAIR
from .arguments import make_parser, parse_custom_weights, split_passes, unknown_option
from .environment import universe
from .errors import UsageError
from .kinds import KINDS, check_kind_to_write
from .model_options import with_model_passes
from .pipelines import Passes, available_passes, check_pipeline
from .shape_options import with_shape_passes


@dataclass(frozen=True)
class CommandLine:
    """What a command line says."""

    args: Namespace
    """The options; among them the whole pipeline, as `passes`."""
    passes: Passes
    """The passes that there are."""
    custom_weights: dict[str, tuple[int, ...]]
    """The floats of each weight of a custom layer type."""

    @staticmethod
    def of(arguments: Sequence[str]) -> "CommandLine":
        """Raises `UsageError` for what cannot be meant; exits after `--help`."""
        passes, targets = available_passes(), universe().all_targets
        parser = make_parser(passes, KINDS, list(targets))
        pipeline, rest = split_passes(arguments, passes)
        args, unknown = parser.parse_known_args(rest)
        if unknown and not unknown[0].startswith("-"):
            raise UsageError(f"'{unknown[0]}' is one input too many; several need --output-dir")
        if unknown:
            raise unknown_option(unknown[0], parser, passes)
        check_pipeline(pipeline, passes)
        # Shapes come first and storage last, whatever is asked for besides.
        args.passes = with_shape_passes(with_model_passes(pipeline, args), args)
        if args.pnnx is not None:
            args.passes = ",".join([*REPAIR, *([args.passes] if args.passes else [])])
        check_pipeline(args.passes, passes)
        if parse_spec(args.target).name not in targets:
            raise UsageError(f"unknown target '{args.target}'")
        if args.output_file is not None and not writes_text(args):
            check_kind_to_write(args.output_file)
        custom_weights = parse_custom_weights(args.custom_weights)
        if args.input_file == "-":
            args.input_file = None
        return CommandLine(args, passes, custom_weights)


def writes_text(args: Namespace) -> bool:
    """Whether the result is one text: on standard output, to something that is no regular file and
    has no place for weights beside it, or of one of xDSL's targets."""
    path: str | None = args.output_file
    if path is None or path == "-" or args.target != "mlir":
        return True
    if descriptor_of(path) is not None:
        return True
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
