"""Shapes of states and parts that a layer cannot take are named before a runtime crashes."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from ncnn_opt.analysis.input_shapes import contradictions
from ncnn_opt.analysis.shape_inference import infer, set_input_shapes
from ncnn_opt.dialects.ncnn.function import inputs_of
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.tools.ncnn_opt_main import main
from xdsl.dialects.builtin import DYNAMIC_INDEX as ANY
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

import ncnn_opt

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
Shape = tuple[int, ...]


def recurrent(folder: Path, kind: str, direction: int = 0, more: str = "", size: int = 3) -> FuncOp:
    """Return a model of one layer on a sequence of 4x6, whose states are inputs."""
    states = ["h", "c"] if kind == "LSTM" else ["h"]
    ends = " ".join(f"{state}_end" for state in states)
    count = size * GATES[kind] * 6 * (2 if direction == 2 else 1)
    lines = ["7767517", f"{len(states) + 2} {2 * len(states) + 2}", "Input x 0 1 x 0=6 1=4"]
    lines += [f"Input {state} 0 1 {state}" for state in states]
    lines.append(
        f"{kind} cell {len(states) + 1} {len(states) + 1} x {' '.join(states)} y {ends} "
        f"0=3 1={count} 2={direction} {more}"
    )
    (folder / "m.param").write_text("\n".join(lines) + "\n")
    return model_of(ncnn_opt.load(folder / "m.param", weights="none").module)


def contradiction(func: FuncOp, shapes: Mapping[str, Shape]) -> str | None:
    copy = func.clone()
    infer(copy, {inputs_of(copy)[name]: shape for name, shape in shapes.items()})
    found = next(contradictions(copy), None)
    return None if found is None else found.wanted


@pytest.mark.parametrize("kind", GATES)
@pytest.mark.parametrize(
    ("direction", "state", "fits"),
    [
        (0, (3,), True),
        (0, (1, 3), True),
        (1, (1, 1, 3), True),
        (0, (2, 3), False),
        (0, (1, 4), False),
        (0, (6,), False),
        (2, (2, 3), True),
        (2, (2, 1, 3), True),
        (2, (1, 3), False),
        (2, (3,), False),
        (2, (4, 3), False),
        (0, (ANY, 3), True),
        (0, (ANY, ANY), True),
        (0, (ANY, 4), False),
        (0, (2, ANY, 3), False),
        (2, (2, ANY, 3), True),
        (2, (3, ANY, 3), False),
    ],
)
def test_hidden_states(kind: str, direction: int, state: Shape, fits: bool, tmp_path: Path) -> None:
    directions = 2 if direction == 2 else 1
    wanted = None if fits else f"takes {directions},3 as its hidden state"
    assert contradiction(recurrent(tmp_path, kind, direction), {"h": state}) == wanted


def test_the_cell_state_of_a_projection_has_its_own_size(tmp_path: Path) -> None:
    func = recurrent(tmp_path, "LSTM", 0, "3=5", 5)
    assert contradiction(func, {"h": (1, 3), "c": (1, 5)}) is None
    assert contradiction(func, {"h": (1, 3), "c": (1, 3)}) == "takes 1,5 as its cell state"
    assert contradiction(func, {"h": (1, 5), "c": (1, 5)}) == "takes 1,3 as its hidden state"


def test_a_sequence_of_other_features_is_named_first(tmp_path: Path) -> None:
    func = recurrent(tmp_path, "GRU")
    assert contradiction(func, {"x": (4, 7), "h": (1, 4)}) == "takes ?,6 or 6 by its weights"


def test_input_shapes_are_refused_with_the_layer(tmp_path: Path) -> None:
    func = recurrent(tmp_path, "GRU")
    with pytest.raises(PassFailedException, match="GRU 'cell' takes 1,3 as its hidden state, and "):
        set_input_shapes(func, {"h": (1, 4)})


SLICE = """7767517
2 3
Input x 0 1 x
Slice cut 1 2 x a b {params}
"""


@pytest.mark.parametrize(
    ("params", "shape", "wanted"),
    [
        ("-23300=2,-233,-233", (2, 8), None),
        ("-23300=2,-233,-233", (3, 8), None),
        ("-23300=2,-233,-233", (ANY, 8), None),
        ("-23300=2,-233,-233", (1, 8), "cuts axis 0 into 2 parts"),
        ("-23300=2,3,2", (5, 4), None),
        ("-23300=2,3,2", (6, 4), None),  # the runtime drops the rest
        ("-23300=2,3,2", (4, 4), "cuts axis 0 into 2 parts of 3, 2"),
        ("-23300=2,3,-233", (4, 4), None),
        ("-23300=2,3,-233", (3, 4), "cuts axis 0 into 2 parts of 3, 0"),
        ("-23300=2,3,-233 1=-1", (3, 4), None),
        ("-23302=1,4 1=1", (2, 5), None),
        ("-23302=1,5 1=1", (2, 5), "cuts axis 1 into 2 parts of 5, 0"),
        ("-23302=1,-4 1=1", (2, 5), None),
        ("-23302=1,-5 1=1", (2, 5), "cuts axis 1 into 2 parts of 0, 5"),
        ("-23302=1,-5 1=1", (2, ANY), None),
        ("-23300=2,1,-233 1=2", (2, 5), "cuts axis 2, which 2 dims do not have"),
        ("-23300=2,1,-233 1=2", (5,), None),  # the runtime cuts the only axis
    ],
)
def test_slices(params: str, shape: Shape, wanted: str | None, tmp_path: Path) -> None:
    (tmp_path / "m.param").write_text(SLICE.format(params=params))
    func = model_of(ncnn_opt.load(tmp_path / "m.param").module)
    assert contradiction(func, {"x": shape}) == wanted


def test_check_names_the_layer_before_it_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ncnn")
    text = SLICE.format(params="-23300=2,-233,-233").replace("0 1 x\n", "0 1 x 0=1 1=1\n", 1)
    (tmp_path / "m.param").write_text(text)
    (tmp_path / "m.bin").write_bytes(b"")
    with pytest.raises(SystemExit, match="1"):
        main([str(tmp_path / "m.param"), "--check"])
    said = capsys.readouterr().err
    assert "Slice 'cut' cuts axis 0 into 2 parts, and gets 1,1" in said
    assert "the ncnn runtime does not run the model" not in said


def test_check_names_a_window_that_does_not_fit_when_the_runtime_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ncnn")
    (tmp_path / "m.param").write_text(
        "7767517\n2 2\nInput x 0 1 x 0=4 1=4 2=2\nPooling pool 1 1 x out 1=5 5=1\n"
    )
    (tmp_path / "m.bin").write_bytes(b"")
    with pytest.raises(SystemExit, match="1"):
        main([str(tmp_path / "m.param"), "--check"])
    said = capsys.readouterr().err
    assert "the ncnn runtime does not run the model" in said
    assert "the window of Pooling 'pool' does not fit into 2,4,4; give larger inputs" in said
