"""The work of `ncnn-export`: from its parsed options to a request to the driver.

`ncnn_export_main.py` imports this module after it has parsed the command line, so that `--help` is
fast.
"""

import tempfile
from argparse import Namespace
from pathlib import Path

from ..driver.conversions import Quantizer, Wishes, convert
from ..driver.errors import UsageError
from ..driver.messages import print_note, print_result
from ..driver.model_files import read_model
from ..driver.snippets import snippet
from ..driver.source_files import read_source
from ..formats.file_names import weights_beside
from ..samples.images import Preprocessing
from ..targets.atomic_files import check_writable
from ..targets.output_checks import check_unread, same_place
from .ncnn_report_main import make_parser as report_parser
from .process import Command
from .quantize.command_parsers import DEFAULT, PARSERS
from .quantize.commands import COMMANDS
from .report_command import write_report

SAMPLES = ("images", "data", "resize", "mean", "norm", "to_rgb", "min_snr", "custom_layer")
"""The options that `ncnn-quantize` gets."""


def export(args: Namespace) -> bool:
    """Convert a model as the arguments specify. Return whether it is right. Raises one of
    `USER_ERRORS`."""
    quantizer = _quantizer(args)
    if args.report is not None:
        check_unread(args.report, [args.source, *args.input, *filter(None, [args.data])])
        if any(same_place(args.report, p) for p in (args.output, weights_beside(args.output))):
            raise UsageError(f"'{args.report}' cannot be both the page and the model")
        check_writable(args.report)
    wishes = Wishes(
        args.output,
        not args.no_optimize,
        not args.fp32,
        1e-3 if args.tolerance is None else args.tolerance,
        args.keep_going,
        not args.no_measure,
    )
    source = read_source(args.source, args.input_shape, args.input)
    with tempfile.TemporaryDirectory(prefix="ncnn-export-") as folder:
        found = convert(source, wishes, Path(folder), _say, quantizer)
        for step in found.steps:
            _say(step)
        written = not found.problem or args.keep_going
        if written and args.report is not None:
            pair = [f"{folder}/converted.param", args.output, "--html", args.report]
            write_report(report_parser().parse_args(pair), Command("ncnn-report"))
        for line in found.lines(args.source):
            print_result(line)
    if written:
        _say(f"wrote {args.output}" + (f", {args.report}" if args.report else ""))
        if args.snippet is not None:
            how = Preprocessing(args.mean, args.norm, args.to_rgb)
            print_result(snippet(args.snippet, read_model(args.output), how))
        else:
            _say("how to load it: --snippet cpp, kotlin, swift or python")
    return not found.problem


def _say(text: str) -> None:
    print_note(f"ncnn-export: {text}")


def _quantizer(args: Namespace) -> Quantizer | None:
    """Return the step to int8, `None` if it is not asked for. Raises `UsageError`."""
    given = [name for name in SAMPLES if getattr(args, name) not in (None, False, [], ())]
    if not args.int8:
        wrong = [name for name in given if name not in ("mean", "norm", "to_rgb")]
        if wrong:
            raise UsageError(f"--{wrong[0].replace('_', '-')} is for --int8")
        return None
    if args.images in (None, []) and args.data is None:
        raise UsageError("--int8 needs samples: --images FOLDER or --data FILE")

    def quantize(model: str, result: str) -> bool:
        chosen = PARSERS[DEFAULT]().parse_args(
            [model, "-o", result, *([] if args.no_optimize else ["-O"])]
        )
        for name in given:
            setattr(chosen, name, getattr(args, name))
        return COMMANDS[DEFAULT](chosen) is not False

    return quantize
