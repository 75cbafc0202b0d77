"""Instances of a pattern in MLIR's PDL: models that the pattern matches, built from the pattern."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, OpResult, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..dialects.ncnn.blob import UNRANKED, blob, shape_of
from ..dialects.ncnn.function import named, set_outputs
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.params import Param, ParamKind, encode
from ..dialects.ncnn.weight_specs import Shape
from .array import NotExact

SHAPES: Sequence[Shape] = ((5,), (4, 5), (3, 4, 5), (2, 3, 4, 5))
"""The shapes of operands: each rank of a blob, with different extents."""

INTEGERS = (0, 1, 2, 3)
FLOATS = (0.5, -1.25, 2.0, 0.0)
"""The values of attributes that a pattern does not determine."""

MOST = 64
"""The largest number of instances of a pattern."""


def instances(pattern: pdl.PatternOp, ctx: Context) -> Iterator[tuple[str, ModuleOp]]:
    """Yield models that a pattern may match, each with a description. Raises `NotExact` if none can
    be built from the pattern."""
    operands = [op for op in pattern.body.block.ops if isinstance(op, pdl.OperandOp)]
    choices = list(_values_of_attributes(pattern, ctx))
    tries = product(choices, _shapes_of(operands), (False, True))
    for attributes, shapes, is_read in islice(tries, MOST):
        try:
            module = _Builder(ctx, attributes, is_read).build(pattern, operands, shapes)
        except VerifyException:
            continue  # these layers do not take such operands or attributes
        sizes = " and ".join("x".join(map(str, shape)) for shape in shapes)
        given = [f"{name} {value}" for name, value in attributes.values()]
        reads = ["all results read"] if is_read else []
        yield ", ".join([sizes or "no operands", *given, *reads]), module


def _shapes_of(operands: Sequence[pdl.OperandOp]) -> Iterator[Sequence[Shape]]:
    """Yield shapes of operands: equal ones, then one operand that broadcasts. Operands of one type
    have one shape."""
    types = list(dict.fromkeys(op.value_type or op.value for op in operands))
    for shape in SHAPES:
        yield [shape] * len(operands)
    for shape in SHAPES if len(types) > 1 else ():
        for small in dict.fromkeys(((1,) * len(shape), shape[:1] + (1,) * (len(shape) - 1))):
            for changed in types:
                found = [changed is (op.value_type or op.value) for op in operands]
                yield [small if each else shape for each in found]


Attributes = Mapping[SSAValue, tuple[str, Any]]
"""The name and value of each attribute that a pattern does not determine."""


def _values_of_attributes(pattern: pdl.PatternOp, ctx: Context) -> Iterator[Attributes]:
    """Yield values for the attributes that a pattern does not determine."""
    free: dict[SSAValue, tuple[str, Sequence[Any]]] = {}
    for op in pattern.body.block.ops:
        if not isinstance(op, pdl.OperationOp):
            continue
        cls = _layer_of(op, ctx)
        for name, value in zip(op.attributeValueNames, op.attribute_values, strict=True):
            assert isinstance(value, OpResult)
            if isinstance(value.op, pdl.AttributeOp) and value.op.value is None:
                free.setdefault(value, (name.data, _candidates(cls, name.data)))
    names = [name for name, _ in free.values()]
    for values in product(*(each for _, each in free.values())):
        yield dict(zip(free, zip(names, values, strict=True), strict=True))


def _candidates(cls: type[LayerOp], name: str) -> Sequence[Any]:
    param = cls.PARAMS.get(name)
    if isinstance(param, Param) and param.kind is ParamKind.INT:
        return INTEGERS
    if isinstance(param, Param) and param.kind is ParamKind.FLOAT:
        return FLOATS
    raise NotExact(f"the pattern does not determine {name} of {cls.name}")


def _layer_of(op: pdl.OperationOp, ctx: Context) -> type[LayerOp]:
    cls = None if op.opName is None else ctx.get_optional_op(op.opName.data)
    if cls is None or not issubclass(cls, LayerOp):
        raise NotExact("an operation of the pattern is no layer")
    if cls.required_weights():
        raise NotExact(f"{cls.name} has weights, whose shapes the pattern does not determine")
    return cls


class _Builder:
    """Builds one instance."""

    def __init__(self, ctx: Context, attributes: Attributes, is_read: bool) -> None:
        """`is_read`: whether the results of all layers are outputs, not only the last one's."""
        self.ctx = ctx
        self.attributes = attributes
        self.is_read = is_read

    def build(
        self, pattern: pdl.PatternOp, operands: Sequence[pdl.OperandOp], shapes: Sequence[Shape]
    ) -> ModuleOp:
        """Return the model. Raises `VerifyException` if the layers do not fit together, and
        `NotExact` for a pattern that determines too little."""
        block = Block(arg_types=[blob(shape) for shape in shapes])
        values: dict[SSAValue, Any] = {
            op.value: arg for op, arg in zip(operands, block.args, strict=True)
        }
        results: dict[SSAValue, list[SSAValue]] = {}
        for op in pattern.body.block.ops:
            match op:
                case pdl.OperationOp():
                    layer = self._layer(op, values, f"layer{len(results)}")
                    block.add_op(layer)
                    results[op.op] = list(layer.results)
                case pdl.ResultOp():
                    index, made = op.index.value.data, results[op.parent_]
                    if not 0 <= index < len(made):
                        raise NotExact(f"the pattern has result {index} of {len(made)} of a layer")
                    values[op.val] = made[index]
                case pdl.OperandOp() | pdl.AttributeOp() | pdl.TypeOp() | pdl.RewriteOp():
                    pass
                case _:
                    raise NotExact(f"the pattern has {op.name}")
        last = pattern.body.block.last_op
        root = last.root if isinstance(last, pdl.RewriteOp) else None
        assert root is not None  # `LayerPattern` guarantees it
        read = [v for each in results.values() for v in each] if self.is_read else results[root]
        block.add_op(ReturnOp(*read))
        func = FuncOp("main", FunctionType.from_lists([], []), Region(block))
        set_outputs(func, [(value, named(f"out{i}")) for i, value in enumerate(read)])
        module = ModuleOp([func])
        module.verify()
        return module

    def _layer(self, op: pdl.OperationOp, values: Mapping[SSAValue, Any], name: str) -> LayerOp:
        cls = _layer_of(op, self.ctx)
        properties: dict[str, Attribute] = {"name": encode(ParamKind.STR, name)}
        for key, value in zip(op.attributeValueNames, op.attribute_values, strict=True):
            assert isinstance(value, OpResult)
            assert isinstance(value.op, pdl.AttributeOp)
            if value.op.value is not None:
                properties[key.data] = value.op.value
            else:
                param = cls.PARAMS[key.data]
                assert isinstance(param, Param)
                properties[key.data] = encode(param.kind, self.attributes[value][1])
        if any(value not in values for value in op.operand_values):
            raise NotExact("the pattern has ranges of operands")
        data = [values[value] for value in op.operand_values]
        made = cls.make(data, {}, [UNRANKED] * len(op.type_values), properties)
        made.set_params()
        types = made.infer_types()
        if types is None or any(shape_of(each) is None for each in types):
            raise VerifyException(f"{name} has an unknown shape")
        return cls.make(data, {}, types, made.properties)
