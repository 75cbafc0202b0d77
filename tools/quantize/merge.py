"""`ncnn-quantize merge`: the parts of `calibrate --shard` added up."""

import argparse

from ...driver.errors import UsageError
from ...formats.errors import FormatError
from ...quantization.prepared import Prepared
from ...quantization.statistics import Statistics, merged
from ..messages import say
from .calibrate import warn, write_result
from .option_groups import check_given
from .output_checks import check_outputs
from .writing import optimized, read


def run(args: argparse.Namespace) -> None:
    """Does what the command line says. Raises one of `USER_ERRORS`."""
    check_given(args, output="-o")
    if not args.parts:
        raise UsageError("there is no part to merge; see --help")
    check_outputs(args)
    found = merged([(path, read_statistics(path)) for path in args.parts])
    module = optimized(read(args).module, args)
    with Prepared(module) as prepared:
        if found.model != prepared.fingerprint:
            raise FormatError(
                args.parts[0], f"these are statistics of another model than {args.model}"
            )
        if not found.is_complete():
            left = found.total - len(found.done)
            say(f"ncnn-quantize: warning: {left} of {found.total} samples are in no part")
        warn(prepared, [f"sample {i}" for i in range(found.total)], found)
        write_result(module, prepared, found, args)


def read_statistics(path: str) -> Statistics:
    """The statistics in a file."""
    with open(path, "rb") as f:
        return Statistics.from_bytes(f.read(), path)
