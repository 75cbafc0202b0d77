"""Compiles models to native code, runs it, and compares the outputs with what NumPy computes.
Prints a table, and exits with status 1 if anything differs.

    pip install '.[native]'
    python -m benchmarks.native_models models/ --input-shape nanodet:in0=3,320,320
    python -m benchmarks.native_models models/ --lower-only @shapes.txt  # a word in each line there

A model without a .bin beside it gets random weights; one with a .pnnx.param beside it is repaired
first. With --lower-only nothing is compiled: the code is given to the parsers of xDSL, IREE and, if
it is on the path, mlir-opt.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from ncnn_opt.driver.companions import put_beside, read_pnnx
from ncnn_opt.driver.errors import USER_ERRORS, describe
from ncnn_opt.driver.files import read_model
from ncnn_opt.formats.places import weights_beside
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.interpreters.run import run
from ncnn_opt.native.compiling import find_compiler
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.options import Options
from ncnn_opt.native.program import Program, compile_module
from ncnn_opt.runtime.random_inputs import inputs_of, random_input
from ncnn_opt.transforms import REPAIR, get_all_passes
from ncnn_opt.transforms.finding import model_of
from ncnn_opt.transforms.host_tail import take_tail
from ncnn_opt.transforms.infer_shapes import InferShapes
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import ParseError, PassFailedException, VerifyException

from .inputs import name_in, shapes_for

TOLERANCE = 1e-5
"""The greatest difference to NumPy's output, of its largest value."""

ENDINGS = (".param", ".param.bin")
PNNX = ".pnnx.param"

Values = Mapping[str, Any]


class Rejected(Exception):
    """A parser does not take the code; says which, and why."""


@dataclass(frozen=True)
class Row:
    """What became of a model."""

    name: str
    said: str = ""
    """What went wrong, if something did."""
    difference: float = 0.0
    """To NumPy's outputs, of their largest values."""
    tail: bool = False
    """Whether its end runs on the host."""
    seconds: float = 0.0
    """Of CPU time that compiling took."""
    text: int = 0
    """Characters of the code."""

    def is_right(self) -> bool:
        """Whether it lowers, and computes what NumPy does."""
        return not self.said and self.difference <= TOLERANCE


def models_in(places: Sequence[Path]) -> dict[str, Path]:
    """The models in files and folders, by name."""
    files: list[Path] = []
    for place in places:
        files += sorted(place.iterdir()) if place.is_dir() else [place]
    found = [f for f in files if f.name.endswith(ENDINGS) and not f.name.endswith(PNNX)]
    return {f.name.removesuffix(".bin").removesuffix(".param"): f for f in found}


def read(name: str, path: Path, specs: Sequence[str], models: Sequence[str]) -> ModuleOp:
    """The model, with the shapes that options say, repaired if that is known how."""
    binary = path.name.endswith(".bin") or os.path.exists(weights_beside(str(path)))
    options = ReadOptions() if binary else ReadOptions(weights="random")
    side = path.with_name(f"{name}{PNNX}")
    if side.exists():
        pnnx = read_pnnx(str(side))
        options = replace(options, layer_weights=pnnx.layer_weights)
        module = read_model(str(path), options).module
        put_beside(module, pnnx.graph)
        for each in REPAIR:
            get_all_passes()[each]()().apply(Context(), module)
    else:
        module = read_model(str(path), options).module
    shapes = shapes_for(name, specs, models)
    known = inputs_of(module)
    common = [s for s in shapes.common if name_in(s) in known]
    InferShapes(input_shape=(*shapes.own, *common)).apply(Context(), module)
    return module


def check(name: str, module: ModuleOp, options: Options) -> Row:
    """Compiles and runs a model."""
    rng = np.random.default_rng(0)
    inputs = {n: random_input(n, v, rng) for n, v in inputs_of(module).items()}
    original = module.clone()
    before = os.times()
    compiled = compile_module(module, options)
    after = os.times()
    seconds = sum(after[:4]) - sum(before[:4])
    row = Row(name, tail=compiled.tail is not None, seconds=seconds)
    programs = [compiled]
    if compiled.tail is not None:  # what it is given says more than the few boxes that it makes
        blobs = tuple(port.name for port in compiled.results)
        programs.append(replace(compiled, outputs=blobs, tail=None))
    try:
        worst = 0.0
        for each in programs:
            expected = run(model_of(original), inputs, each.outputs)
            found = Program(each)(inputs)
            if each.tail is not None:  # boxes of one score come in any order
                expected, found = (_sorted(values) for values in (expected, found))
            worst = max(worst, difference(found, expected))
        return replace(row, difference=worst)
    except ValueError as e:
        return replace(row, said=str(e))


