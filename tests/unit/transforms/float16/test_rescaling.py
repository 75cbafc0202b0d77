"""Chains of layers through which a scale may pass."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn.lookup import layers_of, model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.transforms.float16_safety.rescaling import chain_from

NORM = "LayerNorm y 1 1 {} y 0=8 1=1.0e-5 2=0"
LEAKY_RELU = 2
SPLIT = "Split s 1 2 x a b"


def readers(folder: Path, lines: Sequence[str], activation: int = 0) -> list[str] | None:
    """The labels of the readers of a chain that begins at an InnerProduct; `None` without one."""
    slope = " -23310=1,0.1" if activation == LEAKY_RELU else ""
    layers = [
        "Input in 0 1 in",
        "Input other 0 1 other",
        f"InnerProduct x 1 1 in x 0=8 1=1 2=64 9={activation}{slope}",
        *lines,
    ]
    blobs = sum(int(line.split()[3]) for line in layers)
    path = folder / "m.param"
    path.write_text("\n".join(["7767517", f"{len(layers)} {blobs}", *layers, ""]))
    return chain_labels(path)


def chain_labels(path: Path) -> list[str] | None:
    """The labels of the readers of the chain of the InnerProduct `x` of a file."""
    func = model_of(read_model(str(path), ReadOptions("random")).module)
    (first,) = [op for op in layers_of(func) if op.label() == "InnerProduct 'x'"]
    found = chain_from(first)
    return None if found is None else sorted(op.label() for op in found.readers)


@pytest.mark.parametrize(
    ("lines", "activation", "expected"),
    [
        ([NORM.format("x")], 0, ["LayerNorm 'y'"]),
        ([NORM.format("x")], 1, ["LayerNorm 'y'"]),
        ([NORM.format("x")], 2, ["LayerNorm 'y'"]),
        ([NORM.format("x")], 4, None),  # a sigmoid is not homogeneous
        (["ReLU r 1 1 x r", NORM.format("r")], 0, ["LayerNorm 'y'"]),
        (["Sigmoid r 1 1 x r", NORM.format("r")], 0, None),
        (["InnerProduct y 1 1 x y 0=4 1=1 2=32"], 0, ["InnerProduct 'y'"]),
        (
            [SPLIT, NORM.format("a"), "InnerProduct z 1 1 b z 0=4 2=32"],
            0,
            ["InnerProduct 'z'", "LayerNorm 'y'"],
        ),
        ([SPLIT, NORM.format("a")], 0, None),  # b is an output
        ([SPLIT, NORM.format("a"), "Sigmoid z 1 1 b z"], 0, None),
        (["BinaryOp r 2 1 x other r", NORM.format("r")], 0, None),
        (["BinaryOp r 2 1 other x r", NORM.format("r")], 0, None),
        (["Concat r 2 1 x other r", NORM.format("r")], 0, None),
        (["Crop r 2 1 other x r", NORM.format("r")], 0, None),  # x is a shape
        (["ReLU y 1 1 x y"], 0, None),
        ([], 0, None),
    ],
)
def test_chains(
    lines: list[str], activation: int, expected: list[str] | None, tmp_path: Path
) -> None:
    assert readers(tmp_path, lines, activation) == expected


@pytest.mark.parametrize(("gamma", "beta"), [("x", "k"), ("k", "x")])
def test_a_blob_that_is_a_weight(gamma: str, beta: str, tmp_path: Path) -> None:
    """In the IR, a layer may compute the gamma of another one, which the scale would change."""
    text = f"""
    func.func @main(%in: tensor<8xf32>, %a: tensor<5x8xf32>) -> tensor<5x8xf32> {{
      %k = ncnn.constant dense<0.5> : tensor<8xf32>
      %w = ncnn.constant dense<0.5> : tensor<8x8xf32>
      %x = ncnn.innerproduct %in weight %w {{name = "x", num_output = 8}}
        : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
      %y = ncnn.layernorm %a gamma %{gamma} beta %{beta} {{name = "y", affine_size = 8}}
        : (tensor<5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<5x8xf32>
      func.return %y : tensor<5x8xf32>
    }}"""
    path = tmp_path / "chain.mlir"
    path.write_text(text)
    assert chain_labels(path) is None
