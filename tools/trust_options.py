"""Options of the command line about what the passes did: told, stopped, checked."""

import argparse
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from ..driver.errors import UsageError
from ..driver.pipelines import Observer
from ..transforms.rewriting.fold_limit import fold_limit
from ..transforms.rewriting.remarks import Remark, listening
from .messages import say, tell
from .parsers import count, positive, tolerance

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..runtime.equivalence import EquivalenceCheck
    from ..transforms.rewriting.counting import RewriteCounter

TOLERANCE = 1e-4
"""The largest error that counts as none, relative to an output's largest value."""


def add_trust_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options to a parser."""
    group = parser.add_argument_group("what the passes did")
    for flag, form, text in (
        ("--remarks", "text", "a line on standard error for each rewrite"),
        ("--remarks=json", "json", "the same, each line a JSON object"),
    ):
        group.add_argument(flag, dest="remarks", action="store_const", const=form, help=text)
    group.add_argument(
        "--remarks=missed",
        dest="missed",
        action="store_true",
        help="a line for each scale, shift or activation that is left behind a linear layer, with "
        "the condition that fails",
    )
    group.add_argument(
        "--stop-after",
        metavar="STAGE|N",
        type=_last,
        help="leave out the passes after this stage of -O, or after this pass; with a number, no "
        "more than N rewrites by patterns: bisecting N finds the one that is wrong",
    )
    group.add_argument(
        "--verify-equivalence",
        action="store_true",
        help="run the model in the ncnn runtime as it was and after each pass; where an output "
        "differs, exit with status 1 and write nothing",
    )
    group.add_argument(
        "--check",
        action="store_true",
        help="load and run the model in the ncnn runtime as it will be written, on random inputs; "
        "if that fails, say why, exit with status 1 and write nothing",
    )
    group.add_argument("--seed", metavar="N", type=count, help="of the random inputs (0)")
    group.add_argument("--samples", metavar="N", type=positive, help="how many random inputs (1)")
    group.add_argument(
        "--tolerance",
        metavar="X",
        type=tolerance,
        help=f"largest error, relative to an output's largest value ({TOLERANCE:g})",
    )


def check_trust_options(args: argparse.Namespace) -> None:
    """Raises `UsageError` for what would say nothing, and fills in what is not said."""
    verified = args.verify_equivalence
    for name, users, used in (
        ("seed", "--verify-equivalence and --check", verified or args.check),
        ("samples", "--verify-equivalence", verified),
        ("tolerance", "--verify-equivalence", verified),
    ):
        if getattr(args, name) is not None and not used:
            raise UsageError(f"--{name} is for {users}")
    args.seed = 0 if args.seed is None else args.seed
    args.samples = 1 if args.samples is None else args.samples
    args.tolerance = TOLERANCE if args.tolerance is None else args.tolerance


def _last(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


@contextmanager
def watching(
    args: argparse.Namespace, hear: Callable[[Remark], None] | None = None
) -> Generator[list[Observer]]:
    """Runs the block as these options say; gives what is to look at the model between passes.
    Remarks are told as well to who wants to hear them."""
    listeners = [] if hear is None else [hear]
    observers: list[Observer] = []
    if args.time_passes:
        observers.append(_timing())
    if args.print_between_passes:
        observers.append(_dump_ir)
    with ExitStack() as stack:
        stack.enter_context(fold_limit(args.fold_limit))
        if args.remarks is not None:
            listeners.append(_printer(args.remarks))
        if listeners:
            stack.enter_context(listening(_all_of(listeners)))
        if args.verify_equivalence:
            from ..runtime.equivalence import EquivalenceCheck

            check = EquivalenceCheck(args.seed, args.samples, args.tolerance)
            observers.append(stack.enter_context(check).observe)
            stack.callback(_tell_check, check)
        yield observers


def _all_of(listeners: Sequence[Callable[[Remark], None]]) -> Callable[[Remark], None]:
    def hear(remark: Remark) -> None:
        for each in listeners:
            each(remark)

    return hear


def _timing() -> Observer:
    """Prints how long each pass takes."""
    start = time.perf_counter()

    def observe(done: ModulePass | None, module: "ModuleOp", following: ModulePass | None) -> None:
        nonlocal start
        if done is not None:
            tell(f"Pass {done.name} took {time.perf_counter() - start} seconds")
        start = time.perf_counter()

    return observe


def _dump_ir(done: ModulePass | None, module: "ModuleOp", following: ModulePass | None) -> None:
    """Print the IR after a pass, as `mlir-opt --mlir-print-ir-after-all` does."""
    if done is None:
        return
    from ..targets.mlir.printing import print_module
    from ..targets.options import MlirOptions, WeightStyle

    text = print_module(module.clone(), MlirOptions(WeightStyle.ELIDE))
    tell(f"// -----// IR Dump After {done.name} //----- //\n{text}")


def _printer(form: str) -> Callable[[Remark], None]:
    def as_text(remark: Remark) -> None:
        tell(f"remark: {remark}")

    def as_json(remark: Remark) -> None:
        import json

        tell(json.dumps(remark.as_dict(), ensure_ascii=False))

    return as_json if form == "json" else as_text


def tell_counts(counter: "RewriteCounter") -> None:
    """Print whether `--stop-after N` has stopped anything, and which patterns of a file matched
    nothing."""
    for pattern in counter.unmatched:
        say(f"ncnn-opt: nothing matched {pattern}")
    if counter.limit is not None:
        reached = "only" if counter.is_below_limit() else "stopped after"
        say(f"ncnn-opt: {reached} {counter.done} rewrites")


def _tell_check(check: "EquivalenceCheck") -> None:
    if table := check.table():
        tell(table)
