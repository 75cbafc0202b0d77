"""The pattern in docs/plugins.md."""

import re
from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.dialects.ncnn.activation import ClipOp
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.proofs import Status, prove
from xdsl.context import Context
from xdsl.pattern_rewriter import PatternRewriteWalker
from xdsl.universe import Universe

PAGE = Path(__file__).parents[3] / "docs" / "plugins.md"

MODEL = """
func.func @main(%x: tensor<4xf32>) -> RESULTS {
  %a = ncnn.clip %x {name = "a", min = 0.0, max = 6.0} : (tensor<4xf32>) -> tensor<4xf32>
  %b = ncnn.clip %a {name = "b", min = 0.0, max = HIGH} : (tensor<4xf32>) -> tensor<4xf32>
  func.return NAMES : TYPES
}"""


@pytest.mark.parametrize(
    ("high", "is_output", "status"),
    [
        ("6.0", False, Status.PROVEN),
        ("5.0", False, Status.UNCHANGED),
        ("6.0", True, Status.UNCHANGED),
    ],
)
def test_two_layers_become_one(high: str, is_output: bool, status: Status) -> None:
    (code,) = [
        block
        for block in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
        if "class MergeClips" in block
    ]
    names: dict[str, Any] = {"__name__": "plugin"}
    exec(code, names)
    context = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, dialect)
    count = 2 if is_output else 1
    types = ", ".join(["tensor<4xf32>"] * count)
    text = MODEL.replace("HIGH", high).replace("RESULTS", f"({types})").replace("TYPES", types)
    text = text.replace("NAMES", "%a, %b" if is_output else "%b")
    module = parse_ir(context, text.encode(), "clips.mlir")
    pattern = names["MergeClips"]()
    assert prove(pattern, module).status is status
    if status is Status.PROVEN:
        PatternRewriteWalker(pattern).rewrite_module(module)
        (clip,) = [op for op in module.walk() if isinstance(op, ClipOp)]
        assert clip.label() == "Clip 'b'"
