"""The way to linalg, without IREE."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from linalg_values import results_of
from ncnn_opt.analysis.shape_inference import set_input_shapes
from ncnn_opt.conversion.to_linalg.dispatch_barriers import separate_int8, separate_pads
from ncnn_opt.conversion.to_linalg.forms import FORM_ATTRIBUTE
from ncnn_opt.dialects.iree import ComputeBarrierStartOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.environment import make_context
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.iree_compile import find_compiler
from ncnn_opt.native.loaded_program import Loaded
from ncnn_opt.native.lowering import Port, lower
from ncnn_opt.native.options import CompileOptions
from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr
from xdsl.parser import Parser

import ncnn_opt


def module_of(folder: Path, *lines: str) -> Any:
    blobs = sum(int(line.split()[3]) for line in lines)
    path = folder / "net.param"
    path.write_text("\n".join(["7767517", f"{len(lines)} {blobs}", *lines, ""]))
    return ncnn_opt.load(path, weights="random").module


def test_a_model_says_what_goes_in_and_out(tmp_path: Path) -> None:
    module = module_of(tmp_path, "Input in 0 1 data 0=5 1=4", "Softmax s 1 1 data out 0=0")
    lowered = lower(module, CompileOptions())
    assert lowered.inputs == (Port("data", "<f4", (4, 5)),)
    assert lowered.results == (Port("out", "<f4", (4, 5)),)
    assert (lowered.outputs, lowered.tail, lowered.parameters()) == (("out",), None, [])
    assert not lowered.has_int8()


def test_an_input_without_a_shape_is_an_error(tmp_path: Path) -> None:
    module = module_of(tmp_path, "Input in 0 1 data", "ReLU r 1 1 data out")
    with pytest.raises(NativeError, match=r"of input 'data' is not known; .*--input-shape data="):
        lower(module, CompileOptions())


def test_a_shape_that_weights_contradict_is_an_error(tmp_path: Path) -> None:
    lines = ("Input in 0 1 data 0=3 1=8 2=8", "Convolution c 1 1 data out 0=2 1=1 6=6")
    with pytest.raises(NativeError) as caught:
        lower(module_of(tmp_path, *lines), CompileOptions())
    assert str(caught.value) == (
        "Convolution 'c' takes 3,?,? or 3 by its weights, and gets 8,8,3; "
        "try --input-shape data=3,8,8"
    )


INT8 = (
    "Input in 0 1 data 0=6 1=5 2=8",
    "Split s 1 2 data x0 x1",
    "Convolution a 1 1 x0 a 0=4 1=1 6=32 8=102 9=1",
    "Convolution b 1 1 a b 0=8 1=3 4=1 6=288 8=2",
    "BinaryOp sum 2 1 x1 b sum 0=0",
    "Split t 1 2 sum t0 t1",
    "Convolution c 1 1 t0 c 0=4 1=1 6=32 8=2",
    "ReLU r 1 1 t1 y",
)
"""A bottleneck of int8 convolutions."""


def barriers(module: Any) -> list[str]:
    """Return the types of the values behind barriers."""
    return [str(op.result.type) for op in module.walk() if isinstance(op, ComputeBarrierStartOp)]


def test_int8_kernels_are_separate(tmp_path: Path) -> None:
    """A barrier is behind each rounding, and behind the sum, which is rounded and read again. There
    is none behind the input of the model, and none behind the sums of `b`, which nothing rounds."""
    lowered = lower(module_of(tmp_path, *INT8), CompileOptions())
    assert barriers(lowered.module) == [
        "tensor<8x5x6xi8>",
        "tensor<5x6x4xi8>",
        "tensor<5x6x8xf32>",
        "tensor<5x6x8xi8>",
    ]


def test_a_sum_that_is_only_rounded_has_no_barrier(tmp_path: Path) -> None:
    lines = [line for line in INT8 if not line.startswith(("Split t", "ReLU"))]
    lowered = lower(
        module_of(tmp_path, *(each.replace(" t0 ", " sum ") for each in lines)), CompileOptions()
    )
    assert [each for each in barriers(lowered.module) if each.endswith("f32>")] == []


@pytest.mark.parametrize(
    ("reader", "expected"),
    [("LRN n 1 1 a y", ["tensor<5x6x4xf32>"]), ("Pooling p 1 1 a y 4=1", [])],
)
def test_sums_with_two_readers_are_separate(
    reader: str, expected: list[str], tmp_path: Path
) -> None:
    """LRN reads its input twice: as it is, and with a border of channels."""
    lines = (INT8[0], "Convolution a 1 1 data a 0=4 1=1 6=32 8=2 9=1", reader)
    found = barriers(lower(module_of(tmp_path, *lines), CompileOptions()).module)
    assert [each for each in found if each.endswith("f32>")] == expected


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("winograd2", ["tensor<4x3x8x8xi16>"]),
        ("winograd4", ["tensor<6x2x10x8xi16>"]),
        ("columns", []),
    ],
)
def test_halves_of_a_transform_are_separate(form: str, expected: list[str], tmp_path: Path) -> None:
    """The transform of the kernel has no barrier: it is computed once, at loading."""
    lines = (INT8[0], "Convolution a 1 1 data y 0=4 1=3 4=1 5=1 6=288 8=2")
    module = module_of(tmp_path, *lines)
    for op in module.walk():
        if op.name == "ncnn.convolution":
            op.attributes[FORM_ATTRIBUTE] = StringAttr(form)
    found = barriers(lower(module, CompileOptions()).module)
    assert [each for each in found if each.endswith("i16>")] == expected


@pytest.mark.parametrize(
    "options",
    [CompileOptions().for_upstream(), CompileOptions("cuda")],
    ids=["other compilers", "a GPU"],
)
def test_only_code_of_iree_for_a_cpu_has_barriers(options: CompileOptions, tmp_path: Path) -> None:
    assert barriers(lower(module_of(tmp_path, *INT8), options).module) == []


def test_float_kernels_are_not_separate(tmp_path: Path) -> None:
    lines = (each.replace(" 8=102", "").replace(" 8=2", "") for each in INT8)
    assert barriers(lower(module_of(tmp_path, *lines), CompileOptions()).module) == []


@pytest.mark.parametrize(
    ("channels", "layer", "expected"),
    [
        (1024, "Pooling p 1 1 data y 1=3", ["tensor<3x3x1024xf32>"]),
        (512, "Pooling p 1 1 data y 1=3", []),
        (1024, "ReLU r 1 1 data y 0=0.5", []),  # reads no slices
    ],
)
def test_kernels_of_slices_whose_pixels_share_sets_of_a_cache_are_separate(
    channels: int, layer: str, expected: list[str], tmp_path: Path
) -> None:
    module = module_of(tmp_path, f"Input in 0 1 data 0=5 1=5 2={channels}", layer)
    assert barriers(lower(module, CompileOptions()).module) == expected


def test_kernels_of_slices_of_dynamic_extent_are_not_separate(tmp_path: Path) -> None:
    module = module_of(tmp_path, "Input in 0 1 data 0=8 1=8 2=6", "Pooling p 1 1 data y 1=3")
    set_input_shapes(model_of(module), {"data": (6, 8, DYNAMIC_INDEX)})
    assert barriers(lower(module, CompileOptions()).module) == []


@pytest.mark.parametrize(
    ("cpu", "expected"),
    [
        ("haswell", ["tensor<2x5x4xf32>", "tensor<2x5x5xf32>", *["tensor<5x8xf32>"] * 2]),
        ("znver4", []),
    ],
)
def test_factors_of_several_products_are_separate(
    cpu: str, expected: list[str], tmp_path: Path
) -> None:
    """The scaled queries, the divided probabilities, the keys and the values. The scores and their
    powers have two readers."""
    lines = ("Input in 0 1 data 0=8 1=5", "MultiHeadAttention m 1 1 data y 0=8 1=2 2=64")
    found = barriers(lower(module_of(tmp_path, *lines), CompileOptions(target_cpu=cpu)).module)
    shared = ["tensor<2x5x5xf32>"] * 2
    assert sorted(found) == sorted(shared + expected)


@pytest.mark.parametrize(("cpu", "are_separate"), [("haswell", True), ("znver4", False)])
@pytest.mark.parametrize(
    ("kernel", "factor"), [(2, "tensor<6x2x2x4xf32>"), (1, "tensor<5x12x8xf32>")]
)
def test_factors_behind_reshapes_are_separate(
    cpu: str, are_separate: bool, kernel: int, factor: str, tmp_path: Path
) -> None:
    """The weight of two groups is a blob, so the products have no tiles of registers. The weight of
    windows is transposed; the pixels of a 1x1 convolution are computed."""
    lines = (
        "Input in 0 1 data 0=12 1=5 2=8",
        f"Input w 0 1 weight 0={kernel} 1={kernel} 11=4 2=6",
        "TanH t 1 1 data t",
        f"ConvolutionDepthWise c 2 1 t weight y 0=6 1={kernel} 7=2 19=1",
    )
    found = barriers(lower(module_of(tmp_path, *lines), CompileOptions(target_cpu=cpu)).module)
    assert found == ([factor] if are_separate else [])


@pytest.mark.parametrize(
    ("outputs", "width"), [(16, 12), (12, DYNAMIC_INDEX)], ids=["tiles of their own", "dynamic"]
)
def test_factors_of_groups_are_not_separate(outputs: int, width: int, tmp_path: Path) -> None:
    """Tiles of registers are right, and IREE needs static extents for a barrier."""
    line = f"ConvolutionDepthWise c 1 1 t y 0={outputs} 1=1 6={4 * outputs} 7=2"
    module = module_of(tmp_path, "Input in 0 1 data 0=12 1=5 2=8", "TanH t 1 1 data t", line)
    set_input_shapes(model_of(module), {"data": (8, 5, width)})
    assert barriers(lower(module, CompileOptions(target_cpu="haswell")).module) == []


@pytest.mark.parametrize(
    ("shape", "line"),
    [
        ("0=12 1=5 2=8", "Convolution c 1 1 t y 0=4 1=1 6=32"),
        ("0=12 1=5", "InnerProduct i 1 1 t y 0=4 1=1 2=48"),
    ],
)
def test_a_factor_of_one_product_is_not_separate(shape: str, line: str, tmp_path: Path) -> None:
    lines = (f"Input in 0 1 data {shape}", "TanH t 1 1 data t", line)
    module = module_of(tmp_path, *lines)
    assert barriers(lower(module, CompileOptions(target_cpu="haswell")).module) == []


@pytest.mark.parametrize(
    ("layer", "count"),
    [
        ("Concat c 2 1 a b m", 2),
        ("LRN c 1 1 a m", 2),
        ("Permute c 1 1 a m 0=1", 3),  # of rows and columns: one more transposition
    ],
)
def test_what_is_rounded_has_the_layout_of_the_layer_before(
    layer: str, count: int, tmp_path: Path
) -> None:
    """Only the input and the result of the model are transposed."""
    lines = ["Input in 0 1 data 0=6 1=6 2=8", "Convolution a 1 1 data a 0=8 1=1 6=64"]
    if " b " in layer:
        lines = [lines[0], "Split s 1 2 data d0 d1", "Convolution a 1 1 d0 a 0=8 1=1 6=64"]
        lines.append("Convolution b 1 1 d1 b 0=8 1=1 6=64")
    lines += [layer, f"Convolution z 1 1 m y 0=4 1=1 6={64 if ' b ' in layer else 32} 8=2"]
    options = CompileOptions(target_cpu="znver4")  # weights are not laid out in tiles
    text = str(lower(module_of(tmp_path, *lines), options).module)
    assert text.count("linalg.transpose") == count


@pytest.mark.parametrize(
    ("rows", "more", "tiled"),
    [
        ("", "", False),
        (" 1=1", "", False),
        (" 1=2", "", True),
        (" 1=-233", "", True),
        ("", " 8=2", True),  # int8 products of one row are faster with tiles
    ],
)
def test_products_of_one_row_need_no_tiles(
    rows: str, more: str, tiled: bool, tmp_path: Path
) -> None:
    lines = (
        f"Input in 0 1 data 0=80{'' if rows == ' 1=-233' else rows}",
        f"InnerProduct a 1 1 data a 0=40 1=1 2=3200{more}",
        "ReLU r 1 1 a y",
    )
    module = module_of(tmp_path, *lines)
    if rows == " 1=-233":
        set_input_shapes(model_of(module), {"data": (DYNAMIC_INDEX, 80)})
    assert lower(module, CompileOptions()).may_be_tiled is tiled


def test_the_values_of_a_constant_may_decide_what_is_computed(tmp_path: Path) -> None:
    """A Crop whose box is a constant: offsets, then extents, w first, as int32."""
    lines = (
        "Input in 0 1 data 0=8 1=6",
        "MemoryData m 0 1 box 0=6",
        "Crop c 2 1 data box out 0=-233",
    )
    module_of(tmp_path, *lines)
    (tmp_path / "net.bin").write_bytes(np.array([2, 1, 0, 3, 4, 1], "i4").tobytes())
    lowered = lower(ncnn_opt.load(tmp_path / "net.param").module, CompileOptions(weights="dense"))
    x = np.random.default_rng(1).standard_normal((6, 8)).astype("f4")
    (found,) = results_of(model_of(lowered.module), [x])
    np.testing.assert_array_equal(found, x[1:5, 2:5])


@pytest.mark.parametrize("conv", ["named", "gemm"])
def test_the_powers_of_a_softmax_are_computed_once(conv: str, tmp_path: Path) -> None:
    lines = (
        "Input in 0 1 data 0=8 1=8 2=4",
        "Convolution c 1 1 data x 0=4 1=1 6=16",
        "Softmax s 1 1 x out 0=0",
    )
    lowered = lower(module_of(tmp_path, *lines), CompileOptions(conv=conv))
    assert str(lowered.module).count("math.exp") == 1


def test_a_layer_without_a_native_form_is_named(tmp_path: Path) -> None:
    lines = ("Input in 0 1 data 0=5 1=4", "ReLU r 1 1 data x", "MyLayer my 1 1 x out")
    with pytest.raises(NativeError, match=r"MyLayer 'my' has no native form: \S"):
        lower(module_of(tmp_path, *lines), CompileOptions())


@pytest.mark.parametrize(
    ("layer", "form", "message"),
    [
        (
            "Convolution c 1 1 data out 0=2 1=1 6=6",
            "winograd4",
            "fused.conv 'c' has no native form: form 'winograd4' does not apply; "
            "use one of conv1x1_nhwc, conv1x1_gemm",
        ),
        (
            "ReLU r 1 1 data out",
            "conv1x1_gemm",
            "fused.elementwise 'r' has no native form: form 'conv1x1_gemm' is for a convolution",
        ),
    ],
)
def test_a_form_that_a_layer_cannot_have_is_an_error(
    layer: str, form: str, message: str, tmp_path: Path
) -> None:
    module = module_of(tmp_path, "Input in 0 1 data 0=8 1=8 2=3", layer)
    options = CompileOptions(target_cpu="znver4")  # the cheapest form is named first
    for op in module.walk():
        if op.name in ("ncnn.convolution", "ncnn.relu"):
            op.attributes[FORM_ATTRIBUTE] = StringAttr(form)
    with pytest.raises(NativeError) as caught:
        lower(module, options)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "tpu"}, "target is one of cpu, cuda, vulkan, rocm, metal, not 'tpu'"),
        ({"target": "metal", "target_cpu": "m1"}, "metal does not support a choice of processor"),
        ({"target": "rocm"}, "rocm has no default processor; name one, for example gfx1100"),
        ({"target": "cuda", "target_triple": "x"}, "a triple is for a CPU, not for cuda"),
    ],
)
def test_what_cannot_be_meant_is_an_error(options: dict[str, Any], message: str) -> None:
    with pytest.raises(NativeError) as caught:
        CompileOptions(**options)
    assert str(caught.value) == message


def test_flags_say_the_processor() -> None:
    assert "--iree-llvmcpu-target-cpu=host" in CompileOptions().compiler_flags()
    assert "--iree-llvmcpu-target-cpu=haswell" in CompileOptions("cpu", "haswell").compiler_flags()
    flags = CompileOptions(target_triple="aarch64-linux-gnu").compiler_flags()
    assert "--iree-llvmcpu-target-cpu=generic" in flags
    assert "--iree-llvmcpu-target-triple=aarch64-linux-gnu" in flags
    assert "--iree-rocm-target=gfx1100" in CompileOptions("rocm", "gfx1100").compiler_flags()


def test_without_iree_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> None:
        return None

    monkeypatch.setattr(importlib.util, "find_spec", nothing)
    with pytest.raises(NativeError, match=r"needs IREE.*pip install 'ncnn-opt\[native\]'"):
        find_compiler()
    monkeypatch.setitem(sys.modules, "iree.runtime", None)
    with pytest.raises(NativeError, match=r"needs IREE.*pip install 'ncnn-opt\[native\]'"):
        Loaded(None)  # pyright: ignore[reportArgumentType]


DEPTHWISE = "ConvolutionDepthWise d 1 1 data a 0=6 1=3 4=1 6=54 7=6"


@pytest.mark.parametrize(
    ("after", "cpu", "shape", "expected"),
    [
        ("Pooling p 1 1 a y 0=1 4=1", "znver4", (6, 8, 8), []),
        # A border that slices read is separate.
        ("Pooling p 1 1 a y 1=3 3=1", "znver4", (6, 8, 8), ["tensor<10x10x6xf32>"]),
        # Without masks, nothing is separate, and IREE fuses no border.
        ("Pooling p 1 1 a y 1=3 3=1", "haswell", (6, 8, 8), None),
        # Borders of dynamic extents are not fused.
        ("Pooling p 1 1 a y 0=1 4=1", "znver4", (6, DYNAMIC_INDEX, 8), None),
    ],
)
def test_borders_of_depthwise_windows_are_fused(
    after: str, cpu: str, shape: tuple[int, ...], expected: list[str] | None, tmp_path: Path
) -> None:
    module = module_of(tmp_path, "Input in 0 1 data 0=8 1=8 2=6", DEPTHWISE, after)
    set_input_shapes(model_of(module), {"data": shape})
    lowered = lower(module, CompileOptions(target_cpu=cpu))
    assert lowered.fuses_pads is (expected is not None)
    assert barriers(lowered.module) == (expected or [])


@pytest.mark.parametrize(("height", "width"), [(1, 8), (8, 1)])
def test_borders_around_one_row_are_not_fused(height: int, width: int, tmp_path: Path) -> None:
    """IREE does not compile that."""
    lines = (f"Input in 0 1 data 0={width} 1={height} 2=6", DEPTHWISE)
    lowered = lower(module_of(tmp_path, *lines), CompileOptions(target_cpu="znver4"))
    assert not lowered.fuses_pads
    assert barriers(lowered.module) == []


@pytest.mark.parametrize(("style", "is_fused"), [("named", False), ("gemm", True)])
def test_a_border_of_the_innermost_axis_is_not_fused(
    style: str, is_fused: bool, tmp_path: Path
) -> None:
    """IREE never ends compiling some windows over such a border. (In the channels-last form, the
    innermost axis has none.)"""
    module_of(tmp_path, "Input in 0 1 data 0=8 1=8 2=6", DEPTHWISE)
    model = ncnn_opt.load(tmp_path / "net.param", weights="random")
    passes = ["convert-ncnn-to-fused", f"convert-fused-to-linalg{{conv={style}}}"]
    ncnn_opt.optimize(model, passes)
    assert separate_pads(model_of(model.module)) is is_fused
    assert len(barriers(model.module)) == 0


def test_without_depthwise_windows_no_border_is_fused(tmp_path: Path) -> None:
    lines = ("Input in 0 1 data 0=8 1=8 2=6", "Pooling p 1 1 data y 1=3 3=1")
    lowered = lower(module_of(tmp_path, *lines), CompileOptions(target_cpu="znver4"))
    assert not lowered.fuses_pads
    assert barriers(lowered.module) == []


def test_a_border_with_two_readers_is_separate(tmp_path: Path) -> None:
    """A Padding that a pool reads, too, is computed once."""
    lines = (
        "Input in 0 1 data 0=8 1=8 2=6",
        "Padding pad 1 1 data p 0=1 1=1 2=1 3=1",
        "Split s 1 2 p p0 p1",
        "ConvolutionDepthWise d 1 1 p0 a 0=6 1=3 6=54 7=6",
        "Pooling m 1 1 p1 b 1=3 5=1",
        "ConvolutionDepthWise e 1 1 a y 0=6 1=3 4=1 6=54 7=6",
    )
    lowered = lower(module_of(tmp_path, *lines), CompileOptions(target_cpu="znver4"))
    assert lowered.fuses_pads
    assert barriers(lowered.module) == ["tensor<10x10x6xf32>"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            # Squeeze and excitation: the Swish is averaged, and scaled.
            ("Swish w 1 1 a b", "Split s 1 2 b b0 b1", "Pooling p 1 1 b0 g 0=1 4=1")
            + ("BinaryOp m 2 1 b1 g y 0=2",),
            ["tensor<8x8x6xf32>"],
        ),
        (("Swish w 1 1 a b", "Pooling p 1 1 b y 0=1 4=1"), []),  # one reader
        (("Swish w 1 1 a b", "Split s 1 2 b b0 b1", "Exp e 1 1 b0 y", "Exp f 1 1 b1 z"), []),
    ],
)
def test_elements_that_are_averaged_and_read_are_separate(
    lines: tuple[str, ...], expected: list[str], tmp_path: Path
) -> None:
    first = ("Input in 0 1 data 0=8 1=8 2=6", "Convolution c 1 1 data a 0=6 1=1 6=36")
    lowered = lower(module_of(tmp_path, *first, *lines), CompileOptions(target_cpu="haswell"))
    assert barriers(lowered.module) == expected


@pytest.mark.parametrize(("result", "op", "count"), [("f32", "sitofp", 1), ("i64", "extsi", 0)])
def test_only_integers_that_become_floats_are_separate(result: str, op: str, count: int) -> None:
    """A kernel that computes floats from i32 is separate from its two readers; one that computes
    other integers is not."""
    tensor, same = f"tensor<8x{result}>", "affine_map<(d0) -> (d0)>"
    kernel = f'linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = ["parallel"]}}'
    reader = f"{kernel} ins(%a : {tensor}) outs(%e : {tensor})"
    body = f"^bb0(%x: {result}, %z: {result}): linalg.yield %x : {result}"
    module = Parser(
        make_context(),
        f"""
        func.func @main(%i: tensor<8xi32>) -> ({tensor}, {tensor}) {{
          %e = tensor.empty() : {tensor}
          %a = {kernel} ins(%i : tensor<8xi32>) outs(%e : {tensor}) {{
          ^bb0(%x: i32, %z: {result}):
            %y = arith.{op} %x : i32 to {result}
            linalg.yield %y : {result}
          }} -> {tensor}
          %b = {reader} {{ {body} }} -> {tensor}
          %c = {reader} {{ {body} }} -> {tensor}
          func.return %b, %c : {tensor}, {tensor}
        }}""",
    ).parse_module()
    separate_int8(model_of(module))
    assert len(barriers(module)) == count
