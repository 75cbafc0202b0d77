"""Random changes of models: one thing of a layer, a shape, a constant, an operand or a result."""

from collections.abc import Callable
from random import Random
from typing import Any, cast

import numpy as np
from ncnn_opt.analysis.shape_inference import infer
from ncnn_opt.dialects.ncnn.blob import blob, shape_of
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.weights import ElidedAttr
from xdsl.dialects.builtin import (
    ModuleOp,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from .changing_graphs import (
    add_operand,
    clone_layer,
    declare_shape,
    exchange_layer,
    insert_layer,
    make_weights_dynamic,
    other_operand,
    other_weight,
    remove_layer,
    remove_name,
    return_more,
    return_other,
    swap_operands,
    use_again,
)
from .changing_values import (
    add_unknown_parameter,
    change_all_inputs,
    change_constant,
    change_input,
    change_outputs,
    change_parameter,
    layers_in,
    make_constant_an_input,
    make_input_a_constant,
    name_constant,
    promise,
    retype,
    set_activation,
    share_constant,
)

Change = Callable[[FuncOp, Random], str]
"""A change of a function; returns its description, or an empty text if there is nothing to
change. May raise `ValueError` or another error if the model allows no such change."""


def mutated(module: ModuleOp, random: Random) -> tuple[str, ModuleOp] | None:
    """Return a valid model with one change and the change's description; `None` if the model
    allows no such change."""
    module = module.clone()
    (func,) = [op for op in module.ops if isinstance(op, FuncOp)]
    (change,) = random.choices(list(CHANGES), list(CHANGES.values()))
    try:
        if not (text := change(func, random)):
            return None
        for op in layers_in(func):
            _fit_weights(op)
        if change is not declare_shape:
            infer_again(func)
        module.verify()
    except Exception:  # the model allows no such change
        return None
    return (text, module) if _is_ordered(func) else None


CHANGES: dict[Change, int] = {
    clone_layer: 4,
    declare_shape: 3,
    remove_name: 1,
    make_weights_dynamic: 1,
    other_weight: 1,
    change_parameter: 10,
    set_activation: 2,
    change_outputs: 2,
    add_unknown_parameter: 1,
    change_input: 5,
    change_all_inputs: 3,
    promise: 1,
    change_constant: 4,
    name_constant: 1,
    make_constant_an_input: 1,
    make_input_a_constant: 1,
    share_constant: 1,
    swap_operands: 2,
    other_operand: 4,
    add_operand: 1,
    return_more: 2,
    return_other: 1,
    use_again: 2,
    insert_layer: 4,
    remove_layer: 2,
    exchange_layer: 2,
}
"""The changes, with weights."""


# -- repairs


def _is_ordered(func: FuncOp) -> bool:
    """Whether each value is defined before its uses."""
    known: set[SSAValue] = set(func.body.block.args)
    for op in func.body.block.ops:
        if not known.issuperset(op.operands):
            return False
        known.update(op.results)
    return True


def _fit_weights(op: LayerOp) -> None:
    """Give the weights of a layer the shapes that its parameters need."""
    if op.weights_are_dynamic():
        return
    weights = op.weight_operands()
    for name, slot in op.weight_slots().items():
        value = weights[name]
        if not slot.when(op):
            if value is not None:
                op.set_weights(**{name: None})
            continue
        shape = slot.shape(op)
        if value is not None and shape_of(value) == shape:
            continue
        owner = None if value is None else value.owner
        if value is not None and not isinstance(owner, ConstantOp):
            continue
        if isinstance(owner, ConstantOp) and owner.has_values():
            element = owner.output.type.element_type
            new = ConstantOp.holding(np.resize(owner.read(), shape), element)
        else:
            new = ConstantOp.of(ElidedAttr(), cast(Any, blob(shape)))
        block = op.parent
        assert block is not None
        block.insert_op_before(new, op)
        op.set_weights(**{name: new.output})


def infer_again(func: FuncOp) -> None:
    """Infer all types from the inputs and constants."""
    for op in list(layers_in(func)):
        if not isinstance(op, ConstantOp):
            for result in list(op.results):
                retype(result, None)
    infer(func, {})
