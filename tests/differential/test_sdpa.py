"""Attention that layers spell out becomes an SDPA, which computes the same in the real runtime;
what comes close to it, but is not, stays."""

from pathlib import Path

import pytest
from ncnn_opt.transforms import OPTIMIZE

from .amount import examples, for_each
from .attentions import MISSES, MUL, attentions
from .driver import check, types_after
from .nets import Net
from .runtime import Runtime
from .sketches import Sketch

ON_X86 = ("ncnn-tune{processor=x86}", *OPTIMIZE)
"""On arm an SDPA takes longer than what spells it out."""


@pytest.mark.parametrize("name", ["fuse-sdpa", "canonicalize"])
@pytest.mark.parametrize("miss", ["", *MISSES])
def test_attention_is_recognized(miss: str, name: str, runtime: Runtime, tmp_path: Path) -> None:
    passes, seen = ([name] if name == "fuse-sdpa" else ON_X86), set[str]()

    count = examples(10 if miss else 30)

    def each(model: Sketch) -> None:
        net = model.build()
        checked = check(net, runtime, tmp_path, passes)
        if checked is None:
            return
        types = checked.types
        assert ("SDPA" in types) == (not miss), net.text()
        assert miss or not {"MatMul", "BinaryOp", "Power", "Eltwise", "Softmax"} & {*types}
        seen.add(net.text())

    for_each(attentions(miss), count, each)
    assert len(seen) > count / 2


def test_features_as_rows_for_vulkan(runtime: Runtime, tmp_path: Path) -> None:
    """The attention of YOLO's blocks computes the same between Permutes."""
    passes = ("ncnn-tune{processor=vulkan}", *OPTIMIZE)
    for heads, steps, e, f in ((2, 9, 4, 6), (4, 16, 8, 8), (1, 7, 2, 3)):
        net = Net()
        net.input("x", (heads * (2 * e + f), steps))
        net.layer("Reshape", "x", "split", {0: steps, 1: 2 * e + f, 2: heads})
        sizes = f"-23300=3,{e},{e},-233 1=1"
        net.layer("Slice", "split", ["q", "k", "v"], sizes)
        net.layer("Permute", "q", "qt", {0: 1})
        net.layer("MatMul", ["qt", "k"], "scores")
        net.layer("BinaryOp", "scores", "scaled", {0: MUL, 1: 1, 2: 0.7})
        net.layer("Softmax", "scaled", "shares", {0: 2, 1: 1})
        net.layer("Permute", "shares", "turned", {0: 1})
        net.layer("MatMul", ["v", "turned"], "y")
        types = types_after(runtime, tmp_path, net, passes)
        assert "SDPA" in types
        assert "MatMul" not in types
        assert "SDPA" not in types_after(runtime, tmp_path, net, ON_X86)


def test_a_single_query(runtime: Runtime, tmp_path: Path) -> None:
    """The runtime has code of its own for one row."""
    net = Net()
    for name, rows in (("q", 1), ("k", 40), ("v", 40)):
        net.input(name, (rows, 4 * 16))
        net.layer("Reshape", name, f"{name}_split", {0: 16, 1: 4, 2: -1})
        net.layer("Permute", f"{name}_split", f"{name}_heads", {0: 2})
    net.layer("MatMul", ["q_heads", "k_heads"], "scores", {0: 1})
    net.layer("BinaryOp", "scores", "scaled", {0: MUL, 1: 1, 2: 0.25})
    net.layer("Softmax", "scaled", "shares", {0: 2, 1: 1})
    net.layer("MatMul", ["shares", "v_heads"], "y")
    assert types_after(runtime, tmp_path, net, ON_X86)[-1] == "SDPA"
    assert "SDPA" not in types_after(runtime, tmp_path, net)
