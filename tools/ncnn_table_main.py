"""`ncnn-table`: tables of int8 scales, with the arguments of ncnn's own `ncnn2table`."""

import sys
from collections.abc import Sequence

from .process import run_drop_in

USAGE = """\
usage: ncnn-table INPARAM INBIN LIST[,LIST…] TABLE [KEY=VALUE …]

Calibrates the int8 scales of an ncnn model, with the arguments of ncnn's ncnn2table.

  INPARAM  .param or .param.bin     INBIN  its weights
  LIST     a file with the name of an image or .npy in each line; one for each input
  TABLE    the table to write

  mean=[104.0,117.0,123.0],…   norm=[1.0,1.0,1.0],…   of images, for each input
  shape=[224,224,3],…          w, h and c of each input; [0,0]: images in their own size; the
                               brackets are optional for a model with one input
  pixel=BGR,…                  BGR, RGB, GRAY, RGBA, BGRA or RAW, for each input (BGR; GRAY where it
                               has 1 channel; RAW: not converted, BGR)
  thread=8                     the number of processes
  method=kl                    kl, aciq, or another one of `ncnn-quantize calibrate`
  type=0                       0: images, 1: .npy
  --log json                   each message on standard error is a JSON object in one line

See `ncnn-quantize calibrate --help` for more."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command. Exits with status 1 after one message for a user's mistake."""
    run_drop_in("ncnn-table", USAGE, sys.argv[1:] if arguments is None else arguments, _write_table)


def _write_table(arguments: Sequence[str]) -> None:
    from .quantize.ncnn2table import write_table  # imported on use, for a fast start

    write_table(arguments, USAGE)
