"""`ncnn-quantize --weights-only`: weights as integers, the input of layers as it comes."""

import argparse
import os
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp

from ...dialects.ncnn.lookup import model_of
from ...driver.errors import UsageError
from ...driver.files import compile_model
from ...driver.pipelines import quoted, run_pipeline
from ...driver.releases import Releases, watching_releases
from ...formats.block_table import write_block_table
from ...targets import Output
from ...targets.files import OutputFiles
from ...transforms.quantization.quantize_weights import QuantizeWeights
from ...transforms.quantization.weights.block_tables import table_of
from ...transforms.rewriting.remarks import Remark, listening
from ..messages import say
from ..progress import Progress
from ..releases import tell_releases
from .option_groups import check_given, names
from .output_checks import check_outputs
from .writing import read, say_sum, storing


def run(args: argparse.Namespace) -> None:
    """Does what the command line says. Raises one of `USER_ERRORS`."""
    check_given(args, output="-o")
    check_outputs(args)
    data = _samples(args.data)
    pipeline = _by_table(args) if args.table is not None else _pipeline(args, data)
    source = read(args)
    output = Output(args.output, args.output_weights, source.origin, progress=Progress)
    left: list[Remark] = []
    done: list[Remark] = []
    seen: list[Releases] = []

    def tell(remark: Remark) -> None:
        stays = "stays" in remark.note
        if remark.rewrite == QuantizeWeights.name:
            (left if stays else done).append(remark)
        if args.remarks:
            say(f"remark: {remark}")

    def quantize(module: ModuleOp) -> None:
        releases = watching_releases(module, source.path, args.for_ncnn)
        with listening(tell), releases as found:
            run_pipeline(module, pipeline, source.path)
        seen.append(found)
        if not done:
            why = f"{left[0].layers[0]} {left[0].note}" if left else "it has no layer for it"
            raise UsageError(f"{args.model}: nothing was quantized: {why}")
        for remark in () if args.remarks else left:
            say(f"remark: {remark}")
        if args.output_table is not None:
            _write_table(module, args)

    change = compile_model(source, output, quantize, summarized=True)
    count = len(done) + len(left)
    say_sum(f"{len(done)} of {count} layers quantized", change)
    tell_releases(seen[0], "ncnn-quantize: ")


def _pipeline(args: argparse.Namespace, data: Sequence[str]) -> str:
    """The passes that do it. Raises `UsageError` for options that do not go together."""
    method, bits = _method(args), args.bits or 8
    options = {"bits": str(bits), "method": method}
    block = 0 if args.block == "row" else int(args.block or 64)
    if block:
        options["block"] = str(block)
    elif args.output_table is not None:
        raise UsageError("a table is of blocks, not of rows")
    if data:
        options["data"] = ",".join(map(quoted, data))
    try:
        QuantizeWeights(bits, block, method, data=tuple(data))
    except ValueError as e:
        raise UsageError(str(e)) from e
    return _written(options, args)


def _by_table(args: argparse.Namespace) -> str:
    """The passes that do it by a table. Raises `UsageError` for what the table says."""
    for name in ("bits", "block", "method", "data"):
        if getattr(args, name):
            raise UsageError(f"--table says what --{name} would")
    if args.output_table is not None:
        raise UsageError("--output-table would be the table that is read")
    return _written({"table": quoted(args.table)}, args)


def _method(args: argparse.Namespace) -> str:
    return args.method or ("gptq" if args.data else "minmax")


def _written(options: Mapping[str, str], args: argparse.Namespace) -> str:
    """The passes with these options."""
    keep = names(args.keep)
    given = {**options, **({"keep": ",".join(map(quoted, keep))} if keep else {})}
    written = " ".join(f"{name}={value}" for name, value in given.items())
    return ",".join([f"{QuantizeWeights.name}{{{written}}}", *storing(args.storage)])


def _write_table(module: ModuleOp, args: argparse.Namespace) -> None:
    """Writes the table of a quantized model, and its integers beside it where these are not the
    nearest ones."""
    path: str = args.output_table
    method = _method(args)
    table, integers = table_of(model_of(module), path, with_integers=method == "gptq")
    with OutputFiles() as files:
        stream = files.create(path, "w")
        stream.writelines(write_block_table(table, {"mse": "mseclip"}.get(method, method)))
        for name, values in integers.items():
            beside = os.path.join(os.path.dirname(path), name)
            files.create(beside, "wb").write(values.tobytes())


def _samples(given: Sequence[str]) -> list[str]:
    """The files of calibration data: those named, and those in folders, by name. Raises
    `UsageError` for a folder without any."""
    files: list[str] = []
    for path in given:
        if not os.path.isdir(path):
            files.append(path)
            continue
        inside = sorted(name for name in os.listdir(path) if name.endswith(".npz"))
        if not inside:
            raise UsageError(f"{path}: there is no .npz in it")
        files += [os.path.join(path, name) for name in inside]
    return files
