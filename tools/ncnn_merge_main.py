"""`ncnn-merge`: several models in one file, with the arguments of ncnn's own `ncnnmerge`."""

import sys
from collections.abc import Sequence

from ..driver.errors import UsageError
from .process import run_drop_in

USAGE = """\
usage: ncnn-merge PARAM BIN PARAM BIN [PARAM BIN …] OUTPARAM OUTBIN

Puts several ncnn models into one file, with the arguments of ncnn's ncnnmerge. Nothing connects
them: the names of a.param get the prefix a/. `ncnn-opt a.param b.param --join` connects models.
With --log json, each message on standard error is a JSON object in one line."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command. Exits with status 1 after one message for a user's mistake."""
    run_drop_in("ncnn-merge", USAGE, sys.argv[1:] if arguments is None else arguments, _merge)


def _merge(arguments: Sequence[str]) -> None:
    if len(arguments) < 6 or len(arguments) % 2:
        raise UsageError(f"pairs of PARAM and BIN are needed, at least three\n{USAGE}")
    from ..driver.merged_models import merge  # imported on use, for a fast start

    *words, param, weights = arguments
    merge(list(zip(words[::2], words[1::2], strict=True)), param, weights)
