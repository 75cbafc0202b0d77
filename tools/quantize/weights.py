"""`ncnn-quantize --weights-only`: weights as integers in layers that need no scale of their
input."""

import argparse

from xdsl.dialects.builtin import ModuleOp

from ...analysis.required_release import requirement_of
from ...driver.errors import UsageError
from ...driver.int8_files import write_tables
from ...driver.messages import print_note
from ...quantization.int8_models import store_floats
from ...samples.reader import npz_files
from ...transforms.quantization.quantize_weights import QuantizeWeights
from ...transforms.quantization.records import LayerDecision
from ...transforms.quantization.weights.all_layers import quantize_weights
from ..parsers import names
from .quantized_files import check_given, check_outputs, read, write
from .result_printer import print_records


def quantize_weights_only(args: argparse.Namespace) -> None:
    """Quantize the weights of a model. Raises one of `USER_ERRORS`."""
    check_given(args, output="-o")
    check_outputs(args)
    options = _options_of(args)
    source = read(args)
    records: list[LayerDecision] = []

    def change(module: ModuleOp) -> None:
        records.extend(quantize_weights(module, options))
        left = [each for each in records if each.outcome != "quantized"]
        if len(left) == len(records):
            remark = left[0].remark if left else None
            why = f"{remark.layers[0]} {remark.note}" if remark else "it has no layer for it"
            raise UsageError(f"{args.model}: nothing was quantized: {why}")
        for record in records if args.remarks else left:
            print_note(f"remark: {record}")
        if args.output_table is not None:
            write_tables(module, args.output_table, options.method)
        print_records(store_floats(module, args.storage), args.remarks)

    def count(module: ModuleOp) -> str:
        done = sum(each.outcome == "quantized" for each in records)
        return f"{done} of {len(records)} layers quantized"

    write(source, args, requirement_of(source.module), change=change, count=count)


def _options_of(args: argparse.Namespace) -> QuantizeWeights:
    """Return the options of the pass. Raises `UsageError` for options that contradict each
    other."""
    keep = tuple(names(args.keep))
    if args.table is not None:
        for name in ("bits", "block", "method", "data"):
            if getattr(args, name):
                raise UsageError(f"--table specifies what --{name} would: give one of them")
        if args.output_table is not None:
            raise UsageError("--output-table would be the table that is read")
        return QuantizeWeights(table=args.table, keep=keep)
    block = 0 if args.block == "row" else int(args.block or 64)
    if args.output_table is not None and not block:
        raise UsageError("a table is of blocks, not of rows")
    method, data = args.method or ("gptq" if args.data else "minmax"), npz_files(args.data)
    try:
        return QuantizeWeights(args.bits or 8, block, method, data=tuple(data), keep=keep)
    except ValueError as e:
        raise UsageError(str(e)) from e
