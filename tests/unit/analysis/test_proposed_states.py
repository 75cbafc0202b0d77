"""Proposed shapes of inputs that no layer with weights reads first: a Reshape, a state."""

from pathlib import Path

import pytest
from ncnn_opt.analysis.input_shapes import advice, likely_shapes
from ncnn_opt.dialects.ncnn.lookup import model_of
from xdsl.dialects.func import FuncOp

import ncnn_opt

RESHAPE = """7767517
3 3
Input in0 0 1 in0{declared}
Reshape rows 1 1 in0 r {params}
InnerProduct fc 1 1 r out 0=2 2={read}
"""


def reshape(folder: Path, params: str, declared: str = "", features: int = 6) -> FuncOp:
    text = RESHAPE.format(declared=declared, params=params, read=2 * features)
    (folder / "m.param").write_text(text)
    return model_of(ncnn_opt.load(folder / "m.param", weights="none").module)


@pytest.mark.parametrize(
    ("params", "features", "said"),
    [
        ("0=6 1=4", 6, "Reshape 'rows' takes 24 elements; try --input-shape in0=24"),
        ("0=24", 24, "Reshape 'rows' takes 24 elements; try --input-shape in0=24"),
        # The next layer takes no vector of 24.
        ("0=24", 6, "Reshape 'rows' takes 24 elements; give it with --input-shape in0=…"),
        ("0=6 1=-1", 6, "give it with --input-shape in0=…"),
        ("0=6 1=0", 6, "give it with --input-shape in0=…"),
        ('6="6,+(2,0w)"', 6, "give it with --input-shape in0=…"),
    ],
)
def test_a_reshape_determines_the_elements(
    params: str, features: int, said: str, tmp_path: Path
) -> None:
    func = reshape(tmp_path, params, features=features)
    assert advice(func, 0) == said
    assert likely_shapes(func) == ({0: (24,)} if "try" in said else {})


STATES = """7767517
4 7
Input x 0 1 x
Input states 0 1 states
Slice cut 1 {count} states {parts} -23300={count},{cuts} 1={axis}
LSTM cell 3 3 x s0 s1 y h c 0=3 1={size} 2={direction}
"""


def states(folder: Path, axis: int = 0, direction: int = 0, parts: str = "s0 s1") -> FuncOp:
    count = len(parts.split())
    text = STATES.format(
        axis=axis,
        direction=direction,
        parts=parts,
        count=count,
        cuts=",".join(["-233"] * count),
        size=72 * (2 if direction == 2 else 1),
    ).replace("4 7\n", f"4 {5 + count}\n")
    (folder / "m.param").write_text(text)
    return model_of(ncnn_opt.load(folder / "m.param", weights="none").module)


@pytest.mark.parametrize(("direction", "rows"), [(0, 2), (1, 2), (2, 4)])
def test_parts_that_are_states_determine_the_whole(
    direction: int, rows: int, tmp_path: Path
) -> None:
    func = states(tmp_path, direction=direction)
    takes = "LSTM 'cell' reads it as a state"
    assert advice(func, 1) == f"{takes}; try --input-shape states={rows},3"
    assert likely_shapes(func)[1] == (rows, 3)


def test_other_slices_determine_nothing(tmp_path: Path) -> None:
    for func in (states(tmp_path, axis=1), states(tmp_path, parts="s0 s1 other")):
        assert advice(func, 1) == "give it with --input-shape states=…"
        assert 1 not in likely_shapes(func)
