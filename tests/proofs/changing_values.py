"""Random changes of the numbers of models: parameters, shapes of inputs and constants."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, cast

import numpy as np
from ncnn_opt.dialects.ncnn.blob import blob, shape_of
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.function import add_input
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.params import Param, ParamKind
from ncnn_opt.dialects.ncnn.weights import ElidedAttr
from ncnn_opt.dialects.shapes.analysis import PROMISED
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    Float32Type,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i32,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

MOST_ELEMENTS = 2000
"""Of an input or a constant."""


def layers_in(func: FuncOp) -> list[LayerOp]:
    return [op for op in func.body.block.ops if isinstance(op, LayerOp)]


def retype(value: SSAValue, shape: tuple[int, ...] | None) -> None:
    element = cast(Any, value.type).element_type
    Rewriter.replace_value_with_new_type(value, blob(shape, element))


# -- parameters


def _other_int(value: int, random: Random) -> int:
    near = (value + 1, value - 1, -value, 2 * value, 0, 1, 2, 3, -1, 4)
    return random.choice(near if random.random() < 0.9 else (-233, -234, 6, 31, 100))


def _other_float(value: float, random: Random) -> float:
    near = (0.0, 1.0, -1.0, 0.5, 2 * value, -value, value + 0.25, 6.0, -0.5, 1e-6, -3.0)
    return random.choice(near)


def _other_items(values: Sequence[Any], other: Callable[[Any, Random], Any], random: Random) -> Any:
    found = list(values)
    at = random.randrange(len(found) + 1)
    match random.randrange(4), bool(found):
        case 0, _:
            found.insert(at, random.choice((0, 1, 2, -1)))
        case 1, True:
            del found[min(at, len(found) - 1)]
        case 2, _:
            random.shuffle(found)
        case _, True:
            at = min(at, len(found) - 1)
            found[at] = other(found[at], random)
        case _:
            pass
    return tuple(found)


def _other_text(value: str, random: Random) -> str:
    at = random.randrange(len(value) + 1)
    letters = "0123whdc*+-/(),"
    return f"{value[:at]}{random.choice(letters)}{value[at + random.randrange(2) :]}"


def _other_value(param: Param, value: Any, random: Random) -> Any:
    match param.kind:
        case ParamKind.INT if param.names:
            return random.randrange(len(param.names))
        case ParamKind.INT:
            return _other_int(value, random)
        case ParamKind.FLOAT:
            return _other_float(value, random)
        case ParamKind.INTS:
            return _other_items(value, _other_int, random)
        case ParamKind.FLOATS:
            return _other_items(value, _other_float, random)
        case ParamKind.STR:
            return _other_text(value, random)


def change_parameter(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in layers_in(func) if not isinstance(op, ConstantOp)])
    params = {name: p for name, p in op.PARAMS.items() if isinstance(p, Param)}
    # Parameters that the model sets, more often than others.
    names = [
        *params,
        *(name for name in params if name in op.properties),
        *(name for name in params if name in op.properties),
    ]
    name = random.choice([n for n in names if n != "shape_hints"])
    value = _other_value(params[name], getattr(op, name), random)
    if value == getattr(op, name):
        return ""
    op.set_params(**{name: value})
    return f"{name} = {value}"


def set_activation(func: FuncOp, random: Random) -> str:
    hosts = [op for op in layers_in(func) if "activation_type" in op.PARAMS]
    op = random.choice(hosts)
    type_, params = random.choice(
        [
            (1, ()),
            (2, (0.25,)),
            (2, (-0.5,)),
            (3, (-0.5, 0.5)),
            (3, (0.0, 6.0)),
            (4, ()),
            (6, (0.2, 0.5)),
            (0, ()),
        ]
    )
    op.set_params(activation_type=type_, activation_params=params)
    return f"activation_type = {type_}, activation_params = {params}"


def change_outputs(func: FuncOp, random: Random) -> str:
    """Change the number of outputs or of inputs of a layer with weights."""
    op: Any = random.choice([op for op in layers_in(func) if "weight_data_size" in op.PARAMS])
    old: int = op.num_output
    size: int = op.weight_data_size
    if random.random() < 0.5:
        new = max(1, random.choice((old + 1, old - 1, 2 * old, 1)))
        op.set_params(num_output=new, weight_data_size=size // old * new)
        return f"num_output = {new}"
    new = random.choice((2 * size, size // 2, size // old))
    op.set_params(weight_data_size=new)
    return f"weight_data_size = {new}"


def add_unknown_parameter(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in layers_in(func) if not isinstance(op, ConstantOp)])
    op.extra = DictionaryAttr({"29": IntegerAttr(1, i32)})
    return "an unknown parameter"


# -- shapes of inputs


def change_input(func: FuncOp, random: Random) -> str:
    arg = random.choice(list(func.body.block.args))
    shape = shape_of(arg)
    if shape is None:
        shape = tuple(random.randint(1, 4) for _ in range(random.randint(1, 4)))
    new = _other_shape(shape, random)
    if new is not None and (
        len(new) not in (1, 2, 3, 4) or np.prod(np.maximum(new, 1)) > MOST_ELEMENTS
    ):
        return ""
    retype(arg, new)
    return f"the input has shape {new}"


def _other_shape(shape: tuple[int, ...], random: Random) -> tuple[int, ...] | None:
    axis = random.randrange(len(shape)) if shape else 0
    match random.randrange(8):
        case 0:
            return None
        case 1:
            return (*shape[:axis], DYNAMIC_INDEX, *shape[axis + 1 :])
        case 2:
            return (1, *shape)
        case 3:
            return (*shape, 1)
        case 4:
            return shape[1:]
        case 5:
            return shape[::-1]
        case _:
            n = max(1, random.choice((shape[axis] + 1, shape[axis] - 1, 1, 2 * shape[axis], 2)))
            return (*shape[:axis], n, *shape[axis + 1 :])


def change_all_inputs(func: FuncOp, random: Random) -> str:
    state = random.getrandbits(32)
    new = [
        None if (shape := shape_of(arg)) is None else _other_shape(shape, Random(state))
        for arg in func.body.block.args
    ]
    for arg, shape in zip(list(func.body.block.args), new, strict=True):
        retype(arg, shape)
    return f"the inputs have shapes {new}"


def promise(func: FuncOp, random: Random) -> str:
    attrs = [
        dict(each.data)
        for each in func.arg_attrs or [DictionaryAttr({})] * len(func.body.block.args)
    ]
    for each in attrs:
        if each.pop(PROMISED, None) is None:
            each[PROMISED] = UnitAttr()
    func.arg_attrs = ArrayAttr(map(DictionaryAttr, attrs))
    return "promised shapes"


# -- constants


def change_constant(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in layers_in(func) if isinstance(op, ConstantOp)])
    type_ = op.output.type
    shape = shape_of(op.output) or ()
    if random.random() < 0.4:
        new = _other_shape(shape, random)
        if new is None or not new or min(new) < 1 or np.prod(new) > MOST_ELEMENTS:
            return ""
        values = np.resize(_values(op, random), new)
        text = f"a constant has shape {new}"
    else:
        values = np.array(_values(op, random))
        kinds = ("zeros", "ones", "negative", "equal", "rising", "one other", "halves", "elided")
        match text := random.choice(kinds):
            case "zeros":
                values = values * 0
            case "ones":
                values = values * 0 + 1
            case "negative":
                values = -np.abs(values)
            case "equal":
                values = values * 0 + values.flat[0]
            case "rising":
                values = np.arange(values.size).reshape(shape) + 1.0
            case "one other":
                values.flat[random.randrange(values.size)] += 1
            case "halves":
                values = values / 2
            case _:
                op.value = ElidedAttr()
                return "elided values"
        text = f"a constant has other values: {text}"
    _replace_constant(
        op, values.astype("f4") if isinstance(type_.element_type, Float32Type) else values
    )
    return text


def _values(op: ConstantOp, random: Random) -> Any:
    if op.has_values():
        return op.read()
    return (
        np.random.default_rng(random.getrandbits(32))
        .uniform(-1, 1, shape_of(op.output) or ())
        .astype("f4")
    )


def _replace_constant(op: ConstantOp, values: Any) -> None:
    new = ConstantOp.holding(values, op.output.type.element_type)
    if op.layer_name is not None:
        new.layer_name = op.layer_name
    Rewriter.replace_op(op, new)


def name_constant(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in layers_in(func) if isinstance(op, ConstantOp)])
    if op.layer_name is None:
        op.layer_name = StringAttr("memory")
        return "a weight is a MemoryData layer"
    op.properties.pop("name")
    return "a MemoryData layer has no name"


def make_constant_an_input(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in layers_in(func) if isinstance(op, ConstantOp)])
    arg = add_input(func, op.output.type, "constant")
    op.output.replace_all_uses_with(arg)
    op.detach()
    return "a constant is an input"


def make_input_a_constant(func: FuncOp, random: Random) -> str:
    arg = random.choice(list(func.body.block.args))
    shape = shape_of(arg)
    if shape is None or DYNAMIC_INDEX in shape or np.prod(shape) > MOST_ELEMENTS:
        return ""
    values = np.random.default_rng(random.getrandbits(32)).uniform(-1, 1, shape).astype("f4")
    new = ConstantOp.holding(values)
    new.layer_name = StringAttr("memory")
    func.body.block.insert_op_before(new, cast(Any, func.body.block.first_op))
    arg.replace_all_uses_with(new.output)
    return "an input is a constant"


def share_constant(func: FuncOp, random: Random) -> str:
    constants = [op for op in layers_in(func) if isinstance(op, ConstantOp)]
    a, b = random.sample(constants, 2)
    if shape_of(a.output) != shape_of(b.output):
        return ""
    if a.is_before_in_block(b):
        b.output.replace_all_uses_with(a.output)
        return "two weights are one"
    return ""
