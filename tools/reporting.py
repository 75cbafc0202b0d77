"""Doing what a command line of `ncnn-report` says."""

import argparse
import json
import os
import shutil
import sys
from collections.abc import Collection, Sequence
from dataclasses import replace

from xdsl.dialects.func import FuncOp

from ..analysis.shape_inference import infer, set_input_shapes
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..driver.companions import read_repaired
from ..driver.errors import UsageError
from ..formats.file_names import weights_beside
from ..frontends import names_weights
from ..report.comparison import Comparison, compare
from ..report.model import ModelFacts, collect
from ..report.noise import read_noise
from ..report.structured import comparison_json, model_json
from ..report.text import comparison_text, model_text
from ..report.wording import blobs
from ..targets.files import OutputFiles, check_writable, naming
from ..targets.overwriting import check_unread, weights_beside_mlir
from ..transforms.infer_shapes import InferShapes
from .messages import print_result, say
from .parsers import reading_options
from .pass_options import input_shapes
from .process import Command


class Report:
    """What a command line of `ncnn-report` asks for. Raises `UsageError` for what cannot be
    meant."""

    def __init__(self, args: argparse.Namespace, process: Command) -> None:
        self.args = args
        _take_kind_from_name(args)
        self.process = process
        reading, several = reading_options(args, None), args.other is not None
        self.reading = replace(reading, structure_only=True, custom_types_optional=several)
        self.shapes = InferShapes(input_shape=input_shapes(args.input_shape)).input_shapes()
        if args.model is None:
            raise UsageError("there is no model; see --help")
        self.paths = [p for p in (args.model, args.other) if p is not None]
        for target in (args.output_file, args.html):
            if target is not None and any(_is_same(target, path) for path in self.paths):
                raise UsageError(f"'{target}' is a model: the report would replace it")
            if target is not None:
                beside = [f(p) for p in self.paths for f in (weights_beside, weights_beside_mlir)]
                others = filter(None, [args.errors, args.pnnx])
                check_unread(target, [*beside, *args.weights, *others])
                check_writable(target)
        real = os.path.realpath
        if None not in (args.html, args.output_file) and real(args.html) == real(args.output_file):
            raise UsageError(f"'{args.html}' cannot be both the page and the text")
        if args.errors is not None and args.html is None:
            raise UsageError("--errors is for the page, --html FILE")
        if len(args.weights) > len(self.paths):
            raise UsageError(f"--weights is given {len(args.weights)} times for one model")

    def run(self) -> None:
        functions = [self.load(i, path) for i, path in enumerate(self.paths)]
        self.set_shapes([func for func, _ in functions])
        facts = [
            self.collect(func, path, notes)
            for path, (func, notes) in zip(self.paths, functions, strict=True)
        ]
        if self.args.errors is not None:
            facts[-1].noise = self.read_errors(self.args.errors, facts[-1])
        result = compare(*facts) if len(facts) == 2 else facts[0]
        self.process.input = ""
        outputs: dict[str, str] = {}
        html, path = self.args.html, self.args.output_file
        if html is not None:
            outputs[html] = _page(result)
        if html is None or self.args.json or path is not None:
            outputs[path or "-"] = self.text(result, path in (None, "-"))
        with OutputFiles() as files:
            for path, text in outputs.items():
                if path != "-":
                    with naming(path):
                        stream = files.create(path, "w")
                        stream.write(text.encode(errors="replace").decode())
                        stream.flush()
        if "-" in outputs:
            encoding = sys.stdout.encoding or "utf-8"
            print_result(
                outputs["-"].encode(encoding, "replace").decode(encoding).removesuffix("\n")
            )
        if html not in (None, "-"):
            say(f"ncnn-report: wrote {html}")

    def text(self, result: ModelFacts | Comparison, to_stdout: bool) -> str:
        """The report as text or JSON."""
        if self.args.json:
            tree = model_json(result) if isinstance(result, ModelFacts) else comparison_json(result)
            return json.dumps(tree, indent=1) + "\n"
        fits = to_stdout and sys.stdout.isatty()
        width = shutil.get_terminal_size().columns if fits else None
        if isinstance(result, ModelFacts):
            return model_text(result, width)
        return comparison_text(result, width)

    # -- reading

    def load(self, index: int, path: str) -> tuple[FuncOp, list[str]]:
        """The function of a model, and notes about it."""
        self.process.input = path
        given: list[str] = self.args.weights
        common = len(given) == 1 and not names_weights(given[0])
        weights = given[0] if common else given[index] if index < len(given) else None
        pnnx = self.args.pnnx if index == 0 else None
        source = read_repaired(path, replace(self.reading, weights=weights), pnnx)
        return model_of(source.module), source.warnings

    def set_shapes(self, functions: Sequence[FuncOp]) -> None:
        """Gives each model the input shapes that it has inputs for, and infers the others."""
        names = [_input_names(func) for func in functions]
        for i, (path, func) in enumerate(zip(self.paths, functions, strict=True)):
            self.process.input = path
            infer(func)
            # What no model has an input for is a mistake, to be reported about the first.
            others = {name for each in names[1:] for name in each} if i == 0 else self.shapes
            given = {n: s for n, s in self.shapes.items() if n in names[i] or n not in others}
            if given:
                set_input_shapes(func, given)

    def read_errors(self, path: str, facts: ModelFacts) -> dict[str, float]:
        """What was measured of the layers of a model. Raises `UsageError` for those of another."""
        with open(path, "rb") as f:
            noise = read_noise(f.read(), path)
        known = {row.name for row in facts.rows}
        if lost := [name for name in noise if name not in known]:
            raise UsageError(f"{path} is of another model: {facts.path} has no layer '{lost[0]}'")
        if not noise:
            raise UsageError(f"{path}: no layer was measured")
        return noise

    def collect(self, func: FuncOp, path: str, notes: Sequence[str]) -> ModelFacts:
        """The facts of a model, with notes on what they leave out."""
        self.process.input = path
        facts = collect(func, path, notes, look=self.args.html is not None)
        facts.notes += _shape_hint(facts, self.shapes)
        return facts


