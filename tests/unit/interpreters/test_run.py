"""Running a model: what comes out under which name, what is computed for it, and what cannot be."""

import weakref
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.interpreters.run import RunError, blobs_of, run
from xdsl.dialects.func import FuncOp
from xdsl.interpreter import Interpreter, PythonValues
from xdsl.ir import Operation

Load = Callable[..., FuncOp]

TWO_BRANCHES = (
    "Input a 0 1 a 0=2 1=3",
    "Input b 0 1 b",
    "Split split 1 2 a a0 a1",
    "AbsVal abs 1 1 a0 abs",
    "BinaryOp double 1 1 abs double 0=2 1=1 2=2.0",
    "BinaryOp sum 2 1 a1 b sum 0=0",
)
A = np.array([[-1, 2], [3, -4], [5, 6]], np.float32)
B = np.ones((3, 2), np.float32)


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def load(*lines: str, weights: str | None = None, **custom: tuple[int, ...]) -> FuncOp:
        tops = 0
        for line in lines:
            tops += int(line.split()[3])
        path = tmp_path / "m.param"
        path.write_text("\n".join(["7767517", f"{len(lines)} {tops}", *lines, ""]))
        path.with_suffix(".bin").write_bytes(b"")
        module = read_model(str(path), ReadOptions(weights, custom_weights=custom)).module
        return model_of(module)

    return load


class Seen(Interpreter.Listener):
    def __init__(self) -> None:
        self.names: list[str] = []

    def did_interpret_op(self, op: Operation, results: PythonValues) -> None:
        self.names.append(op.name)


def test_outputs_by_name(load: Load) -> None:
    outputs = run(load(*TWO_BRANCHES), {"a": A, "b": B})
    assert list(outputs) == ["double", "sum"]
    assert np.array_equal(outputs["double"], 2 * np.abs(A))
    assert np.array_equal(outputs["sum"], A + 1)


def test_all_blobs_in_order(load: Load) -> None:
    func = load(*TWO_BRANCHES)
    names = ["a", "b", "a0", "a1", "abs", "double", "sum"]
    assert list(blobs_of(func)) == names
    blobs = run(func, {"a": A, "b": B}, blobs_of(func))
    assert list(blobs) == names
    assert np.array_equal(blobs["a1"], A)


def test_only_what_a_blob_needs_is_computed(load: Load) -> None:
    seen = Seen()
    blobs = run(load(*TWO_BRANCHES), {"a": A}, ["abs"], [seen])
    assert list(blobs) == ["abs"]
    assert seen.names == ["ncnn.split", "ncnn.absval"]


def test_inputs_are_not_changed(load: Load) -> None:
    before = A.copy()
    run(load(*TWO_BRANCHES), {"a": A, "b": B})
    assert np.array_equal(A, before)


def test_values_are_let_go_after_their_last_use(load: Load) -> None:
    alive: list[int] = []

    class Alive(Interpreter.Listener):
        """Counts the blobs that were made and are still there."""

        def __init__(self) -> None:
            self.made: list[int] = []

        def did_interpret_op(self, op: Operation, results: PythonValues) -> None:
            (value,) = results
            key = id(value)
            self.made.append(key)
            weakref.finalize(value, self.made.remove, key)
            alive.append(len(self.made))

    steps = [f"BinaryOp s{i} 1 1 x{i} x{i + 1} 0=0 1=1 2=1.0" for i in range(6)]
    outputs = run(load("Input x0 0 1 x0 0=4", *steps), {"x0": np.zeros(4, "f4")}, None, [Alive()])
    assert outputs["x6"].tolist() == [6] * 4
    assert max(alive) == 2


def test_missing_input(load: Load) -> None:
    with pytest.raises(RunError, match=r"^input 'b' is missing; it is tensor<\*xf32>$"):
        run(load(*TWO_BRANCHES), {"a": A})


def test_input_of_another_shape(load: Load) -> None:
    message = r"^input 'a' has shape 2x3, the model takes 3x2$"
    with pytest.raises(RunError, match=message):
        run(load(*TWO_BRANCHES), {"a": A.T, "b": B})


def test_layer_that_nothing_computes(load: Load) -> None:
    func = load("Input x 0 1 x 0=4", "MyLayer mine 1 1 x y", "AbsVal abs 1 1 x abs")
    with pytest.raises(RunError, match=r"^MyLayer 'mine': it has no reference semantics$"):
        run(func, {"x": np.zeros(4, "f4")})
    assert "abs" in run(func, {"x": np.zeros(4, "f4")}, ["abs"])


def test_layer_that_does_not_take_its_input(load: Load) -> None:
    func = load("Input x 0 1 x", "InnerProduct fc 1 1 x y 0=2 2=6", weights="random")
    message = r"^InnerProduct 'fc': 4 inputs, but the weight needs 3$"
    with pytest.raises(RunError, match=message):
        run(func, {"x": np.zeros(4, "f4")})


def test_weights_that_are_not_there(load: Load) -> None:
    func = load("Input x 0 1 x", "InnerProduct fc 1 1 x y 0=2 2=6", weights="none")
    with pytest.raises(RunError, match="have no values"):
        run(func, {"x": np.zeros(3, "f4")})


def test_no_warnings_of_numpy(load: Load, recwarn: pytest.WarningsRecorder) -> None:
    func = load("Input x 0 1 x 0=2", "UnaryOp log 1 1 x y 0=8", "Swish s 1 1 y z")
    run(func, {"x": np.array([0, -1], "f4")})
    assert not recwarn.list
