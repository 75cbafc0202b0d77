"""`ncnn-quantize apply`: a model in int8, with the scales of a table."""

import argparse

from .option_groups import check_given
from .output_checks import check_outputs
from .writing import kept, pipeline_of, read, write


def run(args: argparse.Namespace) -> None:
    """Does what the command line says. Raises one of `USER_ERRORS`."""
    check_given(args, table="--table", output="-o")
    check_outputs(args)
    source = read(args)
    pipeline = pipeline_of(args.table, kept(source.module, args), args.storage)
    write(source, args, pipeline)
