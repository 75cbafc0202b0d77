"""The command line of `ncnn-opt`: passes as flags in the order given, then ordinary options."""

import argparse
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from typing import Any, cast

from xdsl.passes import ModulePass

from ..analysis.target_info import CHOICES
from ..dialects.xdsl_extras.spelling import nearest
from ..driver.environment import passes_of_xdsl
from ..driver.errors import UsageError
from ..driver.mlir_spellings import without_module
from ..driver.pass_help import describe_ours
from ..driver.pipelines import Passes, optimizing, quoted
from ..frontends import frontends
from ..targets import targets
from ..transforms.rewriting.fold_limit import DEFAULT_FOLD_LIMIT
from ..transforms.rewriting.passes import GROUPS
from ..transforms.rewriting.stages import STAGES
from .auditing import add_audit_options
from .batch import add_batch_options
from .float16_options import add_float16_options
from .parsers import Parser, add_devices, add_for_ncnn, add_reading_options, count
from .pass_options import add_model_options
from .trust_options import add_trust_options

MEASURE = "measure"
"""The value of `--tune` for measurements on devices."""

USAGE = """ncnn-opt [INPUT] [-o OUTPUT] [-O] [--PASS …] [options]
       ncnn-opt INPUT… --output-dir DIR [-O] [--PASS …] [options]"""

DESCRIPTION = """\
Optimizes ncnn models and the IR they are made of.

  ncnn-opt -O model.param -o fast.param      a smaller, faster model with the same outputs
  ncnn-opt model.param --elide-weights       the model as readable IR
  ncnn-opt --fuse-conv-bn model.mlir         one fusion, on IR
  ncnn-opt -O *.param --output-dir fast/     many models

INPUT is a .param (with its .bin), a .param.bin, a .pnnx.param, or a .mlir; without it, or as -, IR
is read from standard input. The ending of OUTPUT selects the kind of output; without OUTPUT, IR
goes to standard output (on a terminal without weights).
"""


class OptParser(Parser):
    """A parser whose help ends with the passes."""

    def format_help(self) -> str:
        return f"{super().format_help()}\n{describe_ours()}\n"

    def for_completion(self) -> Parser:
        """Return the parser with the passes, which are removed from a command line before
        parsing."""
        parser = make_parser()
        group = parser.add_argument_group("passes of ours")
        for rows in GROUPS.values():
            for row in rows:
                group.add_argument(f"--{row.name}", action="store_true", help=row.help)
        return parser


def make_parser() -> OptParser:
    """Return the parser of all options but passes."""
    parser = OptParser("ncnn-opt", DESCRIPTION, USAGE)
    parser.add_argument("--help-all", action="help", help="show this help message and exit")
    parser.add_argument("input_file", nargs="?", metavar="INPUT", help=argparse.SUPPRESS)
    files = parser.add_argument_group("files")
    files.add_argument(
        "-o", "--output-file", metavar="OUTPUT", help=".param, .param.bin or .mlir to write"
    )
    add_reading_options(files)
    files.add_argument("--output-weights", metavar="FILE", help="by default the .bin beside OUTPUT")
    files.add_argument(
        "-f",
        "--frontend",
        choices=list(frontends()),
        help="the kind of INPUT, by default from its name and content",
    )
    files.add_argument(
        "-t",
        "--target",
        choices=list(targets()),
        help="the kind of OUTPUT, by default from its name",
    )

    add_batch_options(parser)
    running = parser.add_argument_group("passes")
    running.add_argument(
        "-O",
        dest="optimize",
        action="store_true",
        help="the whole pipeline, in stages: "
        + "; ".join(f"{s.name} ({', '.join(s.passes)}): {s.help}" for s in STAGES),
    )
    running.add_argument(
        "--list-passes",
        action="store_true",
        help="list all passes, including passes of xDSL and of other packages, and exit",
    )
    running.add_argument("--show-dialects", action="store_true", help="list all dialects, and exit")
    running.add_argument(
        "--print-pipeline",
        action="store_true",
        help="print the passes in the syntax of -p and xdsl-opt, and exit",
    )
    running.add_argument(
        "-p", "--passes", metavar="PIPELINE", help='as in xdsl-opt: "pass,pass{key=value}"'
    )
    running.add_argument(
        "--tune",
        choices=(*CHOICES, MEASURE),
        help="also apply rewrites that are faster only on this family of processors; none: apply "
        "all rewrites; measure: those that are faster on the devices of --on; without it, apply "
        "rewrites that are not slower on any family",
    )
    add_devices(
        running,
        "for --tune measure: ssh://[USER@]HOST[:PORT], adb://SERIAL or local (may be given several "
        "times; see ncnn-device)",
    )
    add_for_ncnn(running)
    running.add_argument(
        "--fold-limit",
        metavar="BYTES",
        type=count,
        default=DEFAULT_FOLD_LIMIT,
        help="the largest number of bytes that one constant fold may add to the weights "
        "(%(default)s)",
    )
    running.add_argument(
        "--print-between-passes",
        action="store_true",
        help="print the IR after each pass on standard error, without large weights",
    )
    running.add_argument(
        "--print-after-change",
        action="store_true",
        help="print the IR after each pass that changes it, on standard error",
    )
    running.add_argument(
        "--time-passes",
        action="store_true",
        help="print the times of passes and patterns, with their shares",
    )
    running.add_argument(
        "--trace", metavar="FILE", help="write the times as a trace, for Perfetto: .json"
    )
    running.add_argument(
        "--crash-reproducer",
        metavar="FILE",
        help="if a pass fails, write the IR before the passes, with the command: .mlir",
    )
    running.add_argument(
        "--verify-each",
        action="store_true",
        help="verify the IR after each pass, not only at the end",
    )
    running.add_argument("--disable-verify", action="store_true", help="do not verify the IR")
    running.add_argument(
        "--verify-roundtrip",
        action="store_true",
        help="verify that the IR is the same after printing and parsing, before the passes",
    )

    add_model_options(parser)
    add_trust_options(parser)
    add_float16_options(parser)
    add_audit_options(parser)
    text = parser.add_argument_group("IR as text")
    style = text.add_mutually_exclusive_group()
    style.add_argument("--inline-weights", action="store_true", help="print all weights as hex")
    style.add_argument("--elide-weights", action="store_true", help="omit large weights")
    text.add_argument("--print-op-generic", action="store_true", help="print MLIR's generic form")
    text.add_argument(
        "--print-no-properties", action="store_true", help="print properties as attributes"
    )
    text.add_argument("--print-debuginfo", action="store_true", help="print locations")
    text.add_argument("--syntax-highlight", action="store_true", help="print in colours")
    text.add_argument(
        "--split-input-file", action="store_true", help="split the input at `// -----` lines"
    )
    text.add_argument(
        "--verify-diagnostics", action="store_true", help="print errors of the verifier as output"
    )
    text.add_argument(
        "--parsing-diagnostics", action="store_true", help="print errors of the parser as output"
    )
    text.add_argument(
        "--allow-unregistered-dialect",
        action="store_true",
        help="accept operations of unknown dialects",
    )
    text.add_argument(
        "--no-implicit-module", action="store_true", help="do not wrap IR in a module"
    )
    return parser


