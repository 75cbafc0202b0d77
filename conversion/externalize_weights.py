"""The pass that replaces constants of ncnn by constants of other compilers.

`ncnn.constant` refers to a slice of a `.bin`, which no other tool reads.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any, TypeAlias, cast

from xdsl.context import Context
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
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ..dialects.iree import GlobalLoadOp, GlobalOp
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import Names
from ..dialects.ncnn.structure import InputOp
from ..dialects.ncnn.weight_file import WeightSlice
from ..dialects.ncnn.weights import WeightAttr, dense_weight, make_weight
from ..formats.weight_storage import SliceLayout
from . import SCOPE, WEIGHT_STYLES

SMALL_ELEMENTS = 64
"""Constants of at most this number of elements have no name."""

ALIGNMENT = 64
"""The alignment of resources in memory, in bytes."""

Type: TypeAlias = TensorType[Any]


@dataclass(frozen=True)
class ExternalizeWeights(ModulePass):
    """Convert the constants of a model in linalg to a form that other compilers can read, in their
    stored element type:

    - `style=parameters`: named parameters of IREE (`util.global`). Their values are in a file;
      unchanged values stay in the model's file;
    - `style=args`: further arguments of the function, in the order of their first use;
    - `style=resources`: `dense_resource` with the bytes after the module;
    - `style=dense`: values at their uses.

    Elements keep their stored type (float16, int8). With `parameters` and `resources`, constants of
    at most 64 elements are values at their uses. Weights that were left out (`--weights none`) can
    be parameters and arguments.

    All layers must have been converted to linalg: other compilers do not read layers. The pass
    fails and names the first layer that is left, unless `allow-partial=true` allows layers.

    The pass removes information that only ncnn-opt reads, such as blob names and shape hints of the
    function and Input layers.
    """

    name = "externalize-weights"

    style: str = "dense"
    allow_partial: bool = False

    def __post_init__(self) -> None:
        """Raises `ValueError` for an unknown style."""
        if self.style not in WEIGHT_STYLES:
            *words, last = WEIGHT_STYLES
            raise ValueError(f"style is {', '.join(words)} or {last}, not '{self.style}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .completeness import check_complete

        if not self.allow_partial:
            check_complete(op)
        externalize(op, self.style)


def externalize(module: ModuleOp, style: str) -> None:
    """Replace the constants of all functions. Remove attributes that only ncnn-opt reads."""
    place = _STYLES[style](module)
    functions = [f for f in module.ops if isinstance(f, FuncOp) and not f.is_declaration]
    for func in functions:
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
        func.arg_attrs = func.res_attrs = None  # only ncnn-opt reads these attributes
    for each in (module, *functions):
        for name in [name for name in each.attributes if name.startswith("ncnn.")]:
            del each.attributes[name]


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
