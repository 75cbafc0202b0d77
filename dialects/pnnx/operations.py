"""A PNNX file and its operators."""

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    f32,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import EffectInstance, IsolatedFromAbove, MemoryEffect, NoTerminator
from xdsl.utils.exceptions import VerifyException

from .attributes import ArchiveAttr
from .tensors import shape_in_torch

Value = None | bool | int | float | str | tuple[int, ...] | tuple[float, ...] | tuple[str, ...]
"""The Python value of a parameter."""

_T = TypeVar("_T")


class OperatorEffects(MemoryEffect):
    """Operators in a graph are never dead. In a function, an operator that only computes is dead if
    it has no users."""

    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance] | None:
        kept = not op.results or isinstance(op.parent_op(), GraphOp)
        return None if kept else frozenset()


@irdl_op_definition
class GraphOp(IRDLOperation):
    """A `.pnnx.param`: operators in file order.

    A graph stands alone in a module, or beside the ncnn function that the converter made from it.
    Passes then recover from the graph facts that the converter dropped.

    `archive` is the `.pnnx.bin`; without it, weights have no values.

    Example: `pnnx.graph attributes {archive = #pnnx.archive<"m.pnnx.bin">} { … }`
    """

    name = "pnnx.graph"

    archive = opt_prop_def(ArchiveAttr)
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), IsolatedFromAbove())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict-with-keyword $body"

    def __init__(self, body: Region, archive: ArchiveAttr | None) -> None:
        super().__init__(regions=[body], properties={"archive": archive})

    def verify_(self) -> None:
        names: set[str] = set()
        made: set[SSAValue] = set()
        for op in self.body.block.ops:
            if not isinstance(op, OperatorOp):
                raise VerifyException(f"a pnnx.graph contains pnnx.op only, not '{op.name}'")
            if any(value not in made for value in op.inputs):
                raise VerifyException(f"{op.label()} uses a value that is defined after it")
            made.update(op.outputs)
            for name in op.operand_names():
                if name in names:
                    raise VerifyException(f"{op.label()}: operand '{name}' is defined twice")
                names.add(name)

    def operators(self) -> list["OperatorOp"]:
        """The operators in file order."""
        return [op for op in self.body.block.ops if isinstance(op, OperatorOp)]


