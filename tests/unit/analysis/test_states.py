"""State: which inputs get an output of the call before, and why."""

import pytest
from ncnn_opt.analysis.states import State, belong, states_of
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param

Q_K_V = ["Input q 0 1 q", "Input k 0 1 k", "Input v 0 1 v"]
PAST = "Input caches 0 2 pk pv"


def states(*lines: str) -> list[State]:
    """The states of a model."""
    blobs = sum(int(line.split()[3]) for line in lines)
    text = "\n".join(["7767517", f"{len(lines)} {blobs}", *lines, ""])
    return states_of(model_of(import_param(text.encode(), "it", ReadOptions("none"))[0]))


def test_caches() -> None:
    attention = "SDPA a 5 3 q k v pk pv y ak av 7=1"
    expected = [State("pk", "ak", "cache", True), State("pv", "av", "cache", True)]
    assert states(*Q_K_V, PAST, attention) == expected
    # The keys are returned through a Split, and another layer reads a copy.
    shown = ["Split s 1 2 ak ak_0 ak_1", "AbsVal z 1 1 ak_1 z"]
    assert states(*Q_K_V, PAST, attention, *shown) == [
        State("pk", "ak_0", "cache", True),
        State("pv", "av", "cache", True),
    ]


def test_a_cache_that_is_not_returned() -> None:
    attention = "SDPA a 5 3 q k v pk pv y ak av 7=1"
    assert states(*Q_K_V, PAST, attention, "AbsVal z 1 1 ak z") == [
        State("pv", "av", "cache", True)
    ]


@pytest.mark.parametrize(("order", "starts_empty"), [("new past", True), ("past new", False)])
def test_appended(order: str, starts_empty: bool) -> None:
    # A Concat takes the rank of its first input, so that only others may be empty.
    found = states(
        "Input x 0 1 x",
        "Input past 0 1 past",
        "AbsVal new 1 1 x new",
        f"Concat c 2 1 {order} every 0=1",
        "Split s 1 2 every every_0 every_1",
        "AbsVal y 1 1 every_0 y",
    )
    assert found == [State("past", "every_1", "appended", starts_empty)]


def test_history() -> None:
    found = states(
        "Input x 0 1 x",
        "Input last 0 1 last",
        "Concat c 2 1 last x both 0=1",
        "Split s 1 2 both both_0 both_1",
        "AbsVal y 1 1 both_0 y",
        "Crop kept 1 1 both_1 kept -23309=1,-2 -23310=1,2147483647 -23311=1,1",
    )
    assert found == [State("last", "kept", "history", False)]


def test_recurrent() -> None:
    found = states(
        "Input x 0 1 x",
        "Input h 0 1 h",
        "Input c 0 1 c",
        "LSTM l 3 3 x h c y b a 0=4 1=64 2=0",
    )
    assert found == [State("h", "b", "recurrent", False), State("c", "a", "recurrent", False)]


def test_named() -> None:
    lines = ["Input x 0 1 x", "Input s_in 0 1 s_in", "BinaryOp b 2 1 x s_in s_out 0=0"]
    assert states(*lines) == [State("s_in", "s_out", "named", False)]
    # Declared shapes must agree.
    lines = ["Input x 0 1 x", "Input s_in 0 1 s_in 0=4", "Reshape r 1 1 x s_out 0=2 1=2"]
    assert states(*lines, "AbsVal a 1 1 s_in y") == []


@pytest.mark.parametrize(
    ("name", "output"),
    [
        *(("h", each) for each in ("out_h", "h_out", "new_h", "next_h")),
        ("h_in", "h_out"),
        ("past_k.0", "present_k.0"),
        ("prev_x", "next_x"),
        ("h0", "hn"),
    ],
)
def test_names(name: str, output: str) -> None:
    assert belong(name, output)


@pytest.mark.parametrize(
    ("name", "output"),
    [("in0", "out0"), ("in", "out"), ("h", "hn"), ("x", "y"), ("a_in_b", "c_out_b"), ("h", "h")],
)
def test_other_names(name: str, output: str) -> None:
    assert not belong(name, output)
