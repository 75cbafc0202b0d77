"""`ncnn-report`: the costs of a model, or the differences of two models."""

import os
from argparse import Namespace
from collections.abc import Sequence

from ..driver.messages import print_note
from .batch import ManyModels, OneModel, add_batch_options
from .parsers import CUSTOM, ON_DEVICE, Parser, add_options, positive
from .process import Command, expect_a_model, run_command

DESCRIPTION = """\
Reports the costs of a model: operations, parameters, weights and memory of each layer.

  ncnn-report model.param                            a table and its totals
  ncnn-report model.param --html report.html         a page with the graph
  ncnn-report model.param fast.param --html it.html  the changes of each layer
  ncnn-report model.param --input-shape data=3,224,224
  ncnn-report models/ --output-dir reports/          a report for each of many models
  ncnn-report models/ fast/                          the changes of each of many models
  ncnn-report models/ fast/ --output-dir pages/ --output-kind html    pages, and pages/index.html

A model is a .param, .param.bin or .mlir; - is standard input. The weights are optional: without the
.bin, figures are computed from the parameters.
"""

REPORTS = ("txt", "json", "html")
"""The kinds of reports of many models."""


OPTIONS = f"""
  --weights FILE|none|random[:SEED]...  the weights of a .param: by default the .bin beside it;
      none: structure only; given twice: for both models in order
  --pnnx FILE|none  the .pnnx.param of the model, from which layers that ncnn lacks are rebuilt; by
      default the file beside a .ncnn.param; none: without it (for the first model)
{CUSTOM}
  --input-shape INPUT=EXTENTS...  the shape of an input, outermost extent first: data=3,224,224 (may
      be given several times)
  --ranges  run the samples of --data in float32, and show the range of each layer's outputs and the
      largest magnitude inside it against float16's limit
  --data FILE  the samples: a .npy for the only input, or a .npz with an array for each input; the
      outermost axis counts samples
  --on-device ADDRESS...  measure the models on this device, and add the times to the notes:
      ssh://[USER@]HOST[:PORT], adb://SERIAL or local (may be given several times; see ncnn-device)
  --repeat N  measure N runs in the ncnn runtime on random inputs; of two models in turn, and
      compare their outputs
  --print-json  JSON instead of text
  --html FILE  write a page instead of printing text
  --errors FILE  the measurements of `ncnn-quantize --json`, shown on the page as a bar for the
      noise of each layer
  --device  list the layers that run on a Vulkan device, those that run on the CPU, and the
      transfers between them
  --for-ncnn RELEASE  the release of ncnn for --device (the newest)
  -o, --output-file FILE  the file for the text; a page if the name ends with .html, JSON with .json
"""


def make_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser("ncnn-report", DESCRIPTION)
    parser.add_argument("model", metavar="MODEL", nargs="?", help="the model")
    parser.add_argument("other", metavar="OTHER", nargs="?", help="the model after changes")
    json = {"dest": "json", "action": "store_true"}
    add_options(
        parser, OPTIONS, device=("vulkan",), on_device=ON_DEVICE, print_json=json, repeat=positive
    )
    add_batch_options(parser, REPORTS)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake, and where `--repeat`
    finds that the outputs of two models differ."""
    expect_a_model()
    run_command(make_parser, arguments, work, one_of_many, takes_folders=True)


def work(args: Namespace, process: Command) -> bool:
    """Do what the arguments specify. Return `False` if the outputs of two models differ. Raises one
    of `USER_ERRORS`."""
    from .report_command import write_report

    facts = write_report(args, process)
    if args.html not in (None, "-"):
        print_note(f"ncnn-report: wrote {args.html}")
    return facts[-1].agrees


def second_folder(many: ManyModels) -> str | None:
    """Return the second of two folders, and take it from the models, if both have models of one
    name."""
    if len(many.inputs) != 2 or not all(map(os.path.isdir, many.inputs)):
        return None
    from ..driver.batch.jobs import model_name

    first, second = ({model_name(file) for file in _files(each)} for each in many.inputs)
    return many.inputs.pop() if first & second - {None} else None


def _files(folder: str) -> list[str]:
    return [file for _, _, files in os.walk(folder) for file in files]


def one_of_many() -> OneModel:
    """Return the processing of one of many models."""
    from .report_command import report_one

    parser = make_parser()
    # A file of options has the release for ncnn-opt; here, it is only for --device.
    taken = {action.dest for action in parser._actions} - {"for_ncnn"}  # pyright: ignore[reportPrivateUsage]
    return OneModel(report_one, parser.parse_args, REPORTS, taken=taken, counterparts=second_folder)
