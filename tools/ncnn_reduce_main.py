"""`ncnn-reduce`: the smallest model that still fails."""

from argparse import Namespace
from collections.abc import Sequence

from .parsers import READING, Parser, add_options, positive, reading_options, tolerance
from .process import Command, run_command

DESCRIPTION = """\
Reduces a model to the smallest one that still fails.

  ncnn-reduce model.param --test ./check.sh -o small.param
  ncnn-reduce model.param --differs -o small.param           before and after -O
  ncnn-reduce model.param --differs numpy -o small.param     the runtime and the reference
  ncnn-reduce model.param --differs net.py:make -o small.param   an operator of PyTorch
  ncnn-reduce model.param --crashes -o small.param           the runtime crashes
  ncnn-reduce model.param --refused --python old/bin/python -o small.param

Layers are removed, extents and parameters reduced, and weights simplified, as long as the model
fails as the original does.
"""

TABLE = f"""
  -o, --output-file OUTPUT  .param or .mlir to write
test:
  --test COMMAND  a command that gets the .param as its last argument: exit status 0 if the model
      does not fail, 125 if it cannot be tested, another status, the same as the original's, if it
      fails
  --timeout SECONDS  the time limit of one run of the command or the runtime (60)
  --differs [WAY]  outputs differ: passes (before and after -p, by default -O), numpy (the runtime
      and the reference), vulkan (CPU and GPU), releases (the runtime of --python), or a model of
      PyTorch: .pnnx.param, .pt (TorchScript), .pt2, package.module:function, file.py:function
  --crashes [WHAT]  runtime: the runtime crashes; passes: a pass of -p, by default of -O, fails
  --refused  the runtime does not load or run the model
  --python PYTHON  the Python of an environment with NumPy and another release of the runtime
  -p, --passes PIPELINE  passes as in ncnn-opt: "pass,pass{{key=value}}"
  --tolerance ERROR  the largest error relative to a blob's largest value (0.001)
  --seed SEED  the seed of random inputs (0)
  --input-shape INPUT=EXTENTS...  the shape of an input that the model does not declare (may be
      given several times)
weights:
{READING}
"""

WAYS = ("passes", "numpy", "vulkan", "releases")


def make_parser() -> Parser:
    """Return the parser of all options."""
    parser = Parser("ncnn-reduce", DESCRIPTION)
    parser.add_argument(
        "model", metavar="INPUT", nargs="?", help="a .param (with its .bin) or .mlir"
    )
    add_options(
        parser,
        TABLE,
        timeout=positive,
        differs={"nargs": "?", "const": "passes"},
        crashes={"nargs": "?", "const": "runtime", "choices": ("runtime", "passes")},
        tolerance=tolerance,
        seed=int,
    )
    return parser


def reduce_one(args: Namespace, process: Command) -> None:
    """Reduce the model that the arguments name. Raises one of `USER_ERRORS`."""
    from ..driver.errors import UsageError
    from ..driver.pipelines import limited, optimizing, parse_input_shapes, passes_in, with_options
    from ..driver.reducing.request import ReduceRequest, is_source, reduce_model

    if args.differs is not None and args.differs not in WAYS and not is_source(args.differs):
        raise UsageError(
            f"--differs is one of {', '.join(WAYS)}, or a model of PyTorch (.pnnx.param, .pt, "
            f".pt2, module:function), not '{args.differs}'"
        )
    if args.model is None:
        raise UsageError("there is no INPUT to reduce")
    process.input = args.model
    tests = ("test", "differs", "crashes", "refused")
    given = [name for name in tests if getattr(args, name)]
    if len(given) != 1:
        raise UsageError("one test is needed: --test COMMAND, --differs, --crashes or --refused")
    if args.output_file is None:
        raise UsageError("-o OUTPUT is needed")
    if args.python is not None and given[0] == "test":
        raise UsageError("--python is for --differs, --crashes and --refused")
    passes = limited(optimizing(None)) if args.passes is None else passes_in(args.passes)
    request = ReduceRequest(
        args.model,
        reading_options(args, args.weights),
        args.output_file,
        with_options(passes),
        args.test,
        args.differs,
        args.crashes,
        args.refused,
        args.python,
        parse_input_shapes(args.input_shape),
        1e-3 if args.tolerance is None else args.tolerance,
        args.seed or 0,
        args.timeout or 60,
    )
    reduce_model(request)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake."""
    run_command(make_parser, arguments, reduce_one)
