"""Replaces constants of ncnn by constants of other compilers (`ExternalizeWeights`)."""

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any, TypeAlias, cast

from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.arith import ConstantOp as ArithConstantOp
from xdsl.dialects.builtin import (
    Builtin,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ..dialects.iree import GlobalLoadOp, GlobalOp
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import Names
from ..dialects.ncnn.structure import InputOp
from ..dialects.ncnn.weight_file import WeightSlice
from ..dialects.ncnn.weights import WeightAttr, dense_weight, make_weight
from ..formats.weight_storage import SliceLayout

SMALL_ELEMENTS = 64
"""Constants of at most this number of elements have no name."""

ALIGNMENT = 64
"""The alignment of resources in memory, in bytes."""

SCOPE = "model"
"""The scope of parameters."""

Type: TypeAlias = TensorType[Any]


def externalize(module: ModuleOp, style: str) -> None:
    """Replace the constants of all functions. Remove attributes that only ncnn-opt reads."""
    place = _STYLES[style](module)
    for func in [f for f in module.ops if isinstance(f, FuncOp) and not f.is_declaration]:
        for op in list(func.body.block.ops):
            if isinstance(op, ConstantOp):
                value = place(func, op)
                value.name_hint = value.name_hint or op.output.name_hint
                op.output.replace_all_uses_with(value)
                Rewriter.erase_op(op)
            elif isinstance(op, InputOp):
                for result, value in zip(op.results, op.inputs, strict=False):
                    result.replace_all_uses_with(value)
                Rewriter.erase_op(op)
        _strip(func)
    for name in [name for name in module.attributes if name.startswith("ncnn.")]:
        del module.attributes[name]


def _strip(func: FuncOp) -> None:
    """Remove the attributes that only ncnn-opt reads."""
    func.arg_attrs = None
    func.res_attrs = None
    for name in [name for name in func.attributes if name.startswith("ncnn.")]:
        del func.attributes[name]


def _stored(op: ConstantOp) -> DenseIntOrFPElementsAttr[Any]:
    """Return the values of a constant. Raises `PassFailedException` if it has none."""
    if not op.has_values():
        name = op.output.name_hint or "a constant"
        raise PassFailedException(f"{name}: the weights of this model were left out")
    return dense_weight(op.read(), _type(op))


def _type(op: ConstantOp) -> Type:
    return cast(Type, op.output.type)


def _put(op: Operation, before: Operation) -> SSAValue:
    Rewriter.insert_op(op, InsertPoint.before(before))
    return op.results[0]


@dataclass
class _Dense:
    """Values at their uses."""

    module: ModuleOp

    def __call__(self, func: FuncOp, op: ConstantOp) -> SSAValue:
        return _put(ArithConstantOp(_stored(op), _type(op)), op)


@dataclass
class _Args:
    """Further arguments."""

    module: ModuleOp

    def __call__(self, func: FuncOp, op: ConstantOp) -> SSAValue:
        block = func.body.block
        arg = block.insert_arg(_type(op), len(block.args))
        inputs, outputs = func.function_type.inputs, func.function_type.outputs
        func.function_type = FunctionType.from_lists([*inputs, arg.type], [*outputs])
        return arg


@dataclass
class _Named(_Dense):
    """Named values. Constants with equal bytes share a name; small constants have none."""

    known: dict[tuple[Attribute, Attribute], str] = field(
        init=False, default_factory=dict[tuple[Attribute, Attribute], str]
    )

    def __call__(self, func: FuncOp, op: ConstantOp) -> SSAValue:
        if op.has_values() and prod(_type(op).get_shape()) <= SMALL_ELEMENTS:
            return super().__call__(func, op)
        weight = _plain(op)
        key = (weight, op.output.type)
        if not op.has_values():  # its bytes are not known
            return _put(self.use(self.define(func, op, weight), _type(op)), op)
        if key not in self.known:
            self.known[key] = self.define(func, op, weight)
        return _put(self.use(self.known[key], _type(op)), op)

    @abstractmethod
    def define(self, func: FuncOp, op: ConstantOp, weight: Attribute) -> str:
        """Define a name for a value."""

    @abstractmethod
    def use(self, name: str, type_: Type) -> Operation:
        """Return the operation that reads a named value."""


@dataclass
class _Parameters(_Named):
    """Parameters of the module."""

    names: Names = field(init=False)

    def __post_init__(self) -> None:
        symbols = (op.properties.get("sym_name") for op in self.module.ops)
        self.names = Names(each.data for each in symbols if isinstance(each, StringAttr))

    def define(self, func: FuncOp, op: ConstantOp, weight: Attribute) -> str:
        name = self.names.unique(op.output.name_hint or "weight")
        parameter = GlobalOp.parameter(SCOPE, name, weight, _type(op))
        Rewriter.insert_op(parameter, InsertPoint.before(func))
        return name

    def use(self, name: str, type_: Type) -> Operation:
        return GlobalLoadOp(name, type_)


class _Resources(_Named):
    """Bytes after the module."""

    def define(self, func: FuncOp, op: ConstantOp, weight: Attribute) -> str:
        store = Builtin.get_interface(OpAsmDialectInterface)
        assert store is not None
        hint = re.sub(r"[^\w.$]", "_", op.output.name_hint or "weight")
        key = store.declare_resource(hint if hint[0].isalpha() else f"_{hint}")
        data = _stored(op).data.data
        store.parse_resource(key, f"0x{ALIGNMENT.to_bytes(4, 'little').hex()}{data.hex().upper()}")
        return key

    def use(self, name: str, type_: Type) -> Operation:
        return ArithConstantOp(DenseResourceAttr.from_params(name, type_), type_)


def _plain(op: ConstantOp) -> Attribute:
    """Return the value of a constant without tags and tables, which only ncnn reads."""
    value = op.value
    if not isinstance(value, WeightAttr) or value.data.layout is SliceLayout.PLAIN:
        return value
    if value.data.layout is SliceLayout.TABLE:
        return make_weight(op.read(), _type(op))
    return WeightAttr(WeightSlice(value.data.file, value.data.offset))


_STYLES: Mapping[str, Callable[[ModuleOp], Callable[[FuncOp, ConstantOp], SSAValue]]] = {
    "parameters": _Parameters,
    "args": _Args,
    "resources": _Resources,
    "dense": _Dense,
}
