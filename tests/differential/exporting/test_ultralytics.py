# pyright: basic, reportMissingImports=false
"""Models of Ultralytics: the size of the example input, the storage of weights, the comparison.
Needs PyTorch, PNNX and Ultralytics."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("pnnx", reason="PNNX is not installed")
ultralytics = pytest.importorskip("ultralytics", reason="Ultralytics is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

import ncnn_opt  # noqa: E402

torch.set_num_threads(1)

FAMILIES = ("yolov8n", "yolo11n", "yolo26n")
TASKS = {"": 1, "-seg": 2, "-pose": 1, "-cls": 1}
"""The number of outputs by task."""
ANCHORS = {64: 84, 96: 189}
"""The number of boxes: one for each position in the levels of strides 8, 16 and 32."""


def model(name: str) -> Any:
    """Return a model whose statistics are those of a trained model: no layer is an identity."""
    torch.manual_seed(0)
    found = ultralytics.YOLO(f"{name}.yaml", verbose=False)
    with torch.no_grad():
        for part in found.model.modules():
            if isinstance(part, torch.nn.BatchNorm2d):
                part.running_mean.uniform_(-0.3, 0.3)
                part.running_var.uniform_(0.5, 2)
                part.weight.uniform_(0.5, 1.5)
                part.bias.uniform_(-0.3, 0.3)
    return found


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_model_agrees_at_the_size_of_the_input(family: str, task: str, folder: Path) -> None:
    yolo = model(family + task)
    for height, width in ((64, 64), (96, 96)):
        result = ncnn_opt.export(yolo, torch.rand(1, 3, height, width), "y.param", fp16=False)
        assert result, result
        assert result.agreement is not None
        assert len(result.agreement.errors) == TASKS[task]
        assert max(result.agreement.errors.values()) < 1e-5
        if task == "":
            x = torch.rand(3, height, width).numpy()
            made = ncnn_opt.load("y.param").run({"in0": x})["out0"]
            assert made.shape == (84, ANCHORS[height])
    assert sorted(p.name for p in folder.iterdir()) == ["y.bin", "y.param"]


def test_height_and_width_may_differ() -> None:
    assert ncnn_opt.export(model("yolo11n"), torch.rand(1, 3, 64, 128), "y.param")


def test_the_storage_of_weights_is_the_requested_one() -> None:
    sizes: dict[bool, int] = {}
    for fp16 in (False, True):
        assert ncnn_opt.export(model("yolo11n"), torch.rand(1, 3, 64, 64), "y.param", fp16=fp16)
        sizes[fp16] = Path("y.bin").stat().st_size
    assert sizes[True] < 0.52 * sizes[False]


def test_a_size_that_the_model_does_not_take() -> None:
    with pytest.raises(ncnn_opt.NcnnOptError) as caught:
        ncnn_opt.export(model("yolo11n"), torch.rand(1, 3, 330, 320), "y.param")
    assert str(caught.value) == (
        "the model takes images whose height and width are multiples of 32, not 330 x 320: use "
        "320 x 320"
    )
    with pytest.raises(ncnn_opt.NcnnOptError, match="has one input: a tensor of images"):
        ncnn_opt.export(model("yolo11n"), torch.rand(3, 320, 320), "y.param")


def test_the_model_of_the_user_stays() -> None:
    yolo = model("yolo26n")
    before = {name: value.clone() for name, value in yolo.model.state_dict().items()}
    is_selecting = yolo.model.end2end
    ncnn_opt.export(yolo, torch.rand(1, 3, 64, 64), "y.param")
    after = yolo.model.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert yolo.model.end2end == is_selecting
    assert not yolo.model.model[-1].export
