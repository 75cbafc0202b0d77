"""`--verify-equivalence` without a word on inputs: what they are fed; outputs that say nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.runtime.equivalence import Mismatch
from ncnn_opt.runtime.trial_shapes import feeds_of
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.transforms.infer_shapes import InferShapes

from .compiler import load
from .nets import Net
from .test_equivalence import LeakPass, checking

pytestmark = pytest.mark.usefixtures("runtime")

Verified = Callable[[Path], list[str]]


@pytest.fixture
def verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Verified:
    """What `-O -q --verify-equivalence` says of a model."""

    def run(source: Path) -> list[str]:
        out = tmp_path / "out.param"
        main(["-O", "-q", "--verify-equivalence", str(source), "-o", str(out)])
        assert out.exists()
        return capsys.readouterr().err.splitlines()

    return run


def convolution(net: Net, source: str, target: str, inputs: int) -> None:
    net.tagged(net.normal(4, inputs, 3, 3))
    net.layer("Convolution", source, target, {0: 4, 1: 3, 6: 36 * inputs})


def test_shape_that_nothing_says_is_guessed(tmp_path: Path, verified: Verified) -> None:
    net = Net()
    net.input("data", (3, 8, 8), declared=False)
    net.layer("BinaryOp", "data", "scaled", {0: 2, 1: 1, 2: 0.5})
    convolution(net, "scaled", "out", 3)
    assert verified(net.write(tmp_path))[-1] == (
        "compared with data=3,224,224 (a guess; --input-shape says better)"
    )


def test_guess_is_one_by_which_all_windows_fit(tmp_path: Path) -> None:
    """With 64 x 64 the window of the pooling has no place."""
    net = Net()
    net.input("data", (3, 8, 8), declared=False)
    convolution(net, "data", "a", 3)
    net.layer("Pooling", "a", "b", {1: 90, 5: 1})
    net.tagged(net.normal(2, 100))
    net.plain(net.normal(2))
    net.layer("InnerProduct", "b", "out", {0: 2, 1: 1, 2: 200})  # not for what 224 x 224 gives
    feeds = feeds_of(model_of(load(net.write(tmp_path))))
    assert [feed.shape for feed in feeds.values()] == [(3, 96, 96)]


def test_axes_in_the_other_order(tmp_path: Path, verified: Verified) -> None:
    net = Net()
    net.input("data", (12, 14, 3))
    convolution(net, "data", "out", 3)
    assert verified(net.write(tmp_path))[-1] == (
        "compared with data=3,12,14 (the file says 12,14,3, but Convolution 'out' takes 3,?,? by "
        "its weights, and gets 12,14,3)"
    )


def test_shape_of_the_user_takes_the_place_of_a_guess(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    net = Net()
    net.input("data", (3, 8, 8), declared=False)
    convolution(net, "data", "out", 3)
    with checking(net.write(tmp_path)) as run:
        check = run(InferShapes(input_shape=("data:3x9x10",)))
    assert "compared with" not in check.table()
    assert len(check.table().splitlines()) == 2


def hollow(folder: Path) -> Path:
    """The logarithm of what is below zero, behind a ReLU that sees negative values."""
    net = Net()
    net.input("data", (4,))
    net.layer("ReLU", "data", "relu")
    net.layer("BinaryOp", "relu", "minus", {0: 1, 1: 1, 2: 5.0})
    net.layer("UnaryOp", "minus", "out", {0: 8})
    return net.write(folder)


def test_output_without_values_is_not_all_that_is_compared(tmp_path: Path) -> None:
    source = hollow(tmp_path)
    with checking(source) as run, pytest.raises(Mismatch) as caught:
        run(LeakPass())
    assert "output 'minus' differs" in str(caught.value)


def test_what_is_compared_instead_is_told(tmp_path: Path, verified: Verified) -> None:
    lines = verified(hollow(tmp_path))
    note = "'out' has no finite value on these inputs: compared 'minus'"
    assert [line.endswith(note) for line in lines].index(True) > 1  # once, below the rows
    assert str(lines).count(note) == 1


def test_output_of_which_nothing_can_be_compared(tmp_path: Path) -> None:
    net = Net()
    net.input("data", (4,))
    net.layer("BinaryOp", "data", "out", {0: 3, 1: 1, 2: 0.0})
    with checking(net.write(tmp_path)) as run, pytest.raises(RunError) as caught:
        run(LeakPass())
    assert str(caught.value) == (
        "output 'out' has no finite value, nor has what it is computed from, so nothing is "
        "compared; try another --seed or --input-shape"
    )
