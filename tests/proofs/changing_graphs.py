"""Random changes of the graphs of models: operands, results and layers."""

from random import Random
from typing import Any, cast

from ncnn_opt.dialects.ncnn.activation import ReLUOp, SigmoidOp
from ncnn_opt.dialects.ncnn.blob import blob, shape_of
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.elementwise import BinaryOpOp
from ncnn_opt.dialects.ncnn.function import outputs_of, set_outputs
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.reduction import SoftmaxOp
from ncnn_opt.dialects.ncnn.reshaping import FlattenOp, PermuteOp, ReshapeOp
from ncnn_opt.dialects.ncnn.structure import SplitOp
from ncnn_opt.dialects.ncnn.unary import AbsValOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    StringAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

from .changing_values import layers_in, retype

# -- operands, results and layers


def _values_before(func: FuncOp, op: LayerOp) -> list[SSAValue]:
    found: list[SSAValue] = list(func.body.block.args)
    for each in layers_in(func):
        if each is op:
            break
        if not isinstance(each, ConstantOp):
            found.extend(each.results)
    return found


def swap_operands(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in layers_in(func) if len(op.data_operands()) > 1])
    n = len(op.data_operands())
    i, j = random.sample(range(n), 2)
    a, b = op.operands[i], op.operands[j]
    op.operands[i], op.operands[j] = b, a
    return "the operands are exchanged"


def other_operand(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in layers_in(func) if op.data_operands()])
    i = random.randrange(len(op.data_operands()))
    op.operands[i] = random.choice(_values_before(func, op))
    return "a layer reads another blob"


def add_operand(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in layers_in(func) if op.data_operands()])
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
        for op in layers_in(func)
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
    values = [v for op in layers_in(func) for v in op.results if not isinstance(op, ConstantOp)]
    outputs[i] = (random.choice(values), outputs[i][1])
    set_outputs(func, outputs)
    return "the model returns another blob"


def use_again(func: FuncOp, random: Random) -> str:
    values = [v for op in layers_in(func) for v in op.results if not isinstance(op, ConstantOp)]
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
        [*(op for op in layers_in(func) if op.data_operands()), func.body.block.last_op]
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
    op = random.choice(
        [op for op in layers_in(func) if op.data_operands() and len(op.results) == 1]
    )
    op.results[0].replace_all_uses_with(op.data_operands()[0])
    op.detach()
    return f"the {op.LAYER_TYPE} is missing"


def exchange_layer(func: FuncOp, random: Random) -> str:
    """Another layer of one input in the place of one."""
    op = random.choice(
        [op for op in layers_in(func) if op.data_operands() and len(op.results) == 1]
    )
    new = _new_layer(op.data_operands()[0], random)
    func.body.block.insert_op_before(new, op)
    op.results[0].replace_all_uses_with(new.results[0])
    op.detach()
    return f"a {new.LAYER_TYPE} in place of the {op.LAYER_TYPE}"


def clone_layer(func: FuncOp, random: Random) -> str:
    """Apply a copy of a layer to another blob, or to the same one for a reader of its own."""
    ops = [op for op in layers_in(func) if op.data_operands() and len(op.results) == 1]
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
    values = [v for op in layers_in(func) for v in op.results if not isinstance(op, ConstantOp)]
    values = [v for v in values if DYNAMIC_INDEX in (shape_of(v) or (DYNAMIC_INDEX,))]
    value = random.choice(values)
    shape = shape_of(value)
    if shape is None:
        shape = (DYNAMIC_INDEX,) * random.randint(1, 4)
    new = tuple(random.choice((1, 2, 3, n)) if n == DYNAMIC_INDEX else n for n in shape)
    retype(value, new)
    return f"a blob is declared as {new}"


def remove_name(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in layers_in(func) if op.layer_name is not None])
    if any(isinstance(use.operation, ReturnOp) for v in op.results for use in v.uses):
        return ""
    op.properties.pop("name")
    return f"the {op.LAYER_TYPE} has no name"


def make_weights_dynamic(func: FuncOp, random: Random) -> str:
    op = random.choice([op for op in layers_in(func) if "dynamic_weight" in op.PARAMS])
    op.set_params(dynamic_weight=1)
    return "dynamic weights"


def other_weight(func: FuncOp, random: Random) -> str:
    """Another value as a weight."""
    op = random.choice([op for op in layers_in(func) if len(op.operands) > len(op.data_operands())])
    i = random.randrange(len(op.data_operands()), len(op.operands))
    op.operands[i] = random.choice(_values_before(func, op))
    return "another blob as a weight"
