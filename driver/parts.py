"""A model in several files: parts that follow each other, and models that are joined."""

import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.function import input_name, output_names
from ..formats.errors import FormatError
from ..formats.file_names import weights_beside
from ..frontends import ReadOptions
from ..targets import Output, Summary, Target, Writing
from ..targets.atomic_files import OutputFiles, naming
from ..targets.output_checks import Origin, check_outputs, check_unused
from ..targets.param.export import export_module, summarize
from .errors import UsageError
from .model_files import read_model

FORMAT = "ncnn-opt parts 1"
"""The value of `format` in a manifest."""


class Parts(NamedTuple):
    """The models of a join."""

    files: Sequence[str]
    inputs: Sequence[str] = ()
    """The order of the inputs of the joined model, if a manifest has it."""


def parts_in(paths: Sequence[str]) -> Parts:
    """Return the models to join: the files, or the parts in one manifest. Raises `UsageError`."""
    if len(paths) != 1 or not paths[0].endswith(".json"):
        return Parts(paths)
    with open(paths[0], "rb") as f:
        try:
            data: Any = json.loads(f.read())
        except ValueError as e:
            raise UsageError(f"{paths[0]}: the manifest is no JSON: {e}") from e
    record = cast(dict[str, Any], data) if isinstance(data, dict) else {}
    if record.get("format") != FORMAT:
        raise UsageError(f"{paths[0]}: this is no manifest of --split-at or --split-size")
    try:
        files = [part["param"] for part in record["parts"]]
        inputs = [*record["inputs"]]
    except (KeyError, TypeError):
        files, inputs = [], list[Any]()
    if not files or not all(isinstance(name, str) for name in [*files, *inputs]):
        raise UsageError(
            f"{paths[0]}: the manifest needs `parts`, each with its `param`, and `inputs`; split "
            "the model again"
        )
    folder = os.path.dirname(paths[0])
    return Parts([os.path.join(folder, name) for name in files], inputs)


def read_parts(paths: Sequence[str], reading: ReadOptions) -> list[FuncOp]:
    """Return the functions of further models. `reading` are the options of the first model. Raises
    one of `USER_ERRORS`."""
    from dataclasses import replace

    functions: list[FuncOp] = []
    weights = reading.weights if reading.weights in (None, "none", "random") else None
    options = replace(reading, weights=weights, layer_weights={}, custom_types_optional=True)
    for i, path in enumerate(paths):
        source = read_model(path, options)
        found = [op for op in source.module.ops if isinstance(op, FuncOp)]
        if len(found) != 1:
            raise FormatError(path, "a further model is one function")
        found[0].detach()
        found[0].sym_name = StringAttr(f"model{i + 2}")
        functions.append(found[0])
    return functions


def summarize_parts(functions: Sequence[FuncOp]) -> Summary | None:
    """Return the size of several models together; `None` for other IR."""
    found = [summarize(ModuleOp([func.clone()])) for func in functions]
    if None in found:
        return None
    sizes = [each for each in found if each is not None]
    types = sum((Counter(each.types) for each in sizes), Counter[str]())
    return Summary(
        sum(each.layers for each in sizes), sum(each.weight_bytes for each in sizes), types
    )


class PartsTarget(Target):
    """The parts of a model as files `NAME.1.param`, `NAME.2.param` and so on, with a manifest
    `NAME.json`."""

    kind = "param"

    def __init__(self, report: Callable[[str], None]) -> None:
        self.report = report

    def begin(self, module: ModuleOp, output: Output) -> Writing:
        if not output.path.endswith(".param") or output.weights is not None:
            raise UsageError("the parts of a model need -o NAME.param: they are NAME.1.param, …")
        return _PartsWriting(module, output, self.report)


class _PartsWriting(Writing):
    def __init__(self, module: ModuleOp, output: Output, report: Callable[[str], None]) -> None:
        super().__init__(module, output)
        self.report = report
        self.inputs = _inputs(next(op for op in module.ops if isinstance(op, FuncOp)))
        self.outputs: list[str] = []

    def summary(self) -> Summary | None:
        return None

    def finish(self) -> None:
        stem = self.output.path.removesuffix(".param")
        functions = [op for op in self.module.ops if isinstance(op, FuncOp)]
        records: list[dict[str, Any]] = []
        inputs = list(dict.fromkeys(name for f in functions for name in _inputs(f)))
        made = [name for f in functions for name in output_names(f)]
        with naming(self.output.path), OutputFiles() as files:
            for i, func in enumerate(functions):
                path = f"{stem}.{i + 1}.param"
                records.append(self.write(files, func, path))
            manifest = {
                "format": FORMAT,
                "inputs": [n for n in self.inputs if n in inputs],
                "outputs": [n for n in made if not any(n in _inputs(f) for f in functions)],
                "parts": records,
            }
            text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
            files.create(f"{stem}.json", "w").write(text)
        sizes = ", ".join(f"{each['weight_bytes']:,}" for each in records)
        self.report(f"{len(records)} parts of {sizes} bytes of weights; '{stem}.json' lists them")

    def write(self, files: OutputFiles, func: FuncOp, path: str) -> dict[str, Any]:
        """Write a part. Return its record in the manifest."""
        weights = weights_beside(path)
        check_outputs(path, weights, self.output.origin)
        copy = func.clone()
        copy.sym_name = StringAttr("main")
        export = export_module(ModuleOp([copy]))
        export.write_bin(files.create(weights, "wb"))
        files.create(path, "w").write(export.param_text())
        origin: Origin = self.output.origin
        files.before_replacing(lambda: check_unused(files, path, weights, origin))
        return {
            "param": os.path.basename(path),
            "bin": os.path.basename(weights),
            "layers": len(export.graph.layers),
            "weight_bytes": export.bin_size(),
            "inputs": _inputs(func),
            "outputs": output_names(func),
        }


def _inputs(func: FuncOp) -> list[str]:
    return [input_name(func, i) for i in range(len(func.body.block.args))]