def split_passes(
    arguments: Sequence[str], passes: Passes, options: Collection[str] = ()
) -> tuple[str, list[str]]:
    """Return the pipeline of a command line, in the order of the flags (`-O`, `-p` and passes), and
    the other arguments. `options` are no passes: other packages are not searched for them. Raises
    `UsageError`."""
    pipeline: list[str] = []
    rest: list[str] = []
    pending = iter(arguments)
    for argument in pending:
        name, equals, value = argument.removeprefix("--").partition("=")
        if argument == "--":
            rest += [argument, *pending]
        elif argument == "-O":
            pipeline += optimizing(_release_in(arguments))
            rest.append(argument)
        elif argument.startswith("-O"):
            raise UsageError(f"'{argument}': -O has no levels, and takes nothing")
        elif argument in ("-p", "--passes") or (name == "passes" and equals):
            spec = value if equals else next(pending, None)
            if spec is None:
                raise UsageError(f"argument {argument}: expected a pipeline")
            if spec := without_module(spec):
                pipeline.append(spec)
        elif argument.partition("=")[0] in options:
            rest.append(argument)
        elif argument.startswith("--") and name in passes:
            given = _options(passes[name], value)
            pipeline.append(f"{name}{{{given}}}" if given else name)
        else:
            rest.append(argument)
    return ",".join(pipeline), rest


def _release_in(arguments: Sequence[str]) -> str | None:
    """Return a text if the command line contains `--for-ncnn`, else `None`."""
    given = [a for a in arguments if a == "--for-ncnn" or a.startswith("--for-ncnn=")]
    return given[0] if given else None


def _options(load: Callable[[], type[ModulePass]], value: str) -> str:
    """Return the options of `--PASS=VALUE` in the syntax of a pipeline. VALUE is `key=value
    key=value`, or only a value for a pass with one option."""
    words = " ".join(value.split())
    if words and "=" not in words and len(options := fields(cast(Any, load()))) == 1:
        return f"{options[0].name}={words if words.isdecimal() else quoted(words)}"
    return words


def unknown_option(option: str, parser: Parser, passes: Passes) -> UsageError:
    """Return the error for an unknown option or pass, with similar names. xDSL's own passes come
    last, because users seldom mean them."""
    foreign = passes_of_xdsl()
    known = [f"--{name}" for name in {*passes} - {*foreign}]
    known += [s for action in parser._actions for s in action.option_strings if len(s) > 2]  # pyright: ignore[reportPrivateUsage]
    hint = nearest(option.partition("=")[0], known, [f"--{name}" for name in foreign])
    return UsageError(f"unknown pass or option '{option}'{hint}")
