"""The parts of the syntax that xDSL's `assembly_format` cannot express:

    %y = fused.conv %x weight %w residuals(%r, %c at [1]) strides [2, 2] {name = "conv1"}
         : (types of all operands) -> type epilogue(%acc: f32, %r0: f32, %c0: f32) { … }

An epilogue that yields the accumulator unchanged is not printed.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, BytesAttr, StringAttr
from xdsl.ir import Attribute, Region
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    RegionVariable,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ..shapes.tensors import element_in
from .epilogue import FusedOp, identity
from .properties import ints


@irdl_custom_directive
class Residuals(CustomDirective):
    """The optional `residuals(%r, %c at [1])`."""

    operands: VariadicOperandVariable
    axes: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        operands: list[UnresolvedOperand] = []
        axes: list[Sequence[int]] = []

        def parse_axes() -> Sequence[int]:
            return parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False)
            )

        def parse_residual() -> None:
            operands.append(parser.parse_unresolved_operand())
            axes.append(parse_axes() if parser.parse_optional_keyword("at") else ())

        if parser.parse_optional_keyword("residuals"):
            parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_residual)
        self.operands.set(state, operands)
        if any(axes):
            self.axes.set(state, ArrayAttr(map(ints, axes)))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        fused = cast(FusedOp, op)

        def print_residual(index: int) -> None:
            printer.print_operand(fused.residuals[index])
            if axes := fused.explicit_axes(index):
                printer.print_string(f" at {list(axes)}")

        if fused.residuals:
            printer.print_string(" residuals")
            with printer.in_parens():
                printer.print_list(range(len(fused.residuals)), print_residual)


class Types(CustomDirective):
    """`(operand types) -> type`, then the epilogue."""

    result: TypeDirective
    epilogue: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        name, pos = state.op_type.name, parser.pos
        for other in state.op_type.get_irdl_definition().properties.keys() & state.attributes:
            parser.raise_error(f"'{other}' is not allowed in braces", pos)
        type_ = parser.parse_function_type()
        given, results = list(type_.inputs.data), type_.outputs.data
        if len(results) != 1:
            parser.raise_error(f"{name} has 1 result, got {len(results)}", pos)
        self.result.set(state, results)
        counts = [len(operands or ()) for operands in state.operands]
        if sum(counts) != len(given):
            parser.raise_error(f"{sum(counts)} operands, but {len(given)} types", pos)
        for directive in self._operands():
            index: int = cast(Any, directive.inner).index
            directive.set(state, [given.pop(0) for _ in range(counts[index])])
        self.epilogue.set(state, _parse_epilogue(parser, state))
        state.attributes = {name: _text(attr) for name, attr in state.attributes.items()}
        state.properties = cast(type[FusedOp], state.op_type).without_defaults(
            {name: _text(attr) for name, attr in state.properties.items()}
        )

    def _operands(self) -> list[TypeDirective]:
        own = [getattr(self, field.name) for field in fields(cast(Any, self))]
        return [d for d in own if isinstance(d, TypeDirective) and d is not self.result]

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        fused = cast(FusedOp, op)
        printer.print_string(" ")
        printer.print_function_type(op.operand_types, op.result_types)
        if fused.only_accumulates():
            return
        printer.print_string(" epilogue")
        with printer.in_parens():
            printer.print_list(fused.block.args, printer.print_block_argument)
        printer.print_string(" ")
        printer.print_region(fused.epilogue, print_entry_block_args=False)


@irdl_custom_directive
class Signature(Types):
    """The types of an operation with one operand before its residuals."""

    input: TypeDirective
    residuals: TypeDirective
    result: TypeDirective
    epilogue: RegionVariable


@irdl_custom_directive
class ProductSignature(Types):
    """The types of an operation with a weight and an optional bias."""

    input: TypeDirective
    weight: TypeDirective
    bias: TypeDirective
    residuals: TypeDirective
    result: TypeDirective
    epilogue: RegionVariable


def _parse_epilogue(parser: Parser, state: ParsingState) -> Region:
    cls = cast(type[FusedOp], state.op_type)
    if parser.parse_optional_keyword("epilogue"):
        args = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
        return parser.parse_region(args)
    *anchor, residuals = ([element_in(t) for t in types or ()] for types in state.operand_types)
    accumulator = cls.accumulator_of(*(each[0] if each else None for each in anchor))
    if accumulator is None or residuals:
        parser.raise_error(f"{cls.name} needs an epilogue here")
    return identity(accumulator)


def _text(attr: Attribute) -> Attribute:
    """Return the attribute with bytes decoded to a string. xDSL prints non-ASCII text as bytes."""
    if isinstance(attr, BytesAttr):
        return StringAttr(attr.data.decode(errors="replace"))
    return attr
