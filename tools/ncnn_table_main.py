"""`ncnn-table`: tables of int8 scales, with the arguments of ncnn's own `ncnn2table`."""

import sys
from collections.abc import Sequence

from .process import expect_a_model, running, set_up

USAGE = """\
usage: ncnn-table INPARAM INBIN LIST[,LIST…] TABLE [KEY=VALUE …]

Takes the int8 scales of an ncnn model, called as ncnn's own ncnn2table is.

  INPARAM  .param or .param.bin     INBIN  its weights
  LIST     a file with the name of an image, or of a .npy, a line; one for each input
  TABLE    the table to write

  mean=[104.0,117.0,123.0],…   norm=[1.0,1.0,1.0],…   of images, for each input
  shape=[224,224,3],…          w, h and c of each input; [0,0]: images as large as they are
  pixel=BGR,…                  BGR, RGB or GRAY, for each input
  thread=8                     how many processes
  method=kl                    kl, aciq, or another one of `ncnn-quantize calibrate`
  type=0                       0: images, 1: .npy

See `ncnn-quantize calibrate --help` for more."""


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake."""
    arguments = sys.argv[1:] if arguments is None else arguments
    set_up()
    expect_a_model()
    if any(word in ("-h", "--help") for word in arguments):
        print(USAGE)
        return
    with running("ncnn-table") as process:
        process.input = arguments[0] if arguments else ""

        from .quantize.as_ncnn2table import run

        run(arguments, USAGE)
