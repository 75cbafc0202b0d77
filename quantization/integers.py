"""Models in int8, as the passes make them that commands run, and what in them computes so."""

from collections.abc import Collection

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.constant import attached_constant
from ..dialects.ncnn.convolution import ConvolutionDepthWiseOp, ConvolutionOp
from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.quantization import DynamicInt8
from ..formats.scale_table import ScaleTable
from ..interpreters.run import blobs_of
from ..transforms.quantization.int8 import quantize
from ..transforms.quantization.quantize_weights import QuantizeWeights


def quantized(module: ModuleOp, table: ScaleTable, keep: Collection[str], path: str) -> ModuleOp:
    """A copy of a model in int8, but for layers to keep: those that a table has scales for, and
    those that need none. Raises what the passes raise."""
    copy = module.clone()
    quantize(model_of(copy), table, path, keep)
    QuantizeWeights(keep=tuple(keep)).apply(Context(), copy)
    fuse_requantize(copy)
    return copy


def fuse_requantize(module: ModuleOp) -> None:
    """Lets int8 layers hand int8 to each other."""
    from ..transforms import get_all_passes

    get_all_passes()["fuse-requantize"]()().apply(Context(), module)


def scaled_by_themselves(module: ModuleOp) -> list[str]:
    """The layers, by name, that need no scale of their input to become int8, and are not."""
    layers = [op for op in model_of(module).body.block.ops if isinstance(op, DynamicInt8)]
    return [
        op.layer_name.data
        for op in layers
        if isinstance(op, LayerOp) and op.layer_name is not None and op.integers() is None
    ]


def integers_of(module: ModuleOp) -> dict[str, str]:
    """The layers that compute with integers, by name: `int8`, `4 bits` and so on."""
    found: dict[str, str] = {}
    for op in model_of(module).body.block.ops:
        if not isinstance(op, LayerOp) or op.layer_name is None:
            continue
        if isinstance(op, StaticInt8) and op.computes_int8():
            found[op.layer_name.data] = "int8"
        elif isinstance(op, DynamicInt8) and (words := op.integers()) is not None:
            found[op.layer_name.data] = words
    return found


def scales_of(module: ModuleOp) -> dict[str, float]:
    """What int8 blobs are divided by to be floats, by name."""
    func = model_of(module)
    scales: dict[str, float] = {}
    for name, value in blobs_of(func).items():
        maker = value.owner
        while isinstance(maker, LayerOp) and maker.keeps_int8():
            maker = maker.operands[0].owner
        if isinstance(maker, ConvolutionOp | ConvolutionDepthWiseOp) and maker.writes_int8():
            constant = attached_constant(maker.top_int8_scales)
            if constant is not None:
                scales[name] = float(constant.read()[0])
    return scales
