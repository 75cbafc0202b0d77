"""What `insert-quantization` does with a model and a table."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.dialects.builtin import TensorType, f32, i8
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.int8 import StaticInt8
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import find_layer
from ...dialects.ncnn.weights import make_weight
from ...dialects.shapes.analysis import Shapes
from ...formats.errors import FormatError
from ...formats.scale_table import ScaleTable
from ...interpreters.ncnn.int8 import to_int8
from ..rewriting.remarks import remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

NAME = "insert-quantization"
KEPT = "it is to be kept"
"""Why a layer stays float that somebody has named."""
NO_STATIC_INT8 = "such a layer has no static int8"
"""Why one stays as it is that a table has scales for."""


def quantize(func: FuncOp, table: ScaleTable, path: str, keep: Collection[str] = ()) -> None:
    """Makes the layers int8 that a table has scales for, but those to keep. Raises `FormatError`
    for a table that is not one of this model, before anything is changed, and
    `PassFailedException`."""
    for name in keep:
        find_layer(func, name)
    layers = {name: _find(func, name, table, path) for name in table.layers()}
    for name, op in layers.items():
        if isinstance(op, StaticInt8):
            _check_counts(op, name, table, path)
            if op.int8_term() and name not in keep:
                raise PassFailedException(f"{op.label()} is int8 already")
    shapes = Shapes()
    for op in [op for op in func.body.block.ops if isinstance(op, StaticInt8)]:
        name = "" if op.layer_name is None else op.layer_name.data
        if (why := _refusal(op, name, table, keep, shapes)) is not None:
            remark(NAME, op.label(), note=f"stays float: {why}")
            continue
        _quantize(op, table.weights[name, 0], table.blobs[name][0])
        shapes.changed(op)
    for op in layers.values():
        if not isinstance(op, StaticInt8):
            remark(NAME, op.label(), note=f"stays as it is: {NO_STATIC_INT8}")


def _find(func: FuncOp, name: str, table: ScaleTable, path: str) -> LayerOp:
    try:
        op = find_layer(func, name)
    except PassFailedException as e:
        raise FormatError(path, f"the table is of another model: {e}", table.lines.get(name)) from e
    if not isinstance(op, LayerOp):
        message = f"the table is of another model: '{name}' is an input here"
        raise FormatError(path, message, table.lines.get(name))
    return op


def _check_counts(op: StaticInt8, name: str, table: ScaleTable, path: str) -> None:
    """Raises `FormatError` for other numbers of scales than the layer has."""
    wanted, line = op.weight_scale_count(), table.lines.get(name)
    weight, blob = table.weights.get((name, 0)), table.blobs.get(name)
    if weight is None:
        raise FormatError(path, f"there are no scales of the weight, '{name}_param_0'", line)
    if len(weight) != wanted:
        message = f"{len(weight)} scales of the weight of {op.label()}, which has {wanted}"
        raise FormatError(path, message, line)
    if blob is not None and len(set(blob)) != 1:
        message = f"{len(blob)} scales of the input of {op.label()}, which takes one"
        raise FormatError(path, message, line)


def _refusal(
    op: StaticInt8, name: str, table: ScaleTable, keep: Collection[str], shapes: Shapes
) -> str | None:
    """Why a layer stays float; `None` if it need not."""
    if name in keep:
        return KEPT
    if name not in table.blobs:
        return "the table has no scale for its input"
    if np.isinf(table.blobs[name][0]):
        return "its input was always 0 when the scales were taken"
    if (why := op.int8_refusal(shapes)) is not None:
        return why
    if len(table.weights[name, 0]) != op.weight_scale_count():
        return "another layer has its name"
    scales = _finite_scales(op, table.weights[name, 0])
    with np.errstate(all="ignore"):
        products = scales * np.float32(table.blobs[name][0])
        factors = np.float32(1) / products
    held = np.isfinite(products) & (factors >= np.finfo("f4").tiny) & np.isfinite(factors)
    if not held.all():
        return f"a float32 does not hold 1 / (the scales of channel {int(held.argmin())})"
    return None


def _finite_scales(op: StaticInt8, scales: Sequence[float]) -> "Array":
    """The scales of the weight, 1 for slices that are all 0."""
    rows = weight_rows(op)
    if not np.isfinite(rows).all():
        raise PassFailedException(f"{op.label()}: its weight is not finite")
    with np.errstate(over="ignore"):
        found = np.asarray(scales, "f4")
    empty = ~rows.any(1)
    infinite = np.flatnonzero(~np.isfinite(found) & ~empty)
    if infinite.size:
        raise PassFailedException(
            f"{op.label()}: the scale of channel {infinite[0]} is infinite, its weights are not 0"
        )
    return np.where(empty, np.float32(1), found)


def weight_rows(op: StaticInt8) -> "Array":
    """The weight in float32, a row for each scale. Raises `PassFailedException` if it has no
    values."""
    constant = attached_constant(op.weight)
    assert constant is not None
    if not constant.has_values():
        raise PassFailedException(f"{op.label()}: its weight has no values")
    values: Array = constant.read()
    return values.astype("f4").reshape(op.weight_scale_count(), -1)


def _quantize(op: StaticInt8, weight_scales: Sequence[float], input_scale: float) -> None:
    rows, old = weight_rows(op), op.weight
    scales = _finite_scales(op, weight_scales)
    if empty := int((~rows.any(1)).sum()):
        channels = "channel has" if empty == 1 else "channels have"
        remark(NAME, op.label(), note=f"{empty} {channels} weights of 0 only: scale 1")
    shape = cast(TensorType[Any], old.type).get_shape()
    with np.errstate(over="ignore"):
        rounded = to_int8(rows * scales[:, None]).reshape(shape)
    op.set_params(int8_scale_term=op.INT8_TERM)
    op.set_weights(
        weight=_constant(op, rounded, TensorType(i8, shape), old.name_hint),
        weight_int8_scales=_scales(op, scales, "weight_int8_scales"),
        bottom_int8_scales=_scales(op, np.array([input_scale]), "bottom_int8_scales"),
    )
    owner = old.owner
    if isinstance(owner, ConstantOp) and old.first_use is None:
        Rewriter.erase_op(owner)
    remark(NAME, op.label(), note=f"int8, the input times {input_scale:.6g}")


def _scales(op: StaticInt8, values: "Array", slot: str) -> SSAValue:
    own = op.results[0].name_hint
    hint = None if own is None else f"{own}_{slot}"
    return _constant(op, values, TensorType(f32, [len(values)]), hint)


def _constant(
    op: StaticInt8, values: "Array", type_: TensorType[Any], hint: str | None
) -> SSAValue:
    constant = ConstantOp.of(make_weight(values, type_), type_)
    constant.output.name_hint = hint
    Rewriter.insert_op(constant, InsertPoint.before(op))
    return constant.output
