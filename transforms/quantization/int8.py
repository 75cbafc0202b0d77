"""Static int8: the rules by which a layer with scales of a table becomes int8."""

from collections.abc import Collection, Sequence
from typing import cast

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.int8 import StaticInt8
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import find_layer
from ...dialects.shapes.analysis import Shapes
from ...formats.errors import FormatError
from ...formats.scale_table import ScaleTable
from ...interpreters.ncnn.int8 import to_int8
from .layer_weights import Array, replace_weights
from .records import LayerDecision, record

NAME = "insert-quantization"


def quantize_static(
    func: FuncOp, table: ScaleTable, path: str, keep: Collection[str] = ()
) -> list[LayerDecision]:
    """Make the layers int8 that a table has scales for, except those in `keep`.

    `path` is the table's name in messages. Raises `FormatError` for a table of another model,
    before anything changes, and `PassFailedException`."""
    for name in keep:
        find_layer(func, name)
    layers = {name: _find(func, name, table, path) for name in table.layers()}
    for name, op in layers.items():
        if isinstance(op, StaticInt8):
            _check_counts(op, name, table, path)
            if op.int8_term() and name not in keep:
                raise PassFailedException(f"{op.label()} is int8 already")
    shapes, records = Shapes(), list[LayerDecision]()
    for op in [op for op in func.body.block.ops if isinstance(op, StaticInt8)]:
        name = "" if op.layer_name is None else op.layer_name.data
        if name in keep:
            note = "stays float: it is to be kept"
            records.append(record(NAME, op.label(), "excluded", note))
        elif (why := _refusal(op, name, table, shapes)) is not None:
            records.append(record(NAME, op.label(), "refused", f"stays float: {why}"))
        else:
            records += _quantize(op, table.weights[name, 0], table.blobs[name][0])
            shapes.changed(op)
    for op in layers.values():
        if not isinstance(op, StaticInt8):
            note = "stays as it is: such a layer has no static int8"
            records.append(record(NAME, op.label(), "deferred", note))
    return records


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
    """Raises `FormatError` if the layer needs another number of scales."""
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


def _refusal(op: StaticInt8, name: str, table: ScaleTable, shapes: Shapes) -> str | None:
    """Return the reason why a layer must stay float, `None` if it need not."""
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


def _finite_scales(op: StaticInt8, scales: Sequence[float]) -> Array:
    """Return the scales of the weight, 1 for slices of zeros. Raises `PassFailedException` for
    weights and scales that are not finite."""
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


def weight_rows(op: StaticInt8) -> Array:
    """Return the weight in float32, a row for each scale. Raises `PassFailedException` for a weight
    without values."""
    constant = attached_constant(op.weight)
    assert constant is not None
    if not constant.has_values():
        raise PassFailedException(f"{op.label()}: its weight has no values")
    values: Array = constant.read()
    return values.astype("f4").reshape(op.weight_scale_count(), -1)


def _quantize(
    op: StaticInt8, weight_scales: Sequence[float], input_scale: float
) -> list[LayerDecision]:
    """Make a layer int8."""
    rows, records = weight_rows(op), list[LayerDecision]()
    scales = _finite_scales(op, weight_scales)
    if empty := int((~rows.any(1)).sum()):
        channels = "channel has" if empty == 1 else "channels have"
        note = f"{empty} {channels} weights of 0 only: scale 1"
        records.append(record(NAME, op.label(), "zero channels", note))
    shape = cast(TensorType[Attribute], op.weight.type).get_shape()
    with np.errstate(over="ignore"):
        integers = to_int8(rows * scales[:, None]).reshape(shape)
    own = op.results[0].name_hint
    weights = {
        "weight": integers,
        "weight_int8_scales": scales,
        "bottom_int8_scales": np.array([input_scale]),
    }
    hints = {name: None if own is None else f"{own}_{name}" for name in weights}
    hints["weight"] = op.weight.name_hint
    replace_weights(op, weights, {"int8_scale_term": op.INT8_TERM}, hints)
    note = f"int8, the input times {input_scale:.6g}"
    return [*records, record(NAME, op.label(), "quantized", note)]
