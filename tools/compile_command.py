"""The work of `ncnn-compile`: from its parsed options to a request to the driver.

`ncnn_compile_main.py` imports this module after it has parsed the command line, so that `--help`
and wrong options need no compiler.
"""

import argparse
import os
from collections.abc import Mapping, Sequence

from ..conversion import WEIGHT_STYLES
from ..driver.compile_file import CompileRequest, compile_file, pipeline
from ..driver.errors import UsageError
from ..driver.messages import print_result
from ..driver.pipelines import parse_input_shapes
from ..native.artifact import ENDING
from ..native.form_tuning import SECONDS, Tuning
from ..native.options import CompileOptions
from ..native.outputs import kind_of
from ..targets.atomic_files import check_writable, descriptor_of
from ..targets.cache import default_folder
from .parsers import check_used, reading_options
from .process import Command


def compile_model(args: argparse.Namespace, process: Command) -> Sequence[str]:
    """Compile a model, or print the pipeline. Return the written files. Raises one of
    `USER_ERRORS`."""
    # Only IREE reads parameters; an .mlir is for all tools.
    for_all_tools = args.output is not None and args.output.endswith(".mlir")
    options = CompileOptions(
        args.target_device,
        args.target_cpu,
        weights=args.externalize or ("resources" if for_all_tools else WEIGHT_STYLES[0]),
        target_triple=args.target_triple,
        flags=tuple(args.iree_flag),
        cache=None if args.no_cache else default_folder(),
    )
    shapes = parse_input_shapes(args.input_shape)
    if args.print_pipeline:
        print_result(pipeline(options, shapes, not args.no_optimize))
        return ()
    if args.model is None:
        raise UsageError("there is no model; see --help")
    if args.output is None:
        raise UsageError("there is no -o OUTPUT; see --help")
    process.input = args.model
    kind_of(args.output)
    if descriptor_of(args.output) is not None or os.path.isdir(args.output):
        raise UsageError(f"'{args.output}' is no place for several files")
    check_writable(args.output)
    if args.externalize == "args" and not args.output.endswith(".mlir"):
        raise UsageError("--externalize args is for an .mlir")
    if args.autotune and not args.output.endswith(ENDING):
        raise UsageError(f"--autotune is for a {ENDING}: it runs the code")
    check_used(args, args.autotune, "--autotune", "autotune_seconds", "autotune_cache")
    seconds = SECONDS if args.autotune_seconds is None else args.autotune_seconds
    request = CompileRequest(
        model=args.model,
        output=args.output,
        reading=reading_options(args, args.weights),
        options=options,
        shapes=shapes,
        pnnx=args.pnnx,
        copy_weights=args.copy_weights,
        no_optimize=args.no_optimize,
        tuning=Tuning(seconds, args.autotune_cache) if args.autotune else None,
    )
    return compile_file(request)


def compile_one(args: argparse.Namespace) -> Mapping[str, int]:
    """Compile one of many models. Raises one of `USER_ERRORS`."""
    written = compile_model(args, Command("ncnn-compile"))
    return {"bytes": sum(os.path.getsize(path) for path in written)}