@irdl_op_definition
class OperatorOp(IRDLOperation):
    """An operator of a PNNX graph, of any type.

    - `type` is PNNX's operator type (`nn.Conv2d`, `Tensor.reshape`, `pnnx.Expression`), `layer` the
      operator's name.
    - Operands and results are PyTorch tensors with the batch axis: `tensor<1x3x224x224xf32>`, or
      `!pnnx.any` where the file has no shape. `blobs` are the names of the results.
    - `params` are its parameters: ints (`i32`), floats (`f32`), bools (`i1`), strings, lists of
      ints, floats and strings, and `unit` for PyTorch's `None`.
    - `weights` are the types of its weights; their values are members of the graph's archive.
    - `keys` are the operands' names (`"query"`), `""` for an unnamed one.

    An operator is in a `pnnx.graph`, or in a function among ncnn layers until a pass lowers it;
    there `blobs` may be omitted.

    Operators of unknown types are preserved unchanged.

    Example: `%12, %13 = pnnx.op "torch.unbind" "unbind_1"(%11) {blobs = ["12", "13"], params = {dim
    = 0 : i32}} : (tensor<2x1x8xf32>) -> (tensor<1x8xf32>, tensor<1x8xf32>)`
    Source: tools/pnnx/src/ir.h in ncnn.
    """

    name = "pnnx.op"

    type = prop_def(StringAttr)
    layer = prop_def(StringAttr)
    inputs = var_operand_def()
    outputs = var_result_def()
    blobs = opt_prop_def(ArrayAttr[StringAttr])
    params = opt_prop_def(DictionaryAttr)
    weights = opt_prop_def(DictionaryAttr)
    keys = opt_prop_def(ArrayAttr[StringAttr])

    traits = traits_def(OperatorEffects())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$type $layer `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)"
    )

    def operand_names(self) -> list[str]:
        """PNNX's names of the results."""
        return [] if self.blobs is None else [name.data for name in self.blobs]

    def param(self, key: str, default: _T) -> Any | _T:
        """Return the Python value of a parameter, or `default` if it is absent."""
        attr = self.param_attributes().get(key)
        return default if attr is None else decode(attr)

    def param_attributes(self) -> Mapping[str, Attribute]:
        """The parameters as attributes."""
        return entries(self.params)

    def weight_types(self) -> Mapping[str, Attribute]:
        """The types of the weights."""
        return entries(self.weights)

    def label(self) -> str:
        """Return the operator's name for messages: `torch.unbind 'unbind_1'`."""
        return f"{self.type.data} '{self.layer.data}'"

    def input_named(self, key: str) -> SSAValue | None:
        """Return the operand with this key, if any."""
        names = [] if self.keys is None else [k.data for k in self.keys]
        return self.inputs[names.index(key)] if key in names else None

    def verify_(self) -> None:
        names = self.operand_names()
        keys = [] if self.keys is None else [k.data for k in self.keys]
        weights, params = self.weight_types(), self.param_attributes()
        inside = isinstance(self.parent_op(), GraphOp)
        if len(names) != len(self.outputs) and (inside or names):
            raise VerifyException(
                f"{self.label()}: {len(names)} blob names for {len(self.outputs)} results"
            )
        if self.keys is not None and len(keys) != len(self.inputs):
            raise VerifyException(f"{self.label()}: {len(keys)} keys for {len(self.inputs)} inputs")
        words = [self.type.data, self.layer.data, *names, *weights, *params]
        for text in words:
            if not text or any(c.isspace() or c == "\0" for c in text):
                raise VerifyException(
                    f"{self.label()}: '{text}' is not a valid name in a .pnnx.param"
                )
        for key in (*weights, *params, *(k for k in keys if k)):
            if "=" in key or key[0] in "@$#" or any(c.isspace() for c in key):
                raise VerifyException(
                    f"{self.label()}: '{key}' is not a valid key in a .pnnx.param"
                )
        for key, attr in params.items():
            decode(attr, f"{self.label()}: parameter '{key}'")
        for key, type_ in weights.items():
            if shape_in_torch(type_) is None:
                raise VerifyException(f"{self.label()}: weight '{key}' has the type {type_}")


def encode(value: Value) -> Attribute:
    """Return the attribute for a parameter's value."""
    match value:
        case None:
            return UnitAttr()
        case bool():
            return IntegerAttr(int(value), i1)
        case int():
            return IntegerAttr(value, i32)
        case float():
            return FloatAttr(value, f32)
        case str():
            return StringAttr(value)
        case _ if all(isinstance(v, int) for v in value):
            return DenseArrayBase.from_list(i32, cast(tuple[int, ...], value))
        case _ if all(isinstance(v, float) for v in value):
            return DenseArrayBase.from_list(f32, cast(tuple[float, ...], value))
        case _:
            return ArrayAttr([StringAttr(str(v)) for v in value])


def decode(attr: Attribute, what: str = "the parameter") -> Value:
    """Return the value of an attribute made by `encode`. Raises `VerifyException` for others."""
    if isinstance(attr, UnitAttr):
        return None
    if isinstance(attr, StringAttr):
        return attr.data
    if isinstance(attr, IntegerAttr):
        integer = cast(IntegerAttr[Any], attr)
        if integer.type in (i1, i32):
            return bool(integer.value.data) if integer.type == i1 else integer.value.data
    if isinstance(attr, FloatAttr) and cast(FloatAttr[Any], attr).type == f32:
        return cast(FloatAttr[Any], attr).value.data
    if isinstance(attr, DenseArrayBase) and cast(DenseArrayBase[Any], attr).elt_type in (i32, f32):
        return cast(DenseArrayBase[Any], attr).get_values()
    if isinstance(attr, ArrayAttr):
        texts = list(cast(ArrayAttr[Attribute], attr))
        if texts and all(isinstance(text, StringAttr) for text in texts):
            return tuple(text.data for text in texts if isinstance(text, StringAttr))
    raise VerifyException(f"{what} has the unsupported value {attr}")


def params_of(op: OperatorOp) -> Mapping[str, Value]:
    """Return all parameters as Python values."""
    return {k: decode(a) for k, a in op.param_attributes().items()}


def entries(attr: DictionaryAttr | None) -> Mapping[str, Attribute]:
    """Return the entries of an optional dictionary."""
    return {} if attr is None else attr.data


def graph_in(module: Operation) -> GraphOp | None:
    """Return the graph in a module, if any."""
    for region in module.regions:
        for block in region.blocks:
            for op in block.ops:
                if isinstance(op, GraphOp):
                    return op
    return None
