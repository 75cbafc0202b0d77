"""Options of the command line about what the passes did: told, stopped, checked."""

import argparse
import json
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from ..transforms.fold_limit import fold_limit
from ..transforms.remarks import Remark, listening

if TYPE_CHECKING:
    from ..transforms.counting import RewriteCounter
    from .equivalence import EquivalenceCheck

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
        "--stop-after",
        metavar="N",
        type=count,
        help="no more than N rewrites by patterns: bisecting N finds the one that is wrong",
    )
    group.add_argument(
        "--verify-equivalence",
        action="store_true",
        help="run the model in the ncnn runtime as it was and after each pass; where an output "
        "differs, exit with status 1 and write nothing",
    )
    group.add_argument(
        "--seed", metavar="N", type=count, default=0, help="of the random inputs (0)"
    )
    group.add_argument(
        "--samples", metavar="N", type=_positive, default=1, help="how many random inputs (1)"
    )
    group.add_argument(
        "--tolerance",
        metavar="X",
        type=_tolerance,
        default=TOLERANCE,
        help=f"largest error, relative to an output's largest value ({TOLERANCE:g})",
    )


def count(text: str) -> int:
    """The value of an option that is a number from 0 on."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"a number from 0 on, not '{text}'")
    return int(text)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a number from 1 on, not '{text}'")
    return int(text)


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"a number from 0 on, not '{text}'")
    return value


@contextmanager
def watching(args: argparse.Namespace) -> Generator["EquivalenceCheck | None"]:
    """Runs the block as these options say; gives the check that is to look at each pass, if one
    is wanted."""
    with ExitStack() as stack:
        stack.enter_context(fold_limit(args.fold_limit))
        if args.remarks is not None:
            stack.enter_context(listening(_printer(args.remarks)))
        if args.stop_after is not None:
            from ..transforms.counting import RewriteCounter, counting

            counter = RewriteCounter(args.stop_after)
            stack.enter_context(counting(counter))
            stack.callback(_tell_stop, counter)
        if not args.verify_equivalence:
            yield None
            return
        from .equivalence import EquivalenceCheck

        check = EquivalenceCheck(args.seed, args.samples, args.tolerance)
        try:
            yield stack.enter_context(check)
        finally:
            check.print_table()


def _printer(form: str) -> Callable[[Remark], None]:
    def as_text(remark: Remark) -> None:
        print(f"remark: {remark}", file=sys.stderr)

    def as_json(remark: Remark) -> None:
        print(json.dumps(remark.as_dict(), ensure_ascii=False), file=sys.stderr)

    return as_json if form == "json" else as_text


def _tell_stop(counter: "RewriteCounter") -> None:
    reached = f"stopped after {counter.done}" if not counter.may_go_on() else f"only {counter.done}"
    print(f"ncnn-opt: {reached} rewrites", file=sys.stderr)
