"""Near misses: models on which a rewrite without one of its conditions is refuted.

Searches found them (`searching.py`, `covering.py`), or they were written for a condition;
`near_misses/` has a file for each pass.
"""

from functools import cache
from pathlib import Path

from ncnn_opt.frontends.mlir.parsing import parse_ir
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from .instances import Instance, context

STORE = Path(__file__).with_name("near_misses")
"""The file of a pass has its near misses, one after another."""

BETWEEN = "\n// -----\n\n"


@cache
def stored(rewrite: str) -> list[Instance]:
    """The near misses of a pass."""
    return [read(rewrite, part) for part in texts(rewrite)]


def texts(rewrite: str) -> list[str]:
    """The near misses of a pass as text."""
    path = STORE / f"{rewrite}.mlir"
    return path.read_text("utf-8").split(BETWEEN) if path.exists() else []


def read(rewrite: str, text: str) -> Instance:
    """Return a model of a text."""
    module = parse_ir(context(), text.encode(), "near miss")
    return Instance(rewrite, "near_misses", function_of(module).sym_name.data, module)


def function_of(module: ModuleOp) -> FuncOp:
    """The function of a model."""
    (func,) = [op for op in module.ops if isinstance(op, FuncOp)]
    return func


def write(rewrite: str, parts: list[str]) -> None:
    """Write the near misses of a pass."""
    STORE.mkdir(exist_ok=True)
    (STORE / f"{rewrite}.mlir").write_text(BETWEEN.join(parts), "utf-8")
    stored.cache_clear()
