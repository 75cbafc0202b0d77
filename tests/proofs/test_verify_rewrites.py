"""`--verify-rewrites`: passes of others, right and wrong ones, while they run."""

from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.activation import ReLUOp
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.dialects.ncnn.normalization import ScaleOp
from ncnn_opt.dialects.ncnn.weights import dense_weight
from ncnn_opt.driver.environment import NCNN_OPT, available_passes
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.proofs.canonical_form import CanonicalForm
from ncnn_opt.proofs.proof import Counterexample, Status, prove
from ncnn_opt.proofs.recorder import RecordedRewrite, Recorder
from ncnn_opt.tools.ncnn_opt_main import main
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from .test_proofs import module_of

NET = """7767517
5 5
Input data 0 1 data 0=4 1=4 2=3
Convolution conv 1 1 data c 0=2 1=1 6=6
ReLU first 1 1 c f
ReLU second 1 1 f s
Scale scale 1 1 s out 0=2 1=1
"""


class RemoveReLU(ModulePass):
    """Remove the ReLU layers of a name."""

    name = "remove-relu"
    layers: tuple[str, ...] = ("second",)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for layer in list(op.walk()):
            if isinstance(layer, ReLUOp) and layer.layer_name is not None:
                if layer.layer_name.data in self.layers:
                    Rewriter.replace_op(layer, [], [layer.operands[0]])


class RemoveAllReLUs(RemoveReLU):
    """Remove the ReLU that changes the outputs, too."""

    name = "remove-all-relus"
    layers = ("first", "second")


class ChangeWeight(ModulePass):
    """Change one weight by a little."""

    name = "change-weight"
    factor = 1.01

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for layer in op.walk():
            if isinstance(layer, ScaleOp) and isinstance(owner := layer.scale.owner, ConstantOp):
                values = np.array(owner.read(), "f4")
                values[1] *= self.factor
                owner.value = dense_weight(values, owner.output.type)  # pyright: ignore


class Refresh(ChangeWeight):
    """Write the same weight again."""

    name = "refresh-weight"
    factor = 1.0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """The working directory, with a model; the passes above are known."""
    (tmp_path / "m.param").write_text(NET)
    numbers = np.array([1, 2, -3, 0.5, -0.25, 1, 0.1, 0.2, 2, 3, 0.3, 0.4], "f4")
    (tmp_path / "m.bin").write_bytes(bytes(4) + numbers[:6].tobytes() + numbers[8:].tobytes())
    for each in (RemoveReLU, RemoveAllReLUs, ChangeWeight, Refresh):
        monkeypatch.setitem(NCNN_OPT.all_passes, each.name, lambda each=each: each)  # pyright: ignore
        monkeypatch.setattr(each, "__module__", "somebody.passes")
    monkeypatch.chdir(tmp_path)
    available_passes.cache_clear()  # another test may have asked for the passes
    yield tmp_path
    available_passes.cache_clear()


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    assert exit_.value.code == 1
    return capsys.readouterr().err


