"""Models to prove passes on: the functions of the lit tests, each with the pass of its test.

A model is for the processor of its test, or for none, so passes also fire where they are no gain.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ncnn_opt.analysis.target_info import ATTRIBUTE, NONE
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.transforms.rewriting.passes import PASSES
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.universe import Universe

FOLDER = Path(__file__).parents[1] / "filecheck" / "transforms"


class Instance(NamedTuple):
    """A model of a lit test."""

    rewrite: str
    """The name of the pass."""
    file: str
    function: str
    module: ModuleOp


@cache
def _text(path: Path) -> tuple[str, set[str]]:
    """A lit test, and the passes of patterns that it runs."""
    text = path.read_text("utf-8")
    runs = re.findall(r"^// RUN: ncnn-opt (.*?)%s", text, re.M)
    named = {name for run in runs for name in re.findall(r"--([a-z0-9-]+)", run)}
    return text, named & set(passes())


@cache
def context() -> Context:
    """All dialects."""
    context = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, dialect)
    return context


def passes() -> list[str]:
    """The passes that are made of patterns."""
    return [name for name, row in PASSES.items() if row.patterns]


def instances(rewrite: str, kept: bool = False) -> Iterator[Instance]:
    """The models of the tests that run one pass of patterns alone; of near misses if `kept`."""
    for path in sorted(FOLDER.rglob("*.mlir")):
        if re.search(r"-(errors|invalid)$", path.stem) or path.stem.endswith("-kept") != kept:
            continue
        text, named = _text(path)
        if named != {rewrite}:
            continue
        runs = re.findall(r"^// RUN: ncnn-opt (.*?)%s", text, re.M)
        tune = next(iter(re.findall(r"--tune[= ](\w+)", " ".join(runs))), NONE)
        for op in parse_ir(context(), text.encode(), str(path)).ops:
            if isinstance(op, FuncOp) and not op.is_declaration:
                module = ModuleOp([op.clone()], {ATTRIBUTE: StringAttr(tune)})
                yield Instance(rewrite, path.stem, op.sym_name.data, module)