def _take_kind_from_name(args: argparse.Namespace) -> None:
    """Lets the ending of the output say what is written. Raises `UsageError` for two pages."""
    path: str = (args.output_file or "").lower()
    if path.endswith(".json"):
        args.json = True
    if path.endswith((".html", ".htm")) and not args.json:
        if args.html is None:
            args.html, args.output_file = args.output_file, None
        elif os.path.realpath(args.html) != os.path.realpath(args.output_file):
            raise UsageError(f"'{args.output_file}' would be a page, as '{args.html}' is")


def _is_same(path: str, other: str) -> bool:
    return os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)


def _input_names(func: FuncOp) -> list[str]:
    return [input_name(func, i) for i in range(len(func.body.block.args))]


def _shape_hint(facts: ModelFacts, given: Collection[str]) -> list[str]:
    """Which input shapes may help where shapes are not known; `given` are the inputs for which the
    user has said one."""
    vague = [b.name for b in facts.inputs if not b.is_known() and b.name not in given]
    if vague:
        options = " ".join(f"--input-shape {name}=…" for name in vague[:3])
        return [f"the file does not say the shape of {_list(vague)}: give it with {options}"]
    misfits = [r for r in facts.unknown_shapes() if r.family in ("convolution", "matrix")]
    if not misfits or not all(b.is_known() for b in misfits[0].inputs):
        return []
    note = f"{misfits[0].label} does not fit {blobs(misfits[0].inputs)}"
    if facts.inputs and facts.inputs[0].name not in given:
        option = f"--input-shape {facts.inputs[0].name}=…"
        note += f"; if that is not what the model is fed, give its shape with {option}"
    return [note]


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more inputs" if len(names) > 3 else ""
    return ", ".join(f"'{name}'" for name in names[:3]) + more


def _page(result: ModelFacts | Comparison) -> str:
    from ..report.page import comparison_page, model_page

    return model_page(result) if isinstance(result, ModelFacts) else comparison_page(result)
