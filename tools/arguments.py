"""The command line of `ncnn-opt`: passes as flags in the order given, then ordinary options."""

import argparse
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from typing import Any, cast

from xdsl.passes import ModulePass

from ..analysis.target_info import CHOICES
from ..dialects.xdsl_extras.spelling import nearest
from ..driver.environment import available_passes, passes_of_xdsl
from ..driver.errors import UsageError
from ..driver.pipelines import quoted
from ..driver.requests import TOLERANCE
from ..frontends import frontends
from ..targets import targets
from ..transforms.rewriting.fold_limit import DEFAULT_FOLD_LIMIT
from ..transforms.rewriting.passes import GROUPS
from ..transforms.rewriting.stages import STAGES
from .audit_option import add_audit_options
from .batch import add_batch_options
from .parsers import FOR_NCNN, ON_DEVICE, READING, Parser, add_options, count, positive, tolerance
from .pass_options import FLOAT16, add_model_options
from .spellings import without_module

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

FILES = f"""
  --help-all  show this help message and exit
files:
  -o, --output-file OUTPUT  .param, .param.bin, .mem.h (arrays for C++, as of ncnn2mem) or .mlir to
      write
{READING}
  --output-weights FILE  by default the .bin beside OUTPUT
  -f, --frontend  the kind of INPUT, by default from its name and content
  -t, --target  the kind of OUTPUT, by default from its name
"""

PASSES = f"""
passes:
  -O  the whole pipeline, in stages:
      {"; ".join(f"{s.name} ({', '.join(s.passes)}): {s.help}" for s in STAGES)}
  --list-passes  list all passes, including passes of xDSL and of other packages, and exit
  --show-dialects  list all dialects, and exit
  --print-pipeline  print the passes in the syntax of -p and xdsl-opt, and exit
  -p, --passes PIPELINE  as in xdsl-opt: "pass,pass{{key=value}}"
  --tune  also apply rewrites that are faster only on this family of processors; none: apply all
      rewrites; measure: those that are faster on the devices of --on-device; without it, apply
      rewrites that are not slower on any family
  --on-device ADDRESS...  for --tune measure: ssh://[USER@]HOST[:PORT], adb://SERIAL or local (may
      be given several times; see ncnn-device)
{FOR_NCNN}
  --fold-limit BYTES  the largest number of bytes that one constant fold may add to the weights
      (%(default)s)
  --print-between-passes  print the IR after each pass on standard error, without large weights
  --print-after-change  print the IR after each pass that changes it, on standard error
  --print-after PASS[,PASS…]...  print the IR after these passes, on standard error (may be given
      several times)
  --print-to-dir DIR  write the IR that the other --print options print to files in this folder;
      without them, after each pass: 0_PASS.mlir, 1_PASS.mlir and so on; with several chunks of
      --split-input-file, in a folder for each: 1/0_PASS.mlir, 2/0_PASS.mlir
  --print-after-rewrite PATTERN[,PATTERN…]...  print the IR after each rewrite of these patterns,
      which --statistics lists
  --statistics  print the rewrites of each pass by pattern, and its change of the number of
      operations
  --time-passes  print the times of passes and patterns, with their shares
  --trace FILE  write the times as a trace, for Perfetto: .json
  --crash-reproducer FILE  if a pass fails, write the IR before the passes, with the command: .mlir
  --verify-each  verify the IR after each pass, not only at the end
  --disable-verify  do not verify the IR
  --verify-roundtrip  verify that the IR is the same after printing and parsing, before the passes
"""

VERIFICATION = f"""
what the passes did:
  --remarks  a line on standard error for each rewrite
  --remarks=json  the same, each line a JSON object
  --remarks=missed  print a line for each scale, shift or activation that is not fused into a linear
      layer, with the failed condition
  --stop-after STAGE|N  omit the passes after this stage of -O, or after this pass; with a number,
      apply at most N rewrites of patterns: bisect N to find a wrong rewrite
  --verify-equivalence  run the original model in the ncnn runtime, and the model after each pass;
      if an output differs, exit with status 1 and write nothing
  --check  load and run the result in the ncnn runtime, on random inputs; if that fails, print the
      reason, exit with status 1 and write nothing
  --device  with --check: also print the layers that do not run on a Vulkan device
  --verify-rewrites  prove each rewrite while passes run, for all inputs and weights at small
      extents; if one is wrong, print a counterexample, exit with status 1 and write nothing
  --certificate FILE  the same, and write each rewrite with its proof, and hashes of the model
      before and after it, to this JSON file
  --counterexample DIR  write both models and the inputs of a counterexample into this folder
  --check-certificate CERTIFICATE INPUT OUTPUT  repeat the run of a certificate on INPUT, prove each
      rewrite, and compare the result with OUTPUT
  --prove-pdl FILE  prove the patterns of a PDL file, and exit
  --seed N  the seed of random inputs (0)
  --samples N  the number of random inputs (1)
  --tolerance X  largest error, relative to an output's largest value ({TOLERANCE:g})
"""

