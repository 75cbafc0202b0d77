"""The step from a declared layer class to an operation."""

from typing import TYPE_CHECKING

from xdsl.irdl import AttrSizedOperandSegments, OpDef, OptionalDef, VariadicDef

from ..xdsl_extras.constraints import declared
from .operands import has_segments, install_accessors
from .params import DerivedParam, Param, ParamAccessor
from .weight_specs import WeightSlot

if TYPE_CHECKING:
    from .layer import LayerOp


def complete_declaration(cls: "type[LayerOp]") -> None:
    """Turn a declared class into an operation.

    It applies `irdl_op_definition` with the declarations of base classes first (inputs before
    weights, shared parameters before the layer's own), adds segment sizes if operands need them,
    and gives parameters plain Python values.
    """
    layer_type = cls.__dict__.get("LAYER_TYPE", cls.__name__.removesuffix("Op"))
    if "name" not in cls.__dict__:
        cls.name = f"ncnn.{layer_type.lower()}"
    declared_fields = _declared_fields(cls)
    order = list(declared_fields)
    if has_segments(declared_fields.values()):
        setattr(cls, "irdl_options", (AttrSizedOperandSegments(as_property=True),))
    op_def = OpDef.from_pyrdl(cls)
    op_def.operands.sort(key=lambda item: order.index(item[0]))
    install_accessors(cls, op_def)

    params: dict[str, Param | DerivedParam] = {}
    for name in order:
        definition = op_def.properties.get(name)
        if definition is None:
            derived = getattr(cls, name, None)
            if isinstance(derived, DerivedParam):
                params[name] = derived
        elif isinstance(definition.constr, Param):
            params[name] = definition.constr
            setattr(cls, name, ParamAccessor(name, definition.constr))
    cls.LAYER_TYPE = layer_type
    cls.PARAMS = params
    cls.BOUNDS = {n: p.within for n, p in params.items() if isinstance(p, Param) and p.within}
    cls.PARAMS_BY_ID = {param.id: (name, param) for name, param in params.items()}
    cls.WEIGHTS = {
        name: slot
        for name, operand in op_def.operands
        if isinstance(slot := declared(operand.constr), WeightSlot)
    }
    operands = dict(op_def.operands)
    cls.OPTIONAL_WEIGHTS = [n for n in cls.WEIGHTS if isinstance(operands[n], OptionalDef)]
    data = [definition for name, definition in op_def.operands if name not in cls.WEIGHTS]
    cls.NUM_DATA = None if any(isinstance(d, VariadicDef) for d in data) else len(data)


def _declared_fields(cls: type) -> dict[str, object]:
    """Return the declarations in a class and its bases by name, bases first."""
    fields: dict[str, object] = {}
    for base in reversed(cls.mro()):
        if base.__module__.startswith(__name__.rpartition(".")[0]):
            fields.update(base.__dict__)
    return fields
