"""Random changes of models: one thing of a layer, a shape, a constant, an operand or a result."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, cast

import numpy as np
from ncnn_opt.analysis.shape_inference import infer
from ncnn_opt.dialects.ncnn.activation import ReLUOp, SigmoidOp
from ncnn_opt.dialects.ncnn.blob import blob, shape_of
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.elementwise import BinaryOpOp
from ncnn_opt.dialects.ncnn.function import add_input, outputs_of, set_outputs
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.params import Kind, Param
from ncnn_opt.dialects.ncnn.reduction import SoftmaxOp
from ncnn_opt.dialects.ncnn.reshaping import FlattenOp, PermuteOp, ReshapeOp
from ncnn_opt.dialects.ncnn.structure import SplitOp
from ncnn_opt.dialects.ncnn.unary import AbsValOp
from ncnn_opt.dialects.ncnn.weights import ElidedAttr
from ncnn_opt.dialects.shapes.analysis import PROMISED
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    Float32Type,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i32,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

MOST_ELEMENTS = 2000
"""Of an input or a constant."""

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
        for op in _layers(func):
            _fit_weights(op)
        if change is not declare_shape:
            _infer_again(func)
        module.verify()
    except Exception:  # the model allows no such change
        return None
    return (text, module) if _is_ordered(func) else None


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
        case Kind.INT if param.names:
            return random.randrange(len(param.names))
        case Kind.INT:
            return _other_int(value, random)
        case Kind.FLOAT:
            return _other_float(value, random)
        case Kind.INTS:
            return _other_items(value, _other_int, random)
        case Kind.FLOATS:
            return _other_items(value, _other_float, random)
        case Kind.STR:
            return _other_text(value, random)


def change_parameter(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in _layers(func) if not isinstance(op, ConstantOp)])
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
    hosts = [op for op in _layers(func) if "activation_type" in op.PARAMS]
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
    op: Any = random.choice([op for op in _layers(func) if "weight_data_size" in op.PARAMS])
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
    op = random.choice([op for op in _layers(func) if not isinstance(op, ConstantOp)])
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
    _retype(arg, new)
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
        _retype(arg, shape)
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
    op = random.choice([op for op in _layers(func) if isinstance(op, ConstantOp)])
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
    op = random.choice([op for op in _layers(func) if isinstance(op, ConstantOp)])
    if op.layer_name is None:
        op.layer_name = StringAttr("memory")
        return "a weight is a MemoryData layer"
    op.properties.pop("name")
    return "a MemoryData layer has no name"


def make_constant_an_input(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in _layers(func) if isinstance(op, ConstantOp)])
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
    constants = [op for op in _layers(func) if isinstance(op, ConstantOp)]
    a, b = random.sample(constants, 2)
    if shape_of(a.output) != shape_of(b.output):
        return ""
    if a.is_before_in_block(b):
        b.output.replace_all_uses_with(a.output)
        return "two weights are one"
    return ""


# -- operands, results and layers


def _values_before(func: FuncOp, op: LayerOp) -> list[SSAValue]:
    found: list[SSAValue] = list(func.body.block.args)
    for each in _layers(func):
        if each is op:
            break
        if not isinstance(each, ConstantOp):
            found.extend(each.results)
    return found


def swap_operands(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in _layers(func) if len(op.data_operands()) > 1])
    n = len(op.data_operands())
    i, j = random.sample(range(n), 2)
    a, b = op.operands[i], op.operands[j]
    op.operands[i], op.operands[j] = b, a
    return "the operands are exchanged"


def other_operand(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in _layers(func) if op.data_operands()])
    i = random.randrange(len(op.data_operands()))
    op.operands[i] = random.choice(_values_before(func, op))
    return "a layer reads another blob"


def add_operand(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in _layers(func) if op.data_operands()])
    data = list(op.data_operands())
    if random.random() < 0.5 and len(data) > 1:
        data.pop(random.randrange(len(data)))
    else:
        data.insert(random.randrange(len(data) + 1), random.choice(_values_before(func, op)))
    from ncnn_opt.dialects.ncnn.operands import arrange_operands

    op.operands, segments = arrange_operands(type(op), data, op.weight_operands())
    op.properties.update(segments)
    return "a layer reads more blobs, or fewer"


def return_more(func: FuncOp, random: Random) -> str:
    values = [
        v
        for op in _layers(func)
        for v in op.results
        if not isinstance(op, ConstantOp) or op.layer_name
    ]
    values = [
        v for v in [*values, *func.body.block.args] if v not in [o for o, _ in outputs_of(func)]
    ]
    set_outputs(func, [*outputs_of(func), (random.choice(values), DictionaryAttr({}))])
    return "the model returns a further blob"


def return_other(func: FuncOp, random: Random) -> str:
    outputs = outputs_of(func)
    i = random.randrange(len(outputs))
    values = [v for op in _layers(func) for v in op.results if not isinstance(op, ConstantOp)]
    outputs[i] = (random.choice(values), outputs[i][1])
    set_outputs(func, outputs)
    return "the model returns another blob"


def use_again(func: FuncOp, random: Random) -> str:
    values = [v for op in _layers(func) for v in op.results if not isinstance(op, ConstantOp)]
    value = random.choice(values)
    new = _named(AbsValOp.make([value], {}, [blob(None)], {}), random)
    func.body.block.insert_op_before(new, cast(Any, func.body.block.last_op))
    set_outputs(func, [*outputs_of(func), (new.results[0], DictionaryAttr({}))])
    return "a second layer reads a blob"


def _new_layer(value: SSAValue, random: Random) -> LayerOp:
    types = [blob(None)]
    match random.randrange(9):
        case 0:
            new = ReLUOp.make([value], {}, types, {})
        case 1:
            new = SigmoidOp.make([value], {}, types, {})
        case 2:
            new = PermuteOp.make([value], {}, types, {})
            new.set_params(order_type=random.randrange(1, 6))
        case 3:
            new = FlattenOp.make([value], {}, types, {})
        case 4:
            new = BinaryOpOp.make([value], {}, types, {})
            new.set_params(
                op_type=random.randrange(4), with_scalar=1, b=random.choice((2.0, 0.5, -1.0))
            )
        case 5:
            new = SoftmaxOp.make([value], {}, types, {})
            new.set_params(axis=random.randrange(3), fixbug0=1)
        case 6:
            new = ReshapeOp.make([value], {}, types, {})
            shape = shape_of(value) or (1, 1)
            if random.random() < 0.5:
                shape = (*shape, 1) if len(shape) < 3 else (shape[0], -1)
            names = {1: "w", 2: "hw", 3: "chw", 4: "cdhw"}[len(shape)]
            new.set_params(**dict(zip(names, shape, strict=True)))
        case 7:
            new = SplitOp.make([value], {}, [blob(None), blob(None)], {})
        case _:
            new = AbsValOp.make([value], {}, types, {})
    return _named(new, random)


def _named(op: LayerOp, random: Random) -> LayerOp:
    """Name a new layer: names of outputs are part of a model."""
    name = f"new{random.randrange(10**6)}"
    op.layer_name = StringAttr(name)
    if len(op.results) > 1:
        op.blob_names = ArrayAttr([StringAttr(f"{name}_{i}") for i in range(len(op.results))])
    return op


def insert_layer(func: FuncOp, random: Random) -> str:
    op = random.choice(
        [*(op for op in _layers(func) if op.data_operands()), func.body.block.last_op]
    )
    assert op is not None
    n = len(op.operands) if isinstance(op, ReturnOp) else len(cast(LayerOp, op).data_operands())
    i = random.randrange(n)
    if isinstance(op.operands[i].owner, ConstantOp):
        return ""
    new = _new_layer(op.operands[i], random)
    func.body.block.insert_op_before(new, op)
    op.operands[i] = new.results[0]
    return f"a {new.LAYER_TYPE} between"


def remove_layer(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in _layers(func) if op.data_operands() and len(op.results) == 1])
    op.results[0].replace_all_uses_with(op.data_operands()[0])
    op.detach()
    return f"the {op.LAYER_TYPE} is missing"


def exchange_layer(func: FuncOp, random: Random) -> str:
    """Another layer of one input in the place of one."""
    op = random.choice([op for op in _layers(func) if op.data_operands() and len(op.results) == 1])
    new = _new_layer(op.data_operands()[0], random)
    func.body.block.insert_op_before(new, op)
    op.results[0].replace_all_uses_with(new.results[0])
    op.detach()
    return f"a {new.LAYER_TYPE} in place of the {op.LAYER_TYPE}"


def clone_layer(func: FuncOp, random: Random) -> str:
    """Apply a copy of a layer to another blob, or to the same one for a reader of its own."""
    ops = [op for op in _layers(func) if op.data_operands() and len(op.results) == 1]
    op, reader = random.choice(ops), random.choice(ops)
    i = random.randrange(len(reader.data_operands()))
    if isinstance(reader.operands[i].owner, ConstantOp):
        return ""
    new = op.clone()
    if random.random() < 0.6:
        new.operands[0] = reader.operands[i]
    _named(new, random)
    for weight in new.weight_operands().values():
        owner = None if weight is None else weight.owner
        if isinstance(owner, ConstantOp) and not owner.is_before_in_block(reader):
            return ""
    func.body.block.insert_op_before(new, reader)
    reader.operands[i] = new.results[0]
    return f"a further {op.LAYER_TYPE}"


def declare_shape(func: FuncOp, random: Random) -> str:
    """Declare extents of a blob that do not follow from the inputs."""
    values = [v for op in _layers(func) for v in op.results if not isinstance(op, ConstantOp)]
    values = [v for v in values if DYNAMIC_INDEX in (shape_of(v) or (DYNAMIC_INDEX,))]
    value = random.choice(values)
    shape = shape_of(value)
    if shape is None:
        shape = (DYNAMIC_INDEX,) * random.randint(1, 4)
    new = tuple(random.choice((1, 2, 3, n)) if n == DYNAMIC_INDEX else n for n in shape)
    _retype(value, new)
    return f"a blob is declared as {new}"


def remove_name(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in _layers(func) if op.layer_name is not None])
    if any(isinstance(use.operation, ReturnOp) for v in op.results for use in v.uses):
        return ""
    op.properties.pop("name")
    return f"the {op.LAYER_TYPE} has no name"


def make_weights_dynamic(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in _layers(func) if "dynamic_weight" in op.PARAMS])
    op.set_params(dynamic_weight=1)
    return "dynamic weights"


def other_weight(func: FuncOp, random: Random) -> str:
    """Another value as a weight."""
    op = random.choice([op for op in _layers(func) if len(op.operands) > len(op.data_operands())])
    i = random.randrange(len(op.data_operands()), len(op.operands))
    op.operands[i] = random.choice(_values_before(func, op))
    return "another blob as a weight"


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


def _layers(func: FuncOp) -> list[LayerOp]:
    return [op for op in func.body.block.ops if isinstance(op, LayerOp)]


def _retype(value: SSAValue, shape: tuple[int, ...] | None) -> None:
    element = cast(Any, value.type).element_type
    Rewriter.replace_value_with_new_type(value, blob(shape, element))


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


def _infer_again(func: FuncOp) -> None:
    """Infer all types from the inputs and constants."""
    for op in list(_layers(func)):
        if not isinstance(op, ConstantOp):
            for result in list(op.results):
                _retype(result, None)
    infer(func, {})
