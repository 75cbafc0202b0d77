"""The command line of `ncnn-opt`: passes as flags in the order given, then ordinary options."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, cast

from xdsl.passes import ModulePass

from ..analysis.target_info import CHOICES
from ..dialects.xdsl_extras.spelling import nearest
from ..driver.environment import passes_of_xdsl
from ..driver.errors import UsageError
from ..driver.pass_help import describe_ours
from ..driver.pipelines import Passes, optimizing, quoted
from ..frontends import frontends
from ..targets import targets
from ..transforms.rewriting.fold_limit import DEFAULT_FOLD_LIMIT
from ..transforms.rewriting.passes import GROUPS
from ..transforms.rewriting.stages import STAGES
from .parsers import Parser, add_for_ncnn, add_reading_options, count
from .pass_options import add_model_options
from .trust_options import add_trust_options

USAGE = """ncnn-opt [INPUT] [-o OUTPUT] [-O] [--PASS …] [options]
       ncnn-opt INPUT… --output-dir DIR [-O] [--PASS …] [options]"""

DESCRIPTION = """\
Optimizes ncnn models and the IR they are made of.

  ncnn-opt -O model.param -o fast.param      a smaller, faster model with the same outputs
  ncnn-opt model.param --elide-weights       the model as readable IR
  ncnn-opt --fuse-conv-bn model.mlir         one fusion, on IR
  ncnn-opt -O *.param --output-dir fast/     many models

INPUT is a .param (with its .bin), a .param.bin, a .pnnx.param, or a .mlir; without it, or as -, IR
is read from standard input. The ending of OUTPUT says what is written; without it IR goes to
standard output (on a terminal without weights).
"""


class OptParser(Parser):
    """The help ends with the passes."""

    def format_help(self) -> str:
        return f"{super().format_help()}\n{describe_ours()}\n"

    def for_completion(self) -> Parser:
        """The parser with the passes, which are taken out of a command line before it is parsed."""
        parser = make_parser()
        group = parser.add_argument_group("passes of ours")
        for rows in GROUPS.values():
            for row in rows:
                group.add_argument(f"--{row.name}", action="store_true", help=row.help)
        return parser


def make_parser() -> OptParser:
    """The parser of everything but passes."""
    parser = OptParser("ncnn-opt", DESCRIPTION, USAGE)
    parser.add_argument("input_file", nargs="?", metavar="INPUT", help=argparse.SUPPRESS)
    files = parser.add_argument_group("files")
    files.add_argument(
        "-o", "--output-file", metavar="OUTPUT", help=".param, .param.bin or .mlir to write"
    )
    add_reading_options(files)
    files.add_argument("--output-weights", metavar="FILE", help="by default the .bin beside OUTPUT")
    files.add_argument("-f", "--frontend", choices=list(frontends()), help="what INPUT is")
    files.add_argument(
        "-t", "--target", choices=list(targets()), help="what OUTPUT is, if its name does not say"
    )

    many = parser.add_argument_group("many models")
    many.add_argument(
        "--output-dir", metavar="DIR", help="optimize all INPUTs into this folder, names kept"
    )
    many.add_argument(
        "-j", "--jobs", metavar="N", help="so many at once, each in a process of its own (1)"
    )

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
        help="list all passes, also those of xDSL and of other packages, and exit",
    )
    running.add_argument(
        "--print-pipeline",
        action="store_true",
        help="print the passes, as -p and xdsl-opt take them, and exit",
    )
    running.add_argument(
        "-p", "--passes", metavar="PIPELINE", help='as in xdsl-opt: "pass,pass{key=value}"'
    )
    running.add_argument(
        "--tune",
        choices=CHOICES,
        help="also do what is faster on this family of processors only; none: all that can be "
        "done, fast or not; without it, what is no slower on any",
    )
    add_for_ncnn(running)
    running.add_argument(
        "--fold-limit",
        metavar="BYTES",
        type=count,
        default=DEFAULT_FOLD_LIMIT,
        help="how much one constant fold may add to the weights (%(default)s)",
    )
    running.add_argument(
        "--print-between-passes",
        action="store_true",
        help="print the IR after each pass on standard error, without large weights",
    )
    running.add_argument("--time-passes", action="store_true", help="how long each pass takes")
    running.add_argument(
        "--verify-each", action="store_true", help="check the IR after each pass, not only the last"
    )
    running.add_argument("--disable-verify", action="store_true", help="do not check the IR")

    add_model_options(parser)
    add_trust_options(parser)
    text = parser.add_argument_group("IR as text")
    style = text.add_mutually_exclusive_group()
    style.add_argument("--inline-weights", action="store_true", help="every weight as hex")
    style.add_argument("--elide-weights", action="store_true", help="large weights left out")
    text.add_argument("--print-op-generic", action="store_true", help="in MLIR's generic form")
    text.add_argument("--print-no-properties", action="store_true", help="as attributes")
    text.add_argument("--print-debuginfo", action="store_true", help="with locations")
    text.add_argument("--syntax-highlight", action="store_true", help="in colours")
    text.add_argument("--split-input-file", action="store_true", help="at `// -----` lines")
    text.add_argument(
        "--verify-diagnostics", action="store_true", help="errors of the verifier as output"
    )
    text.add_argument(
        "--parsing-diagnostics", action="store_true", help="errors of the parser as output"
    )
    text.add_argument("--allow-unregistered-dialect", action="store_true", help="carry them")
    text.add_argument("--no-implicit-module", action="store_true", help="do not add one")
    return parser


def split_passes(arguments: Sequence[str], passes: Passes) -> tuple[str, list[str]]:
    """Takes the passes out of a command line: returns the pipeline, in the order of the flags
    (`-O`, `-p` and passes alike), and the other arguments. Raises `UsageError`."""
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
            if spec:
                pipeline.append(spec)
        elif argument.startswith("--") and name in passes:
            options = _options(passes[name], value)
            pipeline.append(f"{name}{{{options}}}" if options else name)
        else:
            rest.append(argument)
    return ",".join(pipeline), rest


def _release_in(arguments: Sequence[str]) -> str | None:
    """The value of `--for-ncnn`, wherever it is; any text where it is given."""
    given = [a for a in arguments if a == "--for-ncnn" or a.startswith("--for-ncnn=")]
    return given[0] if given else None


def _options(load: Callable[[], type[ModulePass]], value: str) -> str:
    """What follows `--PASS=`, as a pipeline has it: `key=value key=value`, or only the value where
    the pass has one option."""
    words = " ".join(value.split())
    if words and "=" not in words and len(options := fields(cast(Any, load()))) == 1:
        return f"{options[0].name}={words if words.isdecimal() else quoted(words)}"
    return words


def unknown_option(option: str, parser: Parser, passes: Passes) -> UsageError:
    """The error for an option or pass that does not exist, with what was meant; xDSL's own
    passes hardly ever are."""
    foreign = passes_of_xdsl()
    known = [f"--{name}" for name in {*passes} - {*foreign}]
    known += [s for action in parser._actions for s in action.option_strings if len(s) > 2]  # pyright: ignore[reportPrivateUsage]
    hint = nearest(option.partition("=")[0], known, [f"--{name}" for name in foreign])
    return UsageError(f"unknown pass or option '{option}'{hint}")
