"""The question whether weights may grow does not charge the budget."""

from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn import NCNN
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.transforms import get_all_passes
from ncnn_opt.transforms.canonicalization.recognition import multihead_attention
from ncnn_opt.transforms.canonicalization.recognition.multihead_attention import (
    FormMultiHeadAttention,
)
from ncnn_opt.transforms.rewriting.growth import Growth
from ncnn_opt.transforms.storage.convert_storage import GROWTH
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, DictionaryAttr, IntegerAttr, ModuleOp
from xdsl.dialects.func import Func
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.utils.arg_spec import parse_pipeline

FILE = Path(__file__).parents[2] / "filecheck/transforms/fuse-multiheadattention.mlir"


def attention(*passes: str) -> ModuleOp:
    """The models of the lit test, after passes."""
    context = Context()
    for dialect in (Builtin, Func, NCNN):
        context.load_dialect(dialect)
    module = Parser(context, FILE.read_text("utf-8")).parse_module()
    known = get_all_passes()
    found = [known[s.name]().from_pass_spec(s) for s in parse_pipeline(",".join(passes))]
    PassPipeline(tuple(found)).apply(context, module)
    return module


def recorded(module: ModuleOp, key: str = "added") -> int:
    budget = module.attributes[GROWTH]
    assert isinstance(budget, DictionaryAttr)
    number = budget.data[key]
    assert isinstance(number, IntegerAttr)
    return number.value.data


def test_a_question_changes_nothing() -> None:
    module = attention("limit-growth{percent=50}")
    layer = next(op for op in module.walk() if isinstance(op, LayerOp))
    room = recorded(module, "limit")
    growth = Growth.of(layer, room)
    for _ in range(2):
        assert growth.is_allowed(FormMultiHeadAttention(), layer)
    assert recorded(module) == 0
    growth.record()
    assert recorded(module) == room > 0
    assert not Growth.of(layer, 1).is_allowed(FormMultiHeadAttention(), layer)


@pytest.mark.parametrize("gives_up", [True, False])
def test_a_rewrite_that_is_not_done_adds_nothing(
    gives_up: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last condition of FormMultiHeadAttention comes after the question of growth."""
    asked: list[object] = []

    def refuse(new: object) -> bool:
        asked.append(new)
        assert len(asked) < 100, "the pattern runs again and again"
        return False

    if gives_up:
        monkeypatch.setattr(multihead_attention, "agrees", refuse)
    passes = "ncnn-tune{processor=none}", "limit-growth{percent=900}"
    before = attention(*passes)
    module = attention(*passes, "fuse-multiheadattention")
    assert ("ncnn.multiheadattention" in str(module)) is not gives_up
    assert (recorded(module) == 0) is gives_up
    assert bool(asked) is gives_up
    weights = [sum(isinstance(op, ConstantOp) for op in each.walk()) for each in (before, module)]
    assert not gives_up or weights[0] == weights[1]
