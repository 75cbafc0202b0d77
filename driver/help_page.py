"""The page of `ncnn-opt --help`. This module imports nothing, so that the page appears at once."""

from collections.abc import Sequence

PAGE = """\
usage: ncnn-opt [INPUT] [-o OUTPUT] [-O] [--PASS …] [options]
       ncnn-opt INPUT… --output-dir DIR [-O] [--PASS …] [options]

Optimizes ncnn models and the IR they are made of.

  ncnn-opt -O model.param -o fast.param      a smaller, faster model with the same outputs
  ncnn-opt model.param --elide-weights       the model as readable IR
  ncnn-opt --fuse-conv-bn model.mlir         one fusion, on IR
  ncnn-opt -O models/ --output-dir fast/     many models

INPUT is a .param (with its .bin), .param.bin, .pnnx.param or .mlir; - is standard input.

files      -o OUTPUT            .param, .param.bin, .mem.h or .mlir; without it, IR is printed
           --weights FILE       the weights, by default the .bin beside INPUT; none; random
           -q                   print only errors
passes     -O                   the whole pipeline: clean-up, recognize, fuse, restructure
           --PASS[="key=value"] one pass: --list-passes lists all, --help PASS explains one
           -p PIPELINE          passes as in mlir-opt: "pass,pass{key=value}"
target     --for-ncnn RELEASE   the oldest release of ncnn that must run the result
           --tune x86|arm       also rewrites that are faster only on these processors
model      --storage fp16|bf16|fp32  the storage of float weights
           --cut-from, --cut-to, --keep-blob    a part of the model, further outputs
           --rename, --inputs, --outputs, --join, --split-at    edits (docs/editing.md)
shapes     --fix-shapes, --max-shape            rely on static or largest input shapes
           --dynamic INPUT=AXES                 accept other input sizes than the export's
checks     --check              load and run the result in the ncnn runtime
           --verify-equivalence compare with the original after each pass, in the runtime
reports    --remarks, --remarks=missed          the rewrites, and the fusions that are missed
           --time-passes        the times of passes and patterns; --trace FILE: as a trace
           --print-after-change the IR after each pass that changes it, on standard error
many       --output-dir DIR     process models and folders; -j N: N processes
models     --resume, --summary FILE, --scheduler ADDRESS

--help-all lists all options and passes, and mlir-opt's spellings are understood."""


def wants_page(arguments: Sequence[str]) -> bool:
    """Whether a command line asks for the page, and not for a pass or for all options."""
    if "--help-all" in arguments or "--list-passes" in arguments:
        return False
    at = next((i for i, word in enumerate(arguments) if word in ("-h", "--help")), None)
    if at is None:
        return False
    after = arguments[at + 1 : at + 2]
    return not after or after[0] == "-O" or "." in after[0]
