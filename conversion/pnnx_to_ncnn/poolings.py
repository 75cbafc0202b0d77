"""Pooling. The images of a batch are further channels."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from xdsl.ir import SSAValue

from ...dialects.ncnn.extents import ABSENT
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.pooling import Pooling1DOp, Pooling3DOp, PoolingOp
from ...dialects.pnnx.operations import OperatorOp
from .convolutions import AXES, PADS, along
from .lowering import Lowering, OperatorBuilder, Refusal

LAYERS: Mapping[int, type[Any]] = {1: Pooling1DOp, 2: PoolingOp, 3: Pooling3DOp}
KINDS = {"max": 0, "avg": 1}
FULL, VALID = 0, 1
"""The layer's `pad_mode`: with or without a last window that is cut."""


def pooling(kind: str, rank: int) -> Lowering:
    """Return the lowering of pooling with a window."""

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        axes = AXES[rank - 1]
        if op.param("return_indices", False):
            raise Refusal("it returns indices")
        if op.param("divisor_override", None) is not None:
            raise Refusal("'divisor_override' is given")
        if set(b.ints("dilation", rank, 1)) != {1}:
            raise Refusal("it has a dilation")
        kernel = b.ints("kernel_size", rank)
        stride = kernel if op.param("stride", None) in (None, ()) else b.ints("stride", rank)
        params: dict[str, Value] = {"pooling_type": KINDS[kind]}
        params |= along(axes, kernel=kernel, stride=stride)
        for axis, pad in zip(axes, b.ints("padding", rank, 0), strict=True):
            params |= dict.fromkeys(PADS[axis], pad)
        params["pad_mode"] = FULL if op.param("ceil_mode", False) else VALID
        if kind == "avg":
            params["avgpool_count_include_pad"] = int(bool(op.param("count_include_pad", True)))
        return [_layer(op, b, rank, params)]

    return lower


def adaptive(kind: str, rank: int) -> Lowering:
    """Return the lowering of pooling to given extents."""

    def lower(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
        if op.param("return_indices", False):
            raise Refusal("it returns indices")
        sizes = b.outputs[0][-rank:]
        params: dict[str, Value] = {"pooling_type": KINDS[kind]}
        if set(sizes) == {1}:
            shape = b.inputs[0]
            image = (prod(shape[:-rank]), *shape[-rank:])
            x = b.reshape(op.inputs[0], image)
            return b.layer(LAYERS[rank], [x], image[:1], global_pooling=1, **params)
        params["adaptive_pooling"] = 1
        kept = b.inputs[0][-rank:]
        for axis, n, m in zip(AXES[rank - 1], sizes, kept, strict=True):
            params[f"out_{axis}"] = ABSENT if n == m and rank > 1 else n
        return [_layer(op, b, rank, params)]

    return lower


def _layer(op: OperatorOp, b: OperatorBuilder, rank: int, params: Mapping[str, Value]) -> SSAValue:
    shape, out = b.inputs[0], b.outputs[0]
    if len(shape) not in (rank + 1, rank + 2) or out[:-rank] != shape[:-rank]:
        raise Refusal(f"its input has {len(shape)} axes")
    channels = prod(shape[:-rank])
    image, result = (channels, *shape[-rank:]), (channels, *out[-rank:])
    return b.layer(LAYERS[rank], [b.reshape(op.inputs[0], image)], result, **params)[0]


LOWERINGS: Mapping[str, Lowering] = {
    **{
        name: pooling(kind, rank)
        for rank in (1, 2, 3)
        for kind, word in (("max", "Max"), ("avg", "Avg"))
        for name in (f"nn.{word}Pool{rank}d", f"F.{kind}_pool{rank}d")
    },
    **{
        name: adaptive(kind, rank)
        for rank in (1, 2, 3)
        for kind, word in (("max", "Max"), ("avg", "Avg"))
        for name in (f"nn.Adaptive{word}Pool{rank}d", f"F.adaptive_{kind}_pool{rank}d")
    },
}