STYLES = """
  --inline-weights  print all weights as hex
  --elide-weights  omit large weights
"""

TEXT = """
  --print-op-generic  print MLIR's generic form
  --print-no-properties  print properties as attributes
  --print-debuginfo  print locations
  --syntax-highlight  print in colours
  --split-input-file  split the input at `// -----` lines
  --verify-diagnostics  print errors of the verifier as output
  --parsing-diagnostics  print errors of the parser as output
  --allow-unregistered-dialect  accept operations of unknown dialects
  --no-implicit-module  do not wrap IR in a module
"""


class OptParser(Parser):
    """A parser whose help ends with the passes."""

    def format_help(self) -> str:
        from ..driver.pass_help import describe_ours

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
    parser.add_argument("input_file", nargs="?", metavar="INPUT", help=argparse.SUPPRESS)
    kinds = {"frontend": list(frontends()), "target": list(targets())}
    add_options(parser, FILES, help_all={"action": "help"}, **kinds)
    add_batch_options(parser)
    add_options(
        parser,
        PASSES,
        O={"dest": "optimize"},
        tune=(*CHOICES, MEASURE),
        on_device=ON_DEVICE,
        fold_limit={"type": count, "default": DEFAULT_FOLD_LIMIT},
    )
    add_model_options(parser)
    remarks = {"dest": "remarks", "action": "store_const"}
    add_options(
        parser,
        VERIFICATION,
        remarks={**remarks, "const": "text"},
        stop_after=_last,
        device=("vulkan",),
        seed=count,
        samples=positive,
        tolerance=tolerance,
        **{"remarks=json": {**remarks, "const": "json"}, "remarks=missed": {"dest": "missed"}},
    )
    add_options(parser, FLOAT16, margin=float, max_error=float)
    add_audit_options(parser)
    text = parser.add_argument_group("IR as text")
    add_options(text.add_mutually_exclusive_group(), STYLES)
    add_options(text, TEXT)
    return parser


def _last(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


OPTIMIZATION = "-O"


def split_passes(
    arguments: Sequence[str], options: Collection[str] = ()
) -> tuple[list[str], list[str]]:
    """Return the parts of the pipeline of a command line, in the order of the flags, and the other
    arguments. A part is a pipeline as text, or `OPTIMIZATION`. `options` are no passes: other
    packages are not searched for them. Raises `UsageError`."""
    passes, parts = available_passes(), list[str]()
    rest: list[str] = []
    pending = iter(arguments)
    for argument in pending:
        name, equals, value = argument.removeprefix("--").partition("=")
        if argument == "--":
            rest += [argument, *pending]
        elif argument == OPTIMIZATION:
            parts.append(argument)
            rest.append(argument)
        elif argument.startswith("-O"):
            raise UsageError(f"'{argument}': -O has no levels, and takes nothing")
        elif argument in ("-p", "--passes") or (name == "passes" and equals):
            spec = value if equals else next(pending, None)
            if spec is None:
                raise UsageError(f"argument {argument}: expected a pipeline")
            if spec := without_module(spec):
                parts.append(spec)
        elif argument.partition("=")[0] in options:
            rest.append(argument)
        elif argument.startswith("--") and name in passes:
            given = _options(passes[name], value)
            parts.append(f"{name}{{{given}}}" if given else name)
        else:
            rest.append(argument)
    return parts, rest


def _options(load: Callable[[], type[ModulePass]], value: str) -> str:
    """Return the options of `--PASS=VALUE` in the syntax of a pipeline. VALUE is `key=value
    key=value`, or only a value of the first option, as in `--externalize-weights=args`."""
    words = " ".join(value.split())
    if not words or "=" in words or not (options := fields(cast(Any, load()))):
        return words
    if words.replace("-", "_") not in [each.name for each in options]:
        return f"{options[0].name}={words if words.isdecimal() else quoted(words)}"
    return words


def unknown_option(option: str, parser: Parser) -> UsageError:
    """Return the error for an unknown option or pass, with similar names. xDSL's own passes come
    last, because users seldom mean them."""
    foreign = passes_of_xdsl()
    known = [f"--{name}" for name in {*available_passes()} - {*foreign}]
    known += [s for action in parser._actions for s in action.option_strings if len(s) > 2]  # pyright: ignore[reportPrivateUsage]
    word = option.partition("=")[0]
    hint = nearest(word, known, [f"--{name}" for name in foreign])
    return UsageError(f"unknown pass or option '{option}'{hint}")
