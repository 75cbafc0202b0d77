"""What patterns on layers have in common: when one layer may take another's place, and how."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.weights import make_weight, read_weight
from ..remarks import remark


def only_producer(value: SSAValue | None, user: LayerOp) -> LayerOp | None:
    """The layer that makes a value for this one use alone, so that it may make something else.

    A second consumer, and a return from the function, are uses too. Layers that the runtime is
    told to treat differently (feature masks), or that have parameters we do not know, stay apart.
    """
    if not isinstance(value, OpResult) or not value.has_one_use():
        return None
    producer = value.op
    if not isinstance(producer, LayerOp) or len(producer.results) != 1:
        return None
    if producer.featmask != user.featmask or producer.extra or user.extra:
        return None
    return producer


def take_over(producer: LayerOp, absorbed: LayerOp, rewriter: PatternRewriter) -> None:
    """Lets a changed producer's result stand for that of the layer it has absorbed: the blob's
    name and type are the absorbed layer's, the layer's name stays."""
    name = producer.layer_name.data if producer.layer_name is not None else None
    set_names(producer, name, names_of(absorbed))
    result, old = producer.results[0], absorbed.results[0]
    if result.type != old.type:
        result = rewriter.replace_value_with_new_type(result, old.type)
    rewriter.replace_all_uses_with(old, result)
    rewriter.erase(absorbed)
    rewriter.notify_op_modified(producer)


def new_weight(
    values: Any,
    like: SSAValue | None,
    before: LayerOp,
    rewriter: PatternRewriter,
    hint: str | None = None,
) -> SSAValue:
    """A constant of these values before an operation, rounded once to the element type of `like`
    (float32 if there is none). Where 16 bits would round values that float32 holds, or make them
    infinite, it becomes float32, with a remark: the weights were rounded once already, and a
    second time is as large an error again."""
    element: Attribute = f32
    values = values.astype("f4", copy=False)
    if like is not None:
        element = cast(TensorType[Attribute], like.type).element_type  # a weight's type
    if element != f32:
        type_ = TensorType(element, values.shape)
        with np.errstate(over="ignore"):
            stored = read_weight(make_weight(values, type_), type_)
        if not np.array_equal(stored.astype("f4"), values):
            remark("storage", before.label(), note=f"{element} would round again, now f32")
            element = f32
    type_ = TensorType(element, values.shape)
    constant = ConstantOp.of(make_weight(values, type_), type_)
    constant.output.name_hint = hint if like is None else like.name_hint
    rewriter.insert(constant, InsertPoint.before(before))
    return constant.output


def scaled(weight: Any, scale: Any) -> Any:
    """`weight[o] * scale[o]` in float64 for each outermost index, rounded once to float32.

    A few rows at a time: all of a large weight in float64 would be twice its size.
    """
    out = np.empty(weight.shape, "f4")
    rows = max(1, (1 << 18) * len(weight) // max(weight.size, 1))
    factors = scale.reshape(-1, *(1,) * (weight.ndim - 1))
    with np.errstate(over="ignore"):  # infinities are looked for afterwards
        for i in range(0, len(weight), rows):
            out[i : i + rows] = weight[i : i + rows].astype("f8") * factors[i : i + rows]
    return out


def all_finite(arrays: Sequence[Any]) -> bool:
    """Whether all values are numbers that float32 holds."""
    limit = np.finfo("f4").max
    return all(bool((np.abs(a) <= limit).all()) for a in arrays)
