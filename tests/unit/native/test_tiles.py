"""Matrix products by weights in tiles of registers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from linalg_values import results_of
from ncnn_opt.analysis.shape_inference import set_input_shapes
from ncnn_opt.conversion.to_linalg.forms import FORM_ATTRIBUTE
from ncnn_opt.conversion.to_linalg.tiles import part_of_thread, vectors_of_tile
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.native.lowering import lower
from ncnn_opt.native.options import CompileOptions
from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr

import ncnn_opt

AVX2 = CompileOptions(target_cpu="haswell", weights="dense")
AVX512 = CompileOptions(target_cpu="znver4", weights="dense")


def module_of(folder: Path, lines: Sequence[str], form: str | None = None) -> Any:
    blobs = sum(int(line.split()[3]) for line in lines)
    path = folder / "net.param"
    path.write_text("\n".join(["7767517", f"{len(lines)} {blobs}", *lines, ""]))
    module = ncnn_opt.load(path, weights="random").module
    for op in module.walk():
        if form is not None and op.name == "ncnn.convolution":
            op.attributes[FORM_ATTRIBUTE] = StringAttr(form)
    return module


def tiled(module: Any) -> list[Any]:
    return [op for op in module.walk() if "compilation_info" in op.attributes]


def readers(module: Any) -> list[Any]:
    """The element-wise kernels that are computed tile by tile with a product."""
    return [op for op in module.walk() if "lowering_config" in op.attributes]


def convolution(outputs: int, inputs: int, kernel: int, more: str = "") -> str:
    weights = outputs * inputs * kernel**2
    return f"Convolution c 1 1 data y 0={outputs} 1={kernel} 5=1 6={weights} {more}"


CASES = {
    "1x1": (("0=6 1=5 2=12", convolution(24, 12, 1, "9=1")), "conv1x1_gemm", 1, 1),
    "a sum over channels": (("0=6 1=5 2=12", convolution(24, 12, 1, "9=1")), "conv1x1_nhwc", 1, 1),
    "outputs that are no whole vectors": (
        ("0=6 1=5 2=12", convolution(20, 12, 1, "9=1")),
        "conv1x1_gemm",
        1,
        0,
    ),
    "columns": (("0=6 1=5 2=4", convolution(8, 4, 3, "4=1 9=2 -23310=1,0.1")), "columns", 1, 1),
    "Winograd's tiles": (("0=6 1=6 2=3", convolution(16, 3, 3, "4=1")), "winograd2", 1, 0),
    "matrices": (("0=10 1=7", "InnerProduct i 1 1 data y 0=16 1=1 2=160"), None, 1, 1),
    "no reader": (("0=10 1=7", "InnerProduct i 1 1 data y 0=16 1=0 2=160"), None, 1, 0),
}


@pytest.mark.parametrize("case", CASES)
def test_products_by_weights_have_tiles(case: str, tmp_path: Path) -> None:
    (shape, layer), form, products, with_reader = CASES[case]
    lines = (f"Input in 0 1 data {shape}", layer)
    lowered = lower(module_of(tmp_path, lines, form), AVX2)
    assert (len(tiled(lowered.module)), len(readers(lowered.module))) == (products, with_reader)
    other = lower(module_of(tmp_path, lines, form), AVX512)
    assert tiled(other.module) == readers(other.module) == []
    extents = [int(each.split("=")[1]) for each in reversed(shape.split())]
    x = np.random.default_rng(1).standard_normal(extents).astype("f4")
    (found,) = results_of(model_of(lowered.module), [x])
    (expected,) = results_of(model_of(other.module), [x])
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


NOT_TILED = {
    "three rows": ("0=10 1=3", "InnerProduct i 1 1 data y 0=16 2=160"),
    "one row": ("0=10", "InnerProduct i 1 1 data y 0=16 2=160"),
    "a product of two blobs": ("0=8 1=8", "Split s 1 2 data a b", "MatMul m 2 1 a b y"),
    "int8": ("0=10 1=7", "InnerProduct i 1 1 data y 0=16 2=160 8=2"),
    "a depthwise window": (
        "0=6 1=6 2=8",
        "ConvolutionDepthWise c 1 1 data y 0=8 1=3 6=72 7=8",
    ),
}


@pytest.mark.parametrize("case", NOT_TILED)
def test_other_products_have_none(case: str, tmp_path: Path) -> None:
    shape, *layers = NOT_TILED[case]
    lines = (f"Input in 0 1 data {shape}", *layers)
    assert tiled(lower(module_of(tmp_path, lines), AVX2).module) == []


@pytest.mark.parametrize(
    ("shape", "layer", "count"),
    [
        ((12, DYNAMIC_INDEX, 6), convolution(24, 12, 1), 1),
        ((12, DYNAMIC_INDEX, DYNAMIC_INDEX), convolution(24, 12, 3), 1),
        ((12, DYNAMIC_INDEX, 6), convolution(20, 12, 1), 0),  # 20 outputs are 2 vectors and a half
        ((DYNAMIC_INDEX, 12), "Gemm c 1 1 data y 2=0 3=1 4=0 5=1 6=1 8=24 9=12 10=-1", 1),
    ],
)
def test_dynamic_rows(shape: tuple[int, ...], layer: str, count: int, tmp_path: Path) -> None:
    """Loops are peeled, and the reader has no tiles."""
    rank = "0=6 1=5 2=12" if len(shape) == 3 else "0=12 1=5"
    lines = (f"Input in 0 1 data {rank}", layer, "TanH t 1 1 y z")
    module = module_of(tmp_path, lines)
    set_input_shapes(model_of(module), {"data": shape})
    found = lower(module, AVX2).module
    assert (len(tiled(found)), len(readers(found))) == (count, 0)
    assert all("enable_loop_peeling" in str(op.attributes) for op in tiled(found))


@pytest.mark.parametrize(
    "options",
    [
        CompileOptions(target_cpu="haswell").for_upstream(),
        CompileOptions("cuda"),
        CompileOptions(target_cpu="znver4"),
    ],
)
def test_only_code_of_iree_for_such_a_processor_has_tiles(
    options: CompileOptions, tmp_path: Path
) -> None:
    lines = ("Input in 0 1 data 0=6 1=5 2=12", convolution(24, 12, 1))
    assert tiled(lower(module_of(tmp_path, lines), options).module) == []


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        # two readers of the sums
        (("Split s 1 2 y a b", "ReLU r 1 1 a u", "TanH t 1 1 b v"), 0),
        # a factor of a row, which no vector of outputs has
        (("MemoryData m 0 1 f 0=6", "BinaryOp b 2 1 y f z 0=2"), 0),
        # another blob of the same shape
        (("MemoryData m 0 1 f 0=6 1=5 2=24", "BinaryOp b 2 1 y f z 0=2"), 1),
        (("MemoryData m 0 1 f 0=1 1=1 2=24", "BinaryOp b 2 1 y f z 0=2"), 1),
        (("Pooling p 1 1 y z 0=1 4=1",), 0),
    ],
)
def test_readers_of_a_product(lines: Sequence[str], count: int, tmp_path: Path) -> None:
    layer = "Convolution c 1 1 data y 0=24 1=1 6=288"
    lowered = lower(
        module_of(tmp_path, ("Input in 0 1 data 0=6 1=5 2=12", layer, *lines), "conv1x1_gemm"), AVX2
    )
    assert (len(tiled(lowered.module)), len(readers(lowered.module))) == (1, count)


def config_of(folder: Path, shape: str, layer: str) -> str:
    (op,) = tiled(lower(module_of(folder, (f"Input in 0 1 data {shape}", layer)), AVX2).module)
    return str(op.attributes["compilation_info"])


def test_the_extents_of_tiles_are_attributes_of_iree(tmp_path: Path) -> None:
    found = config_of(tmp_path, "0=12 1=30", "InnerProduct i 1 1 data y 0=32 2=384")
    assert (
        "lowering_config<distribution = [30, 2, 8, 0], cache_parallel = [30, 2, 8, 0], "
        "vector_common_parallel = [6, 2, 8, 0], vector_reduction = [0, 0, 0, 4]>" in found
    )
    assert "pipeline<DoubleTilingExpert>>" in found


@pytest.mark.parametrize(
    ("rows", "outputs", "inputs", "expected"),
    [
        (31, 32, 12, "enable_loop_peeling"),  # rows that are in no whole tile
        (30, 56, 12, "enable_loop_peeling"),  # seven vectors
        (30, 32, 6, "vector_reduction = [0, 0, 0, 3]"),
        (30, 32, 7, "vector_reduction = [0, 0, 0, 1]"),
        (30, 24, 12, "vector_common_parallel = [4, 3, 8, 0]"),
        (30, 8, 12, "vector_common_parallel = [12, 8, 0]"),
    ],
)
def test_tiles_of_other_extents(
    rows: int, outputs: int, inputs: int, expected: str, tmp_path: Path
) -> None:
    layer = f"InnerProduct i 1 1 data y 0={outputs} 2={outputs * inputs}"
    assert expected in config_of(tmp_path, f"0={inputs} 1={rows}", layer)


@pytest.mark.parametrize(
    ("vectors", "expected"), [(1, 1), (2, 2), (3, 3), (5, 5), (6, 2), (7, 2), (15, 3)]
)
def test_vectors_of_a_tile(vectors: int, expected: int) -> None:
    assert vectors_of_tile(vectors) == expected


@pytest.mark.parametrize(
    ("rows", "vectors", "expected"),
    [
        (49, 64, (49, 8)),
        (49, 55, (49, 11)),  # 5 parts of 11 vectors
        (3136, 3, (392, 3)),
        (3136, 8, (1568, 2)),
        (64, 7, (64, 7)),  # 32 rows would be few
        (97, 7, (97, 7)),  # no number of parts divides the rows
        (96, 7, (48, 7)),
    ],
)
def test_parts_for_threads(rows: int, vectors: int, expected: tuple[int, int]) -> None:
    assert part_of_thread(rows, vectors) == expected
