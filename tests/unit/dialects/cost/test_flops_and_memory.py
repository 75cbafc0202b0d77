"""FLOPs, bytes and memory: against figures computed by hand."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn.cost import Memory, mat_bytes
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.driver.environment import make_context
from xdsl.parser import Parser

Shape = tuple[int, ...]
LayerOf = Callable[..., LayerOp]

EXAMPLES = sorted((Path(__file__).parents[3] / "filecheck/dialects/ncnn").glob("ops_*.mlir"))
"""IR with every layer type."""


@pytest.mark.parametrize(
    ("line", "inputs", "flops"),
    [
        ("BatchNorm 1 0=4", ((4, 3, 2),), 2 * 24),
        ("Scale 1 0=4 1=1", ((4, 3, 2),), 2 * 24),
        ("Scale 1 0=4", ((4, 3, 2),), 24),
        ("Sigmoid 1", ((4, 3, 2),), 4 * 24),
        ("ELU 1 0=0.1", ((4, 3, 2),), 4 * 24),
        ("BinaryOp 1 0=0", ((4, 3, 2), (4,)), 24),
        ("Eltwise 1 0=1", ((4, 3), (4, 3), (4, 3)), 2 * 12),
        ("Eltwise 1 0=1 -23301=3,1.0,2.0,3.0", ((4, 3), (4, 3), (4, 3)), 5 * 12),
        ("Pooling 1 0=0 1=2 2=2", ((4, 6, 6),), 4 * 9 * 4),
        ("Pooling 1 0=1 4=1", ((4, 6, 6),), 4 * 36),
        # Windows of 5 in 3: 0-1, 1-3, 3-4, that is 2 + 3 + 2 along each axis.
        ("Pooling 1 0=1 7=1 8=3", ((4, 5, 5),), 4 * 49),
        ("Softmax 1 0=0 1=1", ((4, 3, 2),), 5 * 24),
        ("Reduction 1 0=3 1=1", ((4, 3, 2),), 24),
        ("Interp 1 0=2 1=2.0 2=2.0", ((4, 3, 2),), 7 * 4 * 6 * 4),
        ("Interp 1 0=1 1=2.0 2=2.0", ((4, 3, 2),), 0),
        ("LayerNorm 1 0=2 1=0.001 2=1", ((4, 2),), 8 * 8),
        ("LayerNorm 1 0=2 1=0.001 2=0", ((4, 2),), 6 * 8),
        ("Reshape 1 0=-1", ((4, 3, 2),), 0),
        ("Concat 1 0=0", ((4, 3), (2, 3)), 0),
        ("Dropout 1", ((4, 3),), 0),
        ("Dropout 1 0=0.5", ((4, 3),), 12),
        ("Split 2", ((4, 3),), 0),
        ("Embed 1 0=4 1=10 2=0 3=40", ((3,),), 0),
        ("Embed 1 0=4 1=10 2=1 3=40", ((3,),), 12),
    ],
)
def test_flops_without_macs(
    line: str, inputs: Sequence[Shape], flops: int, layer_of: LayerOf
) -> None:
    op = layer_of(line, *inputs)
    assert (op.macs(), op.flops()) == (0, flops)


def test_what_depends_on_unknown_extents_is_unknown(layer_of: LayerOf) -> None:
    for line in ("Convolution 1 0=4 1=3 6=216", "InnerProduct 1 0=9 1=1 2=540"):
        op = layer_of(line, None)
        assert (op.macs(), op.flops(), op.bytes_read(), op.bytes_written()) == (None,) * 4
    assert layer_of("ReLU 1", None).flops() is None
    assert layer_of("ReLU 1", None).macs() == 0
    assert layer_of("MyLayer 1", (4,)).macs() is None


def test_detection_depends_on_the_data(layer_of: LayerOf) -> None:
    op = layer_of("DetectionOutput 1 0=2", (8,), (4,), (2, 8))
    assert (op.macs(), op.flops()) == (0, None)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_layer_can_say_its_costs(path: Path) -> None:
    module = Parser(make_context(), path.read_text(), str(path)).parse_module()
    layers = [op for op in module.walk() if isinstance(op, LayerOp)]
    assert layers
    for op in layers:
        for figure in (op.macs(), op.flops(), op.bytes_read(), op.bytes_written()):
            assert figure is None or figure >= 0, op.label()
        assert len(op.reused()) == len(op.results)
        assert all(n >= 0 for n in op.weight_sizes().values())


def test_bytes_of_blobs(layer_of: LayerOf) -> None:
    op = layer_of("Convolution 1 0=4 1=3 6=216", (6, 9, 8))
    assert op.bytes_read() == 4 * 6 * 9 * 8
    assert op.bytes_written() == 4 * 4 * 7 * 6
    # Channels of 42 elements have 168 bytes, in memory 176.
    assert mat_bytes(op.results[0]) == 4 * 176
    assert mat_bytes(layer_of("ReLU 1", (3,)).results[0]) == 16
    assert mat_bytes(layer_of("ReLU 1", (3, 3)).results[0]) == 48
    assert mat_bytes(layer_of("ReLU 1", (2, 3, 1, 1)).results[0]) == 32
    quantized = layer_of("Quantize 1 0=1", (6, 9, 8))
    assert (quantized.bytes_read(), quantized.bytes_written()) == (4 * 432, 432)
    requantizing = layer_of("Convolution 1 0=4 1=3 6=216 8=102", (6, 9, 8))
    assert requantizing.bytes_written() == 4 * 7 * 6
    assert mat_bytes(requantizing.results[0]) == 4 * 48
    dequantizing = layer_of("Convolution 1 0=4 1=3 6=216 8=2", (6, 9, 8))
    assert dequantizing.bytes_written() == 4 * 4 * 7 * 6


@pytest.mark.parametrize(
    ("line", "shape", "reused"),
    [
        ("ReLU 1", (4, 3, 2), True),
        ("BinaryOp 1 0=0 1=1 2=1.0", (4, 3, 2), True),
        ("DeepCopy 1", (4, 3, 2), False),
        ("Convolution 1 0=4 1=1 6=16", (4, 3, 2), False),
        ("Reshape 1 0=-1", (4, 4, 2), False),
        ("Reshape 1 0=6 1=1 2=4", (4, 3, 2), True),
        ("Reshape 1 0=6 1=2 2=2", (4, 3, 2), False),
        ("Reshape 1 0=2 1=4 2=4", (32,), False),
        ("Reshape 1 0=8 1=4", (32,), True),
        ("Reshape 1 0=-1", (8, 4), False),
        # 6 elements a channel leave gaps, 8 do not.
        ("Squeeze 1 0=1", (4, 8, 1), True),
        ("Squeeze 1 0=1", (4, 6, 1), False),
        ("ExpandDims 1 -23303=1,0", (3, 3), False),
        ("ExpandDims 1 -23303=1,0", (4, 8), True),
        ("Flatten 1", (32,), True),
        ("Flatten 1", (4, 4, 2), False),
        ("Permute 1 0=0", (4, 3, 2), True),
        ("ShuffleChannel 1 0=1", (4, 3, 2), True),
        ("ShuffleChannel 1 0=2", (4, 3, 2), False),
        ("Permute 1 0=1", (4, 3, 3), False),
        ("Crop 1 -23309=1,0 -23310=1,4 -23311=1,0", (4, 3, 2), True),
        ("Crop 1 -23309=1,0 -23310=1,2 -23311=1,0", (4, 3, 2), False),
        ("Interp 1 0=2 3=3 4=2", (4, 3, 2), True),
        ("Pooling 1 0=1 7=1 8=-233", (4, 3, 2), True),
        ("Pooling 1 0=0 1=1 2=1", (4, 3, 2), False),
    ],
)
def test_whose_memory_the_output_is(
    line: str, shape: Shape, reused: bool, layer_of: LayerOf
) -> None:
    op = layer_of(line, shape)
    assert op.reused() == [op.operands[0] if reused else None]
    in_place = op.memory() is Memory.IN_PLACE
    assert (op.bytes_written() == 0) == (reused and not in_place)


@pytest.mark.parametrize(
    ("line", "inputs", "sizes"),
    [
        ("Convolution 1 0=4 1=3 5=1 6=216", [(6, 9, 8)], {"weight": 216, "bias": 4}),
        ("Convolution 1 0=4 1=3 5=1 19=1", [(6, 9, 8), (4, 6, 3, 3), (4,)], {}),
        # Rows of 70 integers of 6 bits, two blocks of 64 each.
        (
            "Gemm 1 3=1 5=1 8=9 9=70 18=601",
            [(4, 70)],
            {"B": 630, "B_quantize_scales": 18},
        ),
        # Four matrices of 4 bits an element, of which two are as wide as the key and the value.
        (
            "MultiHeadAttention 1 0=8 1=2 2=64 3=6 4=10 18=400",
            [(5, 8), (5, 6), (5, 10)],
            {
                **{"q_weight": 64, "k_weight": 48, "v_weight": 80, "out_weight": 64},
                **{f"{name}_bias": 8 for name in ("q", "k", "v", "out")},
                **{f"{name}_weight_quantize_scales": 8 for name in ("q", "k", "v", "out")},
            },
        ),
        # int8 recurrences: a scale for each row of both matrices, 3 or 4 gates times 5 cells.
        (
            "GRU 1 0=5 1=90 2=2 8=2",
            [(7, 3)],
            {
                **{"weight_xc": 90, "bias_c": 40, "weight_hc": 150},
                **{"weight_hc_int8_scales": 30, "weight_xc_int8_scales": 30},
            },
        ),
    ],
)
def test_elements_of_weights(
    line: str, inputs: list[Shape], sizes: dict[str, int], layer_of: LayerOf
) -> None:
    assert layer_of(line, *inputs).weight_sizes() == sizes


def test_a_dynamic_weight_is_read_as_a_blob(layer_of: LayerOf) -> None:
    op = layer_of("Convolution 1 0=4 1=3 5=1 19=1", (6, 9, 8), (4, 6, 3, 3), (4,))
    assert op.bytes_read() == 4 * (432 + 216 + 4)


@pytest.mark.parametrize(("mask", "each"), [(0, 6), (1, 7)])
def test_flops_of_sdpa(mask: int, each: int, layer_of: LayerOf) -> None:
    """Scale, softmax and mask of each of 4 heads, 3 rows and 6 keys."""
    masks = [(4, 3, 6)] * mask
    op = layer_of(f"SDPA 1 5={mask}", (4, 3, 8), (2, 6, 8), (2, 6, 5), *masks)
    assert op.other_flops() == each * 4 * 3 * 6
