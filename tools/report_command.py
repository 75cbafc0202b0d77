"""The work of `ncnn-report`: checks of its options, and the report in the kind that they select.

`ncnn_report_main.py` imports this module after it has parsed the command line, so that `--help` is
fast.
"""

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace

from ..analysis.target_info.releases import LATEST
from ..driver.batch.jobs import FailedWithFigures
from ..driver.errors import UsageError
from ..driver.messages import print_note, print_result
from ..driver.pipelines import known_release, parse_input_shapes
from ..driver.reporter import TOLERANCE, Reporter, ReportRequest, write_reports
from ..formats.file_names import weights_beside
from ..report.model import ModelFacts
from ..report.model_comparison import compare
from ..report.shared_texts import differing_inputs
from ..targets.atomic_files import check_writable
from ..targets.output_checks import check_unread, is_same_file, weights_beside_mlir
from .batch import Figures
from .parsers import reading_options
from .process import Command


def write_report(args: argparse.Namespace, process: Command) -> Sequence[ModelFacts]:
    """Write or print the report of a command line. Return the facts of its one or two models.
    Raises one of `USER_ERRORS`."""
    request = _request_of(args)

    def at(path: str) -> None:
        process.input = path

    facts = Reporter(request, lambda text: print_note(f"ncnn-report: {text}"), at).collect()
    result = compare(*facts) if len(facts) == 2 else facts[0]
    at("")
    fits = args.output_file in (None, "-") and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if fits else None
    text = write_reports(result, args.html, args.output_file, args.json, width)
    if text is not None:
        encoding = sys.stdout.encoding or "utf-8"
        print_result(text.encode(encoding, "replace").decode(encoding).removesuffix("\n"))
    return facts


def _request_of(args: argparse.Namespace) -> ReportRequest:
    """Return a checked request. Raises `UsageError`."""
    _take_kind_from_name(args)
    reading, several = reading_options(args, None), args.other is not None
    if args.ranges != (args.data is not None):
        raise UsageError("--ranges needs samples: --ranges --data FILE")
    if args.ranges and several:
        raise UsageError("--ranges is for one model")
    reading = replace(reading, structure_only=not args.ranges, custom_types_optional=several)
    shapes = parse_input_shapes(args.input_shape)
    if args.model is None:
        raise UsageError("there is no model; see --help")
    paths = [p for p in (args.model, args.other) if p is not None]
    for target in (args.output_file, args.html):
        if target is not None and any(is_same_file(target, path) for path in paths):
            raise UsageError(f"'{target}' is a model: the report would replace it")
        if target is not None:
            beside = [f(p) for p in paths for f in (weights_beside, weights_beside_mlir)]
            others = filter(None, [args.errors, args.pnnx])
            check_unread(target, [*beside, *args.weights, *others])
            check_writable(target)
    real = os.path.realpath
    if None not in (args.html, args.output_file) and real(args.html) == real(args.output_file):
        raise UsageError(f"'{args.html}' cannot be both the page and the text")
    if args.for_ncnn is not None and args.device is None:
        raise UsageError("--for-ncnn is for --device")
    release = known_release(args.for_ncnn or LATEST)
    if args.errors is not None and args.html is None:
        raise UsageError("--errors is for the page, --html FILE")
    if len(args.weights) > len(paths):
        raise UsageError(f"--weights is given {len(args.weights)} times for one model")
    return ReportRequest(
        paths,
        reading,
        args.weights,
        args.pnnx,
        shapes,
        args.data if args.ranges else None,
        args.on,
        args.errors,
        None if args.device is None else release,
        args.html is not None,
        args.repeat,
    )


def report_one(args: argparse.Namespace) -> Figures:
    """Write the report of one of many models. Raises one of `USER_ERRORS`, also if the outputs of
    two models differ."""
    models = write_report(args, Command("ncnn-report"))
    times = [f"{each.latency:.3f}" for each in models if each.latency is not None]
    measured = {"ms": " -> ".join(times)} if times else {}
    guessed = {"guessed shapes": models[0].guessed} if models[0].guessed else {}
    first, *others = (facts.figures() for facts in models)
    if not others:
        return {**measured, **guessed, **first}
    differ = [f"{name} {old} -> {new}" for name, old, new in differing_inputs(*models)]
    marked = {"different inputs": "; ".join(differ)} if differ else {}
    pairs = {name: (first[name], others[0][name]) for name in first if name in others[0]}
    figures = {**models[-1].verdict(), **marked, **measured, **guessed, **pairs}
    if not models[-1].agrees:
        reason = f"{args.model}: {args.other} has other outputs: error {figures['error']}"
        raise FailedWithFigures(f"{reason}, limit {TOLERANCE:g}", figures)
    return figures


def _take_kind_from_name(args: argparse.Namespace) -> None:
    """Set the kind of report by the ending of the output. Raises `UsageError` for two pages."""
    path: str = (args.output_file or "").lower()
    if path.endswith(".json"):
        args.json = True
    if path.endswith((".html", ".htm")) and not args.json:
        if args.html is None:
            args.html, args.output_file = args.output_file, None
        elif os.path.realpath(args.html) != os.path.realpath(args.output_file):
            raise UsageError(f"'{args.output_file}' would be a page, as '{args.html}' is")