def test_a_right_pass_of_others(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The ReLU before it makes a ReLU redundant: a fact about the inputs of the region."""
    main(["m.param", "--remove-relu", "--verify-rewrites", "-o", "n.param"])
    assert "ncnn-opt: 1 rewrite: 1 proven\n" in capsys.readouterr().err
    assert (folder / "n.param").exists()


BESIDE_A_CUSTOM_LAYER = """7767517
8 8
Input x 0 1 x
Input c 0 1 c
Reshape r1 1 1 x r1 0=4 1=-1 2=1
ReLU relu 1 1 r1 relu
MyUp up 1 1 c up
Permute p 1 1 relu p 0=2
Reshape r2 1 1 p r2 0=4 1=-1
BinaryOp add 2 1 r2 up y 0=0
"""


def test_a_region_grows_beside_a_layer_without_evaluation(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The Permute, which must be in the region, and the custom layer, which cannot, are before
    it."""
    (folder / "custom.param").write_text(BESIDE_A_CUSTOM_LAYER)
    (folder / "custom.bin").touch()
    main(["custom.param", "--merge-reshapes", "--verify-rewrites", "-o", "n.param"])
    assert "ncnn-opt: 1 rewrite: 1 proven\n" in capsys.readouterr().err
    assert "Permute" not in (folder / "n.param").read_text()


def test_a_wrong_rewrite_beside_a_layer_without_evaluation(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The region grows by the Permute, and stays wrong."""
    lines = BESIDE_A_CUSTOM_LAYER.replace("ReLU relu 1 1 r1 relu\n", "")
    lines = lines.replace("p 1 1 relu p 0=2\n", "p 1 1 r1 p0 0=2\nReLU first 1 1 p0 p\n")
    (folder / "custom.param").write_text(lines)
    (folder / "custom.bin").touch()
    arguments = ["custom.param", "--remove-all-relus", "--verify-rewrites", "-o", "n.param"]
    message = refusal(capsys, *arguments)
    assert "rewrite 1 is wrong: remove-all-relus: ReLU 'first' -> nothing" in message
    assert not (folder / "n.param").exists()


def test_a_wrong_pass_of_others(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["m.param", "--remove-all-relus", "--verify-rewrites", "-o", "n.param"]
    lines = refusal(capsys, *arguments).splitlines()
    assert lines[0] == (
        "ncnn-opt: error: rewrite 1 is wrong: remove-all-relus: "
        "ReLU 'first', ReLU 'second' -> nothing"
    )
    assert lines[1].startswith("  input in0 of the rewritten layers: 3x")
    assert [line.partition(":")[0] for line in lines[2:]] == [
        "  weight of Convolution 'conv'",
        *["  weight of Scale 'scale'"] * 2,
        "  output before",
        "  output after",
        next(
            line.partition(":")[0] for line in lines if line.startswith("  they differ most at [")
        ),
        "  --counterexample DIR writes both models and the inputs",
        "ncnn-opt",
    ]
    assert not (folder / "n.param").exists()


@pytest.mark.parametrize("name", ["remove-all-relus", "change-weight"])
def test_the_runtime_confirms_a_counterexample(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ncnn = pytest.importorskip("ncnn")
    options = ["--verify-rewrites", "--counterexample", "found", "-o", "n.param"]
    message = refusal(capsys, "m.param", f"--{name}", *options)
    lines = ["  'found' has both models and the inputs", "ncnn-opt: FAILED: --verify-rewrites"]
    assert message.splitlines()[-2:] == lines
    x = np.load(folder / "found" / "in0.npy")
    for side in ("before", "after"):
        net = ncnn.Net()
        net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = net.opt.use_fp16_packed = False
        assert net.load_param(f"found/{side}.param") == 0
        assert net.load_model(f"found/{side}.bin") == 0
        with net.create_extractor() as extractor:
            extractor.input("in0", ncnn.Mat(x))
            _, found = extractor.extract("out")
        expected = np.load(folder / "found" / f"out_{side}.npy")
        np.testing.assert_allclose(np.array(found), expected, rtol=1e-4, atol=1e-5)
    other = np.load(folder / "found" / "out_after.npy")
    assert not np.allclose(np.load(folder / "found" / "out_before.npy"), other, rtol=1e-3)


def test_a_weight_that_changes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refusal(capsys, "m.param", "--change-weight", "--verify-rewrites")
    assert "rewrite 1 is wrong: change-weight: Scale 'scale' -> Scale 'scale'\n" in message
    assert "  weight of Scale 'scale': 2 [2 3]\n" in message


def test_the_element_that_differs_most(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The weight is of the second channel: the elements that are printed first agree."""
    options = ["--verify-rewrites", "--counterexample", "found", "-o", "n.param"]
    lines = refusal(capsys, "m.param", "--change-weight", *options).splitlines()
    (before, after, most) = (line for line in lines if line.startswith(("  output", "  they")))
    assert before.removeprefix("  output before: ") == after.removeprefix("  output after:  ")
    one, two = (np.load(folder / "found" / f"out_{side}.npy") for side in ("before", "after"))
    place = max(np.ndindex(one.shape), key=lambda i: abs(two[i] - one[i]))
    assert place[0] == 1
    a, b = f"{one[place]:.6g}", f"{two[place]:.6g}"
    assert a != b
    assert most == f"  they differ most at {list(place)}: {a} before, {b} after"


def found_of(before: list[float], after: list[float]) -> str:
    outputs = (np.array(before), np.array(after))
    return Counterexample([], (ModuleOp([]), ModuleOp([])), outputs).difference()


def test_values_that_are_no_numbers_or_almost_equal() -> None:
    nan, inf = float("nan"), float("inf")
    assert found_of([nan, 1, 9], [nan, 1.5, 9]) == "[1]: 1 before, 1.5 after"
    assert found_of([0, 1, 2], [5, 1, nan]) == "[2]: 2 before, nan after"
    assert found_of([inf, 1], [inf, 2]) == "[1]: 1 before, 2 after"
    assert found_of([0, 1], [0, 1.0000001]) == "[1]: 1 before, 1.0000001 after"
    assert found_of([0, 1], [0, 1 + 2**-50]) == "[1]: 1 before, 1.0000000000000009 after"
    assert not found_of([0, 1], [0, 1, 2])


def test_the_proof_names_the_element(folder: Path) -> None:
    proof = prove(ChangeWeight(), read_model("m.param").module)
    assert proof.counterexample is not None
    assert "of the largest value, most at [1" in proof.reason
    assert proof.reason.endswith(proof.counterexample.difference())


def test_a_weight_that_is_written_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["-q", "m.param", "--refresh-weight", "--verify-rewrites", "-o", "n.param"])
    assert not capsys.readouterr().err


def steps_of(module: ModuleOp, rewrite: ModulePass) -> list[RecordedRewrite]:
    """Return the steps of a pass."""
    steps: list[RecordedRewrite] = []
    recorder = Recorder(steps.append)
    recorder.between_passes(None, module, rewrite)
    rewrite.apply(Context(), module)
    recorder.between_passes(rewrite, module, None)
    return steps


class RemoveFirst(ModulePass):
    """Remove the first layer."""

    name = "remove-first"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        layer = list(model_of(op).body.block.ops)[0]
        Rewriter.replace_op(layer, [], [layer.operands[0]])


def test_a_step_without_semantics_is_not_checked() -> None:
    module = module_of('%y = ncnn.custom "Mine"(%x) {name = "mine"} : (T) -> T')
    (step,) = steps_of(module, RemoveFirst())
    assert step.verdict.status is Status.UNSUPPORTED
    assert not step.verdict.checked
    assert "has no reference semantics" in step.verdict.reason


def test_a_step_at_a_function_of_a_blob() -> None:
    module = module_of('%y = ncnn.sigmoid %x {name = "y"} : (T) -> T')
    (step,) = steps_of(module, RemoveFirst())
    assert step.verdict.status is Status.REFUTED
    assert step.removed == ("Sigmoid 'y'",)
    assert step.created == ()


def test_the_hash_of_a_module_sees_names_and_parameters() -> None:
    def module(name: str, slope: str) -> ModuleOp:
        return module_of(f'%y = ncnn.relu %x {{name = "{name}", slope = {slope}}} : (T) -> T')

    form = CanonicalForm()
    assert form.hash(module("a", "0.5")) == form.hash(module("a", "0.5"))
    assert form.hash(module("a", "0.5")) != form.hash(module("b", "0.5"))
    assert form.hash(module("a", "0.5")) != form.hash(module("a", "0.25"))
