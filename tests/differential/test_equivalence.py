"""`--verify-equivalence`: right passes are let through, wrong ones are named."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.activation import ReLUOp
from ncnn_opt.dialects.ncnn.attention import RotaryEmbedOp
from ncnn_opt.dialects.ncnn.reduction import ArgMaxOp
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.runtime import process as runtime_module
from ncnn_opt.runtime.equivalence import EquivalenceCheck, Mismatch, relative_error
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.transforms import OPTIMIZE
from ncnn_opt.transforms.infer_shapes import InferShapes
from ncnn_opt.transforms.rewriting.pattern_pass import PatternPass
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import Rewriter

from .compiler import load
from .decoders import decoder, decoder_inputs
from .nets import Net, Shape

EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = pytest.mark.usefixtures("runtime")


@dataclass(frozen=True)
class Leak(RewritePattern):
    """Lets every ReLU leak: right for those that only see positive values."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, ReLUOp) and op.slope == 0:
            op.set_params(slope=0.5)
            rewriter.notify_op_modified(op)


@dataclass(frozen=True)
class LeakPass(PatternPass):
    name = "leak"

    def patterns(self) -> Sequence[RewritePattern]:
        return (Leak(),)


@dataclass(frozen=True)
class RefusedPass(ModulePass):
    """Makes a model that the runtime refuses: a ReLU becomes a layer that it does not have."""

    name = "refused"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for relu in [o for o in op.walk() if isinstance(o, ReLUOp)]:
            made = ArgMaxOp.make([relu.input], {}, [relu.output.type], {})
            Rewriter.replace_op(relu, made)


@dataclass(frozen=True)
class Turn(RewritePattern):
    """Takes other pairs of features in the second layer of a decoder."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, RotaryEmbedOp) and not op.interleaved and "1_k" in op.label():
            op.set_params(interleaved=1)
            rewriter.notify_op_modified(op)


@dataclass(frozen=True)
class TurnPass(PatternPass):
    name = "turn"

    def patterns(self) -> Sequence[RewritePattern]:
        return (Turn(),)


def three_relus(folder: Path) -> Path:
    """Only the last ReLU sees negative values: before the first there is a square, before the
    last a subtraction."""
    net = Net()
    net.input("data", (4,))
    net.layer("UnaryOp", "data", "square", {0: 4})
    net.layer("ReLU", "square", "relu1")
    net.layer("ReLU", "relu1", "relu2")
    net.layer("BinaryOp", "relu2", "minus", {0: 1, 1: 1, 2: 5.0})
    net.layer("ReLU", "minus", "out", name="relu3")
    return net.write(folder)


@contextmanager
def checking(param: Path, **options: int) -> Generator[Callable[[ModulePass], EquivalenceCheck]]:
    module = load(param)
    with EquivalenceCheck(options.get("seed", 0), options.get("samples", 1), 1e-4) as check:
        check.start(module)

        def run(done: ModulePass) -> EquivalenceCheck:
            done.apply(Context(), module)
            check.after(done, module)
            return check

        yield run


def test_wrong_rewrite_is_named(tmp_path: Path) -> None:
    with checking(three_relus(tmp_path)) as run, pytest.raises(Mismatch) as caught:
        run(LeakPass())
    message = str(caught.value)
    assert message.startswith("pass 'leak' is not equivalent: output 'out' differs by ")
    assert "the first rewrite that does so is number 3 of the pass" in message


def test_model_that_does_not_load(tmp_path: Path) -> None:
    with checking(three_relus(tmp_path)) as run, pytest.raises(Mismatch) as caught:
        run(RefusedPass())
    message = str(caught.value)
    assert message.startswith("pass 'refused' is not equivalent: output 'out' is wrong: load_param")
    assert "ArgMax" in message  # what the runtime says of it


@pytest.mark.parametrize("name", ["small_cnn", "residual", "sequence"])
def test_examples_pass(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.param"
    source = str(EXAMPLES / f"{name}.param")
    main(["-O", "--verify-equivalence", "--samples", "2", source, "-o", str(out)])
    assert out.exists()
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].split() == ["pass", "outputs", "largest", "relative", "error"]
    rows = [line.split() for line in lines[1 : 1 + len(OPTIMIZE)]]
    assert [row[0] for row in rows] == [*OPTIMIZE]
    assert all(float(row[2]) <= 1e-4 for row in rows)


def test_other_inputs_and_outputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A cut model is fed with the blobs of the original; a kept blob is one of it."""
    source = three_relus(tmp_path)
    out = tmp_path / "out.param"
    cut = ["--cut-from", "relu2", "--cut-to", "minus", "--keep-blob", "relu2"]
    main(["-O", *cut, "--verify-equivalence", str(source), "-o", str(out)])
    lines = capsys.readouterr().err.splitlines()
    stages = ["cut-model", "keep-blobs", *OPTIMIZE]
    told = [line.split()[:3] for line in lines[1 : 1 + len(stages)]]
    assert told == [[name, str(min(i + 1, 2)), "0"] for i, name in enumerate(stages)]


