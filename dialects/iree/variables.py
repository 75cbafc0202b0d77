"""`util.global` and its loads."""

import os
from collections.abc import Mapping
from typing import Any, cast

from xdsl.dialects.builtin import (
    BytesAttr,
    IntegerAttr,
    NoneAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, TypeAttribute, TypedAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import SymbolOpInterface, SymbolTable
from xdsl.utils.exceptions import VerifyException

from ...formats.weight_storage import SliceLayout
from ..ncnn.weights import (
    WEIGHT_BASE,
    ElidedAttr,
    WeightAttr,
    check_weight,
    dense_weight,
    open_weights,
    read_weight,
)
from .parameter import ParameterAttr

FILE, OFFSET = "file", "offset"
"""Attributes with the location of a parameter's values. (IREE preserves unknown attributes whose
name has no dialect prefix.)"""


@irdl_op_definition
class GlobalOp(IRDLOperation):
    """A global value of the module, constant or a parameter.

    `weight` is the source of a parameter's values, in the form of an `ncnn.constant`'s value. A
    slice of a file is printed as attributes, with `file` relative to the text's folder; IREE does
    not read them. Other values are printed in full, since no other file has them.

    Example: `util.global private @conv1_weight {file = "model.bin", offset = 4 : i64} =
    #flow.parameter.named<"model"::"conv1_weight"> : tensor<64x3x7x7xf32>`
    Source: compiler/src/iree/compiler/Dialect/Util/IR/UtilOps.td in IREE.
    """

    name = "util.global"

    sym_name = prop_def(SymbolNameConstraint())
    sym_visibility = opt_prop_def(StringAttr)
    is_mutable = opt_prop_def(UnitAttr)
    type = prop_def(TypeAttribute)
    initial_value = opt_prop_def(Attribute)
    weight = opt_prop_def(Attribute)

    traits = traits_def(SymbolOpInterface())

    @staticmethod
    def parameter(scope: str, key: str, weight: Attribute, type_: TensorType[Any]) -> "GlobalOp":
        """Build a parameter of this scope and key. The key is also its symbol name."""
        return GlobalOp.create(
            properties={
                "sym_name": StringAttr(key),
                "sym_visibility": StringAttr("private"),
                "type": type_,
                "initial_value": ParameterAttr.of(scope, key, type_),
                "weight": weight,
            }
        )

    def read(self) -> Any:
        """Return the values of a parameter. Raises `WeightError` if there are none."""
        return read_weight(self.weight or ElidedAttr(), cast(Any, self.type))

    def has_values(self) -> bool:
        """Whether the values can be read."""
        return self.weight is not None and not isinstance(self.weight, ElidedAttr)

    def verify_(self) -> None:
        value = self.initial_value
        if isinstance(value, TypedAttribute) and value.get_type() != self.type:
            raise VerifyException(f"the value has type {value.get_type()}, the global {self.type}")
        if self.weight is None:
            return
        if not isinstance(value, ParameterAttr):
            raise VerifyException("only a parameter can have the attribute weight")
        check_weight(self.weight, self.type)
        if isinstance(self.weight, WeightAttr) and self.weight.data.layout is not SliceLayout.PLAIN:
            raise VerifyException(
                f"IREE reads plain elements, not '{self.weight.data.layout.value}'"
            )

    @classmethod
    def parse(cls, parser: Parser) -> "GlobalOp":
        visibility = parser.parse_optional_visibility_keyword()
        mutable = parser.parse_optional_keyword("mutable") is not None
        name = parser.parse_symbol_name()
        attributes = parser.parse_optional_attr_dict()
        value = weight = None
        if parser.parse_optional_punctuation("="):
            value = parser.parse_attribute()
            if not isinstance(value, TypedAttribute):
                parser.raise_error("expected a value with a type")
            type_ = value.get_type()
        else:
            parser.parse_punctuation(":")
            type_ = parser.parse_type()
        match attributes:
            case {"file": StringAttr() | BytesAttr() as file, "offset": IntegerAttr() as offset}:
                del attributes[FILE], attributes[OFFSET]
                path = os.fsdecode(file.data)
                start = cast(Any, offset).value.data
                weight = open_weights(parser, path, start, SliceLayout.PLAIN)
            case _:
                pass
        properties = {
            "sym_name": name,
            "sym_visibility": visibility,
            "is_mutable": UnitAttr() if mutable else None,
            "type": type_,
            "initial_value": value,
            "weight": weight,
        }
        return cls.create(
            properties={key: each for key, each in properties.items() if each is not None},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        if self.sym_visibility is not None:
            printer.print_string(f" {self.sym_visibility.data}")
        if self.is_mutable is not None:
            printer.print_string(" mutable")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        value, place = self._printed()
        printer.print_op_attributes({**self.attributes, **place})
        if value is None or isinstance(value, NoneAttr):
            printer.print_string(" : ")
            printer.print_attribute(self.type)
        else:
            printer.print_string(" = ")
            printer.print_attribute(value)

    def _printed(self) -> tuple[Attribute | None, Mapping[str, Attribute]]:
        """Return the value as printed, and the location attributes of a parameter's values."""
        if not self.has_values():
            return self.initial_value, {}
        if isinstance(self.weight, WeightAttr) and self.weight.data.file.has_name:
            where = self.weight.data
            file = os.path.relpath(where.file.path, WEIGHT_BASE.get() or os.getcwd())
            place = {FILE: BytesAttr(os.fsencode(file)), OFFSET: IntegerAttr(where.offset, i64)}
            return self.initial_value, place
        return dense_weight(self.read(), cast(Any, self.type)), {}


@irdl_op_definition
class GlobalLoadOp(IRDLOperation):
    """Load the value of a global.

    Example: `%w = util.global.load @conv1_weight : tensor<64x3x7x7xf32>`
    Source: compiler/src/iree/compiler/Dialect/Util/IR/UtilOps.td in IREE.
    """

    name = "util.global.load"

    is_immutable = opt_prop_def(UnitAttr)
    global_ = prop_def(SymbolRefAttr, prop_name="global")
    result = result_def()

    assembly_format = "(`immutable` $is_immutable^)? $global attr-dict `:` type($result)"

    def __init__(self, name: str, type_: Attribute) -> None:
        super().__init__(properties={"global": SymbolRefAttr(name)}, result_types=[type_])

    def verify_(self) -> None:
        found = SymbolTable.lookup_symbol(self, self.global_)
        if not isinstance(found, GlobalOp):
            raise VerifyException(f"there is no util.global @{self.global_.string_value()}")
        if found.type != self.result.type:
            raise VerifyException(f"the global has type {found.type}, not {self.result.type}")
