"""int8 models: making them, and their layers and blobs in integers.

The search, the evaluation and the commands make int8 models in the same way, by `make_int8`.
"""

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
from ..transforms import get_all_passes
from ..transforms.quantization.int8 import quantize_static
from ..transforms.quantization.quantize_weights import QuantizeWeights
from ..transforms.quantization.records import LayerDecision
from ..transforms.quantization.weights.all_layers import quantize_weights
from ..transforms.rewriting.remarks import Remark, listening
from ..transforms.storage.convert_storage import ConvertStorage
from .recipe import FloatStorage


def make_int8(
    module: ModuleOp,
    table: ScaleTable | None,
    keep: Collection[str] = (),
    path: str = "the table",
    static_only: bool = False,
) -> list[LayerDecision]:
    """Make layers int8, except those in `keep`: layers with scales in a table (`path` is its name
    in messages), and layers that need no scale of their input unless `static_only`. Raises
    `FormatError` and `PassFailedException`."""
    records: list[LayerDecision] = []
    if table is not None:
        records += quantize_static(model_of(module), table, path, keep)
    if not static_only:
        records += quantize_weights(module, QuantizeWeights(keep=tuple(keep)))
    with listening(lambda remark: records.append(LayerDecision(remark, "fused"))):
        get_all_passes()["fuse-requantize"]()().apply(Context(), module)
    return records


def store_floats(module: ModuleOp, storage: FloatStorage | None) -> list[LayerDecision]:
    """Store the weights that stay float as `storage`; `None`: as they are."""
    records: list[LayerDecision] = []

    def listener(remark: Remark) -> None:
        records.append(LayerDecision(remark, "refused" if remark.kind == "refused" else "stored"))

    if storage is not None:
        with listening(listener):
            ConvertStorage(storage).apply(Context(), module)
    return records


def quantized(module: ModuleOp, table: ScaleTable, keep: Collection[str]) -> ModuleOp:
    """Return an int8 copy of a model, see `make_int8`."""
    copy = module.clone()
    make_int8(copy, table, keep)
    return copy


def named_layers(module: ModuleOp) -> dict[str, LayerOp]:
    """Return the layers that have a name, by name, in the order of the model."""
    layers = (op for op in model_of(module).body.block.ops if isinstance(op, LayerOp))
    return {op.layer_name.data: op for op in layers if op.layer_name is not None}


def scaled_at_run_time(module: ModuleOp) -> list[str]:
    """Return the names of float layers that can be int8 without a scale of their input."""
    layers = named_layers(module).items()
    return [n for n, op in layers if isinstance(op, DynamicInt8) and op.integers() is None]


def integers_of(module: ModuleOp) -> dict[str, str]:
    """Return the arithmetic of the layers that compute with integers, by name: `int8`, `4 bits`."""
    found: dict[str, str] = {}
    for name, op in named_layers(module).items():
        if isinstance(op, StaticInt8) and op.computes_int8():
            found[name] = "int8"
        elif isinstance(op, DynamicInt8) and (words := op.integers()) is not None:
            found[name] = words
    return found


def scales_of(module: ModuleOp) -> dict[str, float]:
    """Return the scales of int8 blobs, by name: a float is an integer divided by the scale."""
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
