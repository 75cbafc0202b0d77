"""The axis of steps of blobs, and the layers that may combine steps."""

import pytest
from ncnn_opt.dialects.ncnn.lookup import layers_of, model_of
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from ncnn_opt.transforms.caches.step_axes import StepAxes
from xdsl.utils.exceptions import PassFailedException

STEPS, WIDTH = 6, 8


def axis_of(shape: str, *layers: str) -> int | None:
    """The axis of steps of the last layer's output, of an input of 6 steps."""
    lines = [f"Input x 0 1 x {shape}".rstrip(), *layers]
    blobs = sum(int(line.split()[3]) for line in lines)
    text = "\n".join(["7767517", f"{len(lines)} {blobs}", *lines]) + "\n"
    module, _ = import_param(text.encode(), "m.param", ReadOptions("random"))
    func = model_of(module)
    axes = StepAxes(frozenset(func.body.block.args))
    for op in layers_of(func):
        axes.visit(op)
    return axes.of(layers_of(func)[-1].results[0])


ROWS = f"0={WIDTH} 1={STEPS}"
HEADS = "Reshape r 1 1 x r 0=4 1=2 2=6"


@pytest.mark.parametrize(
    ("layers", "axis"),
    [
        (["Swish y 1 1 x y"], -2),
        (["BNLL y 1 1 x y"], -2),
        (["Cast y 1 1 x y 0=1 1=2"], -2),
        (["Split s 1 2 x a b", "BinaryOp y 2 1 a b y 0=2"], -2),
        (["Split s 1 2 x a b", "Eltwise y 2 1 a b y 0=1"], -2),
        (["LayerNorm y 1 1 x y 0=8 1=1e-5 2=1"], -2),
        (["Gemm y 1 1 x y 3=1 5=1 6=1 7=6 8=5 9=8 10=-1"], -2),
        (["InnerProduct y 1 1 x y 0=5 2=40"], -2),
        ([HEADS], -3),
        ([HEADS, "Permute y 1 1 r y 0=2"], -2),
        ([HEADS, "Permute p 1 1 r p 0=2", "ExpandDims y 1 1 p y -23303=1,1"], -2),
        ([HEADS, "Permute p 1 1 r p 0=2", "Tile y 1 1 p y -23302=3,4,1,1"], -2),
        (["Permute y 1 1 x y 0=1"], -1),
        (["Reshape y 1 1 x y 0=2 1=4 2=-1"], -3),
        (["Crop y 1 1 x y -23309=1,0 -23310=1,4 -23311=1,1"], -2),
        (["ExpandDims e 1 1 x e -23303=1,0", "Squeeze y 1 1 e y -23303=1,0"], -2),
        (["ExpandDims e 1 1 x e -23303=1,0", "Squeeze y 1 1 e y 2=1"], -2),
    ],
)
def test_each_step_alone(layers: list[str], axis: int) -> None:
    assert axis_of(ROWS, *layers) == axis


@pytest.mark.parametrize(
    "layers",
    [
        ["Softmax y 1 1 x y 0=0 1=1"],
        ["CumulativeSum y 1 1 x y 0=0"],
        ["Flip y 1 1 x y -23300=1,0"],
        ["Permute p 1 1 x p 0=1", "LayerNorm y 1 1 p y 0=6 1=1e-5 2=0"],
        ["Permute p 1 1 x p 0=1", "Gemm y 1 1 p y 3=1 5=1 6=1 7=8 8=6 9=6 10=-1"],
        ["Gemm y 1 1 x y 2=1 3=1 5=1 6=1 7=8 8=6 9=6 10=-1"],
        ["Gemm y 1 1 x y 3=1 5=1 6=1 7=6 8=5 9=8 10=-1 14=1"],
        ["Permute p 1 1 x p 0=1", "InnerProduct y 1 1 p y 0=5 2=30"],
        ["Reshape y 1 1 x y 0=16 1=-1"],
        ["Reshape y 1 1 x y 0=6 1=8"],
        ["Reshape y 1 1 x y 0=48"],
        ["Tile y 1 1 x y -23302=2,2,1"],
        ["Tile y 1 1 x y 0=0 1=2"],
        ["Crop y 1 1 x y -23309=1,0 -23310=1,4 -23311=1,0"],
        ["Crop y 1 1 x y 1=1 3=8 4=5"],
        [HEADS, "LayerNorm y 1 1 r y 0=8 1=1e-5 2=0"],
        [HEADS, "Squeeze y 1 1 r y 2=1"],
        ["Convolution1D y 1 1 x y 0=6 1=3 4=1 6=108"],
    ],
)
def test_steps_combined(layers: list[str]) -> None:
    with pytest.raises(PassFailedException, match="may combine steps"):
        axis_of(ROWS, *layers)


def test_slices_and_concats() -> None:
    halves = "Slice s 1 2 x a b -23300=2,-233,-233 1={}"
    assert axis_of(ROWS, halves.format(1), "Concat y 2 1 b a y 0=-1") == -2
    for axes in ((0, 0), (1, 0), (-2, -2)):
        layers = halves.format(axes[0]), f"Concat y 2 1 b a y 0={axes[1]}"
        with pytest.raises(PassFailedException, match="may combine steps"):
            axis_of(ROWS, *layers)


def test_blobs_of_unknown_rank() -> None:
    assert axis_of("", "RMSNorm y 1 1 x y 0=8 1=1e-5 2=1") == -2
    assert axis_of("", "Slice s 1 2 x a y -23300=2,4,-233 1=-1") == -2
    for layer in (
        "LayerNorm y 1 1 x y 0=8 1=1e-5 2=0",
        "Slice s 1 2 x a y -23300=2,4,-233 1=1",
        "Permute y 1 1 x y 0=1",
    ):
        with pytest.raises(PassFailedException, match="may combine steps"):
            axis_of("", layer)


def test_axes_of_one_step() -> None:
    with pytest.raises(PassFailedException, match="export the model for more steps"):
        axis_of("0=8 1=1", "Reshape y 1 1 x y 0=8 1=1 2=1")


def test_tokens() -> None:
    assert axis_of("0=6", "Embed y 1 1 x y 0=3 1=9 2=0 3=27") == -2