def test_rounding_is_no_mismatch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(EXAMPLES / "small_cnn.param")
    arguments = ["--storage", "fp16", "--input-shape", "data=3,32,32", "--verify-equivalence"]
    main(["-O", *arguments, source, "-o", str(tmp_path / "out.param")])
    rows = {line.split()[0]: line for line in capsys.readouterr().err.splitlines()}
    error = float(rows["convert-storage"].split()[2])
    assert 1e-5 < error < 0.05
    assert "16-bit weights, limit 0.05" in rows["convert-storage"]


def test_unknown_shape(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = Net()
    net.input("data", (4,), declared=False)
    net.layer("ReLU", "data", "out")
    source = net.write(tmp_path)
    out = tmp_path / "out.param"
    with pytest.raises(SystemExit) as caught:
        main(["-O", "--verify-equivalence", str(source), "-o", str(out)])
    assert caught.value.code == 1
    assert "give it with --input-shape data=" in capsys.readouterr().err
    assert not out.exists()


def test_original_that_does_not_run(tmp_path: Path) -> None:
    net = Net()
    net.input("data", (4,))
    net.layer("ArgMax", "data", "out")
    source = net.write(tmp_path)
    with (
        checking(source) as run,
        pytest.raises(RunError, match="the ncnn runtime cannot run the original: load_param"),
    ):
        run(LeakPass())


def test_without_the_runtime(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(runtime_module.Runtime, "is_there", staticmethod(lambda: False))
    with (
        checking(three_relus(tmp_path)) as run,
        pytest.raises(RunError, match=r"pip install 'ncnn-opt\[verify\]'"),
    ):
        run(LeakPass())


def test_errors_of_blobs() -> None:
    a = np.array([1.0, -4.0], "f4")
    assert relative_error(a, a) == 0
    assert relative_error(a, np.array([1.0, -3.0], "f4")) == 0.25
    assert relative_error(a, np.array([[1.0, -4.0]], "f4")) == float("inf")
    assert relative_error(a, np.array([np.nan, -4.0], "f4")) == float("inf")
    infinite = np.array([np.inf, np.nan, 2.0], "f4")
    assert relative_error(infinite, infinite) == 0
    assert relative_error(infinite, np.array([-np.inf, np.nan, 2.0], "f4")) == float("inf")
    assert relative_error(np.zeros(2), np.array([0.0, 1e-9])) == 1e-9
    assert relative_error(np.zeros(2), np.array([0.5, 0.0])) == 0.5
    assert relative_error(np.zeros(2), np.zeros(2)) == 0


# -- decoders, whose caches of keys and values are in a format of the runtime's own


def input_shapes(shapes: Mapping[str, Shape]) -> list[str]:
    return [f"--input-shape={n}={','.join(map(str, shape))}" for n, shape in shapes.items()]


@pytest.mark.parametrize(
    ("past", "steps"), [(None, 5), (None, 1), (7, 3), (40, 1), (15, 1), (16, 2)]
)
def test_decoder(
    past: int | None, steps: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = decoder(2).write(tmp_path), tmp_path / "out.param"
    shapes = decoder_inputs(past or 0, steps, 2 if past else 0)  # at first there is no cache
    words = ["-O", "-q", "--verify-equivalence", *input_shapes(shapes)]
    main([*words, str(source), "-o", str(out)])
    rows = [line.split() for line in capsys.readouterr().err.splitlines()[1:]]
    assert [row[0] for row in rows][1 : 1 + len(OPTIMIZE)] == [*OPTIMIZE]
    assert all(row[1] == "5" and float(row[2]) < 1e-5 for row in rows)


@pytest.mark.parametrize("past", [0, 7])
def test_decoder_with_other_keys(past: int, tmp_path: Path) -> None:
    source = decoder(2).write(tmp_path)
    shapes = decoder_inputs(past, 3, 2 if past else 0)
    known = InferShapes(tuple(f"{n}:{'x'.join(map(str, s))}" for n, s in shapes.items()))
    with checking(source) as run:
        run(known)
        with pytest.raises(Mismatch, match="number 1 of the pass") as caught:
            run(TurnPass())
    assert "'fed1'" in str(caught.value) or "'attended1_keys'" in str(caught.value)


@pytest.mark.parametrize("declared", [False, True])
def test_attention_with_a_cache(
    declared: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    net = Net()
    net.input("x", (3, 8))
    for name in ("keys", "values"):
        net.input(name, (2, 5, 4), declared)
    for _ in range(4):
        net.tagged(net.normal(8, 8))
        net.plain(net.normal(8))
    params = {0: 8, 1: 2, 2: 64, 7: 1}
    net.layer(
        "MultiHeadAttention", ["x", "keys", "values"], ["y", "all_keys", "all_values"], params
    )
    net.layer("Dropout", "y", "out")
    source, out = net.write(tmp_path), tmp_path / "out.param"
    main(["-O", "-q", "--verify-equivalence", str(source), "-o", str(out)])
    rows = [line.split() for line in capsys.readouterr().err.splitlines()[1:]]
    assert rows
    assert all(row[1] == "3" and float(row[2]) < 1e-5 for row in rows)
