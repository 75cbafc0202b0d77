"""The lines in which `ncnn-optimize` tells rewrites. All of ncnnoptimize's steps are in
`tests/filecheck/tools/ncnn_optimize.test`."""

from pathlib import Path

import pytest
from ncnn_opt.driver.optimizer_log import step_of
from ncnn_opt.tools.ncnn_optimize_main import main

ESTIMATES = ("no", "estimated", "mac")
"""How the lines at the end begin."""

STEPS = [
    ("fuse-conv-bn", ["Convolution", "BatchNorm"], "fuse_convolution_batchnorm"),
    ("fuse-conv-bn", ["Deconvolution3D", "BatchNorm"], "fuse_deconvolution3d_batchnorm"),
    ("fuse-convolution-batchnorm", ["Convolution", "BatchNorm"], "fuse_convolution_batchnorm"),
    ("fuse-conv-activation", ["Convolution1D", "ReLU"], "fuse_convolution1d_activation"),
    ("fuse-conv-mul", ["ConvolutionDepthWise", "BinaryOp"], "fuse_convolutiondepthwise_mul"),
    ("fuse-conv-mul", ["Convolution", "Dropout"], "fuse_convolution_dropout"),
    ("fuse-innerproduct-mul", ["InnerProduct", "Dropout"], "fuse_innerproduct_dropout"),
    ("fuse-innerproduct-bn", ["InnerProduct", "BatchNorm"], "fuse_innerproduct_batchnorm"),
    ("fuse-bn-scale", ["BatchNorm", "Scale"], "fuse_batchnorm_scale"),
    ("fuse-affine-linear", ["Convolution", "Scale"], "fuse_affine_linear"),
    ("replace-prelu-with-leaky-relu", ["PReLU"], "replace_prelu_with_leaky_relu"),
    ("eliminate-noop", ["Noop"], "eliminate_noop"),
]


@pytest.mark.parametrize(("rewrite", "types", "step"), STEPS)
def test_step(rewrite: str, types: list[str], step: str) -> None:
    assert step_of(rewrite, types) == step


def model(*lines: str) -> str:
    blobs = sum(int(line.split()[3]) for line in lines)
    return "\n".join(["7767517", f"{len(lines)} {blobs}", *lines, ""])


SPLIT_THAT_IS_NEEDED = model(
    "Input data 0 1 data",
    "Split split 1 2 data a b",
    "AbsVal abs 1 1 a abs",
    "BinaryOp out 2 1 abs b out",
)
SPLIT_FOR_AN_OUTPUT = model(
    "Input data 0 1 data",
    "Exp exp 1 1 data exp",
    "Split split 1 2 exp a out",
    "TanH tanh 1 1 a other",
)
SPLIT_OF_ONE = model(
    "Input in 0 1 data",
    "Split split 1 1 data a",
    "AbsVal abs 1 1 a out",
)
FOLDED_DROPOUT = model(
    "Input data 0 1 data 0=3",
    "InnerProduct fc 1 1 data fc 0=4 2=12",
    "Dropout drop 1 1 fc drop",
    "AbsVal abs 1 1 drop out",
)
DROPOUT_AFTER_AN_ACTIVATION = model(
    "Input data 0 1 data 0=3",
    "InnerProduct fc 1 1 data fc 0=4 2=12",
    "ReLU relu 1 1 fc relu",
    "Dropout drop 1 1 relu drop",
    "TanH tanh 1 1 drop out",
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (SPLIT_THAT_IS_NEEDED, []),
        (SPLIT_FOR_AN_OUTPUT, []),
        (SPLIT_OF_ONE, ["eliminate_split in split"]),
        (FOLDED_DROPOUT, ["fuse_innerproduct_dropout fc drop"]),
        (
            DROPOUT_AFTER_AN_ACTIVATION,
            ["fuse_innerproduct_activation fc relu", "eliminate_dropout fc drop"],
        ),
    ],
)
def test_lines(
    text: str, told: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.param").write_text(text)
    files = [str(tmp_path / name) for name in ("m.param", "out.param", "out.bin")]
    main([files[0], "null", *files[1:], "65536"])
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if line.partition(" ")[0] not in ESTIMATES] == told
