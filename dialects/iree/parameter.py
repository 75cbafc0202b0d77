"""`#flow.parameter.named`: a value that is bound when a program is loaded."""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import NoneAttr, StringAttr
from xdsl.ir import Attribute, TypeAttribute, TypedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..ncnn.weights import parse_text


@irdl_attr_definition
class ParameterAttr(TypedAttribute):
    """A parameter by key and optional scope: `#flow.parameter.named<"model"::"conv1_weight"> :
    tensor<64x3x7x7xf32>`.

    Source: compiler/src/iree/compiler/Dialect/Flow/IR/FlowAttrs.td in IREE.
    """

    name = "flow.parameter.named"

    scope: StringAttr | NoneAttr
    key: StringAttr
    type: TypeAttribute

    @classmethod
    def of(cls, scope: str, key: str, type_: TypeAttribute) -> "ParameterAttr":
        """Return the parameter of this key in a scope."""
        return cls(StringAttr(scope), StringAttr(key), type_)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            first = StringAttr(parse_text(parser, "a scope or a key"))
            scoped = parser.parse_optional_punctuation(":") is not None
            if scoped:
                parser.parse_punctuation(":")
            names = first, StringAttr(parse_text(parser, "a key")) if scoped else None
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        scope, key = (NoneAttr(), first) if names[1] is None else (first, names[1])
        return [scope, key, type_]

    def print_without_type(self, printer: Printer) -> None:
        printer.print_string(f"#{self.name}")
        self._print_names(printer)

    def print_parameters(self, printer: Printer) -> None:
        self._print_names(printer)
        printer.print_string(" : ")
        printer.print_attribute(cast(Attribute, self.type))

    def _print_names(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            if isinstance(self.scope, StringAttr):
                printer.print_string_literal(self.scope.data)
                printer.print_string("::")
            printer.print_string_literal(self.key.data)
