"""`ncnn-int8`: int8 models, with the arguments of ncnn's own `ncnn2int8`."""

import sys
from collections.abc import Sequence

from ..driver.errors import UsageError
from .process import run_drop_in

USAGE = """\
usage: ncnn-int8 INPARAM INBIN OUTPARAM OUTBIN [TABLE]

Quantizes an ncnn model, with the arguments of ncnn's ncnn2int8.

  INPARAM   .param or .param.bin        INBIN   its weights; null: random ones
  OUTPARAM  the .param to write         OUTBIN  its weights
  TABLE     scales of ncnn-table, ncnn2table or ncnn-quantize calibrate

Convolution, ConvolutionDepthWise and InnerProduct become int8 with the scales of TABLE. Gemm,
MultiHeadAttention, SDPA, RNN, LSTM, GRU and Embed need only scales of their weights. Other weights
are stored as float16. Each step prints a line on standard error; with --log json, each line is a
JSON object.

See `ncnn-quantize --help` for more."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command. Exits with status 1 after one message for a user's mistake."""
    run_drop_in("ncnn-int8", USAGE, sys.argv[1:] if arguments is None else arguments, _write_int8)


def _write_int8(arguments: Sequence[str]) -> None:
    if not 4 <= len(arguments) <= 5:
        raise UsageError(f"4 or 5 arguments are needed, not {len(arguments)}\n{USAGE}")
    from ..driver.drop_in_int8 import write_int8  # imported on use, for a fast start

    write_int8(arguments)