def _sorted(values: Values) -> Values:
    return {name: np.sort(value, axis=0) for name, value in values.items()}


def difference(found: Values, expected: Values) -> float:
    """The greatest one, of the largest value of an output; integers must be equal. Raises
    `ValueError` for another shape, and where one side is not finite."""
    worst = 0.0
    for name, b in expected.items():
        a = found[name]
        if a.shape != b.shape:
            raise ValueError(f"{name}: shape {list(a.shape)}, not {list(b.shape)}")
        finite = np.isfinite(b)
        if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
            raise ValueError(f"{name}: other values that are not finite")
        apart = np.abs(a.astype("f8") - b)[finite].max(initial=0)
        if b.dtype.kind != "f" and apart:
            raise ValueError(f"{name}: {np.count_nonzero(a != b)} of {b.size} integers differ")
        if apart:
            worst = max(worst, apart / max(np.abs(b[finite].astype("f8")).max(initial=0), 1e-30))
    return float(worst)


def parse(name: str, module: ModuleOp, options: Options) -> Row:
    """Lowers a model, and has its code parsed by whatever is there. Raises `Rejected`.

    Weights are arguments: then nothing but upstream dialects is left, and the text is short."""
    pipeline = (*options.pipeline()[:-1], "externalize-weights{style=args}")
    for spec in parse_pipeline(",".join(pipeline)):
        get_all_passes()[spec.name]().from_pass_spec(spec).apply(Context(), module)
    tail = take_tail(module)
    text = str(module)
    upstream = Context()
    for dialect, load in get_all_dialects().items():
        upstream.register_dialect(dialect, load)
    try:
        Parser(upstream, text, name).parse_module().verify()
    except (ParseError, VerifyException) as e:
        raise Rejected(f"xDSL: {' '.join(str(e).split())[:200]}") from e
    for tool in parsers():
        done = subprocess.run(
            [tool, "-", "-o", os.devnull], input=text.encode(), capture_output=True
        )
        if done.returncode:
            said = done.stderr.decode().strip().splitlines()
            raise Rejected(f"{Path(tool).name}: {said[0] if said else done.returncode}")
    return Row(name, tail=tail is not None, text=len(text))


def parsers() -> list[str]:
    """Programs of others that read MLIR."""
    own = Path(find_compiler()).with_name("iree-opt")
    return [str(own), *filter(None, [shutil.which("mlir-opt")])]


def measure(args: argparse.Namespace) -> bool:
    """Prints the table. Whether all is right."""
    models = models_in(args.models)
    options = Options(conv=args.conv, flags=tuple(args.flag))
    print("| model | difference | tail | seconds to compile | characters |")
    print("| --- | --- | --- | --- | --- |")
    rows: list[Row] = []
    for name, path in models.items():
        if any(word in name for word in args.skip):
            continue
        try:
            module = read(name, path, args.input_shape, list(models))
            row = parse(name, module, options) if args.lower_only else check(name, module, options)
        except (NativeError, PassFailedException, Rejected) as e:
            row = Row(name, said=str(e))
        except USER_ERRORS as e:
            row = Row(name, said=describe(e, str(path)))
        rows.append(row)
        shown = row.said or ("" if args.lower_only else f"{row.difference:.1e}")
        tail = "yes" if row.tail else ""
        print(f"| {name} | {shown} | {tail} | {row.seconds:.0f} | {row.text or ''} |", flush=True)
    right = sum(row.is_right() for row in rows)
    close = "" if args.lower_only else f", within {TOLERANCE:.0e} of NumPy's largest value"
    print(f"\n{right} of {len(rows)} are right{close}")
    return right == len(rows)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.native_models",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
        fromfile_prefix_chars="@",
    )
    parser.add_argument("models", nargs="+", type=Path, help="files, and folders of them")
    parser.add_argument(
        "--input-shape",
        metavar="[MODEL:]INPUT=EXTENTS",
        action="append",
        default=[],
        help="the shape of an input, for one model or for all: squeezenet:data=3,227,227",
    )
    parser.add_argument("--skip", nargs="*", default=[], help="parts of the names of others")
    parser.add_argument("--lower-only", action="store_true", help="compile nothing, parse the code")
    parser.add_argument("--conv", default=Options().conv, help="the form of convolutions")
    parser.add_argument("--flag", action="append", default=[], help="an option of iree-compile")
    sys.exit(not measure(parser.parse_args()))


if __name__ == "__main__":
    main()
