"""The product as the tests call it: from file to file, in this process."""

import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from unittest import mock

from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from ncnn_opt.targets.param.export import export_module
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.transforms import OPTIMIZE, get_all_passes
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms import get_all_passes as get_passes_of_xdsl
from xdsl.utils.arg_spec import parse_pipeline

from .amount import FACTOR
from .nets import fresh


def load(param: Path, custom_weights: Mapping[str, Sequence[int]] | None = None) -> ModuleOp:
    """The module of a model, verified."""
    options = ReadOptions(custom_weights=custom_weights or {})
    module, _ = import_param(param.read_bytes(), str(param), options)
    module.verify()
    return module


def passes_of(names: Sequence[str]) -> list[ModulePass]:
    """The passes of these names, with their options."""
    known = get_passes_of_xdsl() | get_all_passes()
    specs = parse_pipeline(",".join(names))
    return [known[spec.name]().from_pass_spec(spec) for spec in specs]


def run_passes(module: ModuleOp, passes: Sequence[str]) -> None:
    """Run passes in order. The module must verify after the last one, and in a long run after each:
    to verify takes as long as the passes themselves, and a pass that leaves what does not verify is
    seen where it is the only one or the last one."""
    for each in passes_of(passes):
        each.apply(Context(), module)
        if FACTOR > 1:
            module.verify()
    module.verify()


def save(module: ModuleOp, param: Path) -> Path:
    """Writes a `.param` and the `.bin` beside it."""
    export = export_module(module)
    with fresh(param.with_suffix(".bin")).open("wb") as out:
        export.write_bin(out)
    fresh(param).write_text(export.param_text())
    return param


def optimize(param: Path, result: Path, passes: Sequence[str] = OPTIMIZE) -> Path:
    """A model after some passes, by default those of `-O`."""
    module = load(param)
    run_passes(module, passes)
    return save(module, result)


def command(*arguments: str | Path, text: str = "") -> str:
    """The command line with this text on standard input; returns what is on standard output."""
    stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    stdout = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with mock.patch.object(sys, "stdin", stdin), mock.patch.object(sys, "stdout", stdout):
        main([str(argument) for argument in arguments])
    stdout.seek(0)
    return stdout.read()
