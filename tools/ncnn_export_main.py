"""`ncnn-export`: a model of another framework as a compared ncnn model, in one command."""

from argparse import Namespace
from collections.abc import Sequence

from ..driver.errors import UsageError
from ..formats.languages import LANGUAGES
from .parsers import CUSTOM_LAYER, IMAGES, Parser, add_options, tolerance
from .process import Command, run_command
from .quantize.option_groups import DETAILS

DESCRIPTION = """\
Converts a model with PNNX, optimizes it, compares it with its source, measures it and writes it.

  ncnn-export model.pt --input-shape 1,3,224,224 -o model.param       TorchScript
  ncnn-export yolo11n.pt -o yolo.param                                Ultralytics; .yaml, too
  ncnn-export model.pt2 -o model.param                                torch.export
  ncnn-export model.onnx -o model.param                               ONNX
  ncnn-export package.module:function -o model.param                  Python
  ncnn-export model.pt2 --int8 --images calib/ -o int8.param

The function returns a module and its inputs: `return model, torch.rand(1, 3, 224, 224)`. A line
begins with PASSED or FAILED; a model that differs from its source is not written, and the status is
1.
Needs the extra export, and the extra onnx for ONNX.
"""

_IMAGES = IMAGES.strip("\n")

OPTIONS = f"""
  -o, --output FILE  the .param to write; its weights go to the .bin beside it
source:
  --input-shape EXTENTS...  the shape of an input with the batch axis, for random values:
      1,3,224,224 (once for each input, in order)
  --input FILE...  a .npy with the values of an input, with the batch axis (once for each input, in
      order)
result:
  --no-optimize  do not run the passes of -O
  --fp32  do not store the weights as float16
  --tolerance T  the largest difference of an output, relative to its largest value (0.001)
  --keep-going  write a model that differs, too; the status is 1
int8:
  --int8  quantize the model; needs samples (docs/quantize.md)
  --images FOLDER...  an image, or all images in a folder and its subfolders (may be given several
      times)
  --data FILE  a .npy whose outermost axis counts samples; a .npz with such an array for each input
  --resize  resize images to the input, as ncnn does; by default other sizes are an error
  --min-snr DB  the least signal-to-noise ratio of an output on the samples
{_IMAGES}
{CUSTOM_LAYER}
reports:
  --no-measure  do not measure the time before and after
  --report FILE  a page with the graphs of the converted and of the final model
  --snippet  print an example that loads and runs the model
"""


def make_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser("ncnn-export", DESCRIPTION)
    parser.add_argument("source", metavar="SOURCE", nargs="?", help="the model")
    add_options(parser, OPTIONS, snippet=LANGUAGES, tolerance=tolerance, **DETAILS)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command. Exits with status 1 after one message for a user's mistake, and if the model
    differs from its source."""
    run_command(make_parser, arguments, work)


def work(args: Namespace, process: Command) -> bool:
    """Do what the arguments specify. Return `False` if the model is not right. Raises one of
    `USER_ERRORS`."""
    if args.source is None:
        raise UsageError("there is no source; see --help")
    if args.output is None:
        raise UsageError("-o FILE is needed")
    process.input = args.source
    from .export_command import export  # not for the help

    return export(args)
