"""Models with smaller extents, and with simpler parameters and weights."""

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import Float16Type, Float32Type, ModuleOp, TensorType
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter

from ...dialects.ncnn.blob import blob, static_shape_of
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.lookup import model_of
from ...dialects.ncnn.params import Param, encode
from ...dialects.ncnn.weights import make_weight
from ..edits.joining import infer_types
from ..edits.naming import file_layers

SMALLEST = (1, 2, 3, 4)
"""The extents that are tried first."""

MAX_WEIGHTS = 1 << 20
"""The number of elements up to which weights are simplified."""


def smaller_inputs(module: ModuleOp) -> Iterator[ModuleOp]:
    """Yield models in which one extent of one input is smaller."""
    for arg in model_of(module).body.block.args:
        shape = static_shape_of(arg) or ()
        for axis, extent in enumerate(shape):
            for n in dict.fromkeys([*SMALLEST, extent // 2]):
                if 0 < n < extent:
                    yield _with_shape(module, arg.index, (*shape[:axis], n, *shape[axis + 1 :]))


def _with_shape(module: ModuleOp, index: int, shape: tuple[int, ...]) -> ModuleOp:
    copy = module.clone()
    func = model_of(copy)
    arg = func.body.block.args[index]
    Rewriter.replace_value_with_new_type(arg, blob(shape))
    infer_types(func)
    return copy


def default_parameters(module: ModuleOp) -> Iterator[ModuleOp]:
    """Yield models in which one parameter of one layer has its default value."""
    for i, op in enumerate(file_layers(model_of(module))):
        for name, param in type(op).PARAMS.items():
            attr = op.properties.get(name)
            if not isinstance(param, Param) or attr is None:
                continue
            default = encode(param.kind, param.default_for(op))
            if attr == default:
                continue
            copy = module.clone()
            func = model_of(copy)
            changed = file_layers(func)[i]
            changed.properties[name] = default
            changed.verify_parts()
            infer_types(func)
            yield copy


def simpler_weights(module: ModuleOp) -> Iterator[ModuleOp]:
    """Yield models in which all weights, or the weights of one layer, are zeros or integers."""
    ops = list(model_of(module).body.block.ops)
    places = [i for i, op in enumerate(ops) if _is_plain(op)]
    for chosen in dict.fromkeys([tuple(places), *((i,) for i in places)]):
        for form in ("zeros", "whole"):
            copy = module.clone()
            copies = list(model_of(copy).body.block.ops)
            changed = [_simplify(cast(ConstantOp, copies[i]), form) for i in chosen]
            if any(changed):
                yield copy


def _is_plain(op: object) -> bool:
    """Whether an operation is a float weight of moderate size with values."""
    if not isinstance(op, ConstantOp) or not op.has_values():
        return False
    type_ = cast(TensorType[Attribute], op.output.type)
    size = int(np.prod(type_.get_shape()))
    return isinstance(type_.element_type, Float32Type | Float16Type) and size <= MAX_WEIGHTS


def _simplify(constant: ConstantOp, form: str) -> bool:
    """Replace the values of a weight. Return whether it changed."""
    old: Any = constant.read()
    new = np.zeros_like(old) if form == "zeros" else np.rint(old * 4)
    if np.array_equal(new, old):
        return False
    if form == "whole" and np.array_equal(np.rint(old), old):
        return False
    constant.value = make_weight(new, cast(TensorType[Any], constant.output.type))
    return True
