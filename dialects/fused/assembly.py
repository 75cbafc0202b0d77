"""The assembly format of fused operations:

    %y = fused.conv %x weight %w bias %b residuals(%r, %c at [1]) {name = "conv1", strides = [2, 2]}
         : (types of all operands) -> type epilogue(%acc: f32, %r0: f32, %c0: f32) { … }

First the operands of the anchor, the input without a word; in braces what is not its default; then
all types, as in MLIR's generic form. An epilogue that gives the accumulator back is left out.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import BytesAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Region
from xdsl.irdl import OptOperandDef
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from .epilogue import FusedOp, identity
from .fields import Kind, parse_field, print_field

NAMES = ("name", "blob")
"""Properties of all fused operations that the braces have."""

HIDDEN = ("operandSegmentSizes", "residual_axes")
"""Properties that what stands before the braces says."""


def print_fused(op: FusedOp, printer: Printer) -> None:
    """Prints what follows the operation's name."""
    for name, value in op.anchor_operands().items():
        if value is not None:
            printer.print_string(" " if name == "input" else f" {name} ")
            printer.print_operand(value)
    if op.residuals:
        printer.print_string(" residuals")
        with printer.in_parens():
            printer.print_list(range(len(op.residuals)), lambda i: _print_residual(op, i, printer))
    _print_braces(op, printer)
    printer.print_string(" : ")
    printer.print_function_type(op.operand_types, op.result_types)
    if op.only_accumulates():
        return
    printer.print_string(" epilogue")
    with printer.in_parens():
        printer.print_list(op.block.args, printer.print_block_argument)
    printer.print_string(" ")
    printer.print_region(op.epilogue, print_entry_block_args=False)


def _print_residual(op: FusedOp, index: int, printer: Printer) -> None:
    printer.print_operand(op.residuals[index])
    if axes := op.explicit_axes(index):
        printer.print_string(f" at [{', '.join(map(str, axes))}]")


def _print_braces(op: FusedOp, printer: Printer) -> None:
    order = [*NAMES, *op.FIELDS, *(n for n in op.properties if n not in (*NAMES, *op.FIELDS))]
    entries = [(n, op.properties[n]) for n in order if n in op.properties and n not in HIDDEN]
    entries += op.attributes.items()
    if not entries:
        return
    printer.print_string(" ")
    with printer.in_braces():
        printer.print_list(entries, lambda entry: _print_entry(op, *entry, printer))


def _print_entry(op: FusedOp, name: str, attr: Attribute, printer: Printer) -> None:
    printer.print_identifier_or_string_literal(name)
    if isinstance(attr, UnitAttr):
        return
    printer.print_string(" = ")
    if name in op.FIELDS:
        print_field(attr, printer)
    else:
        printer.print_attribute(attr)


def parse_fused(cls: type[FusedOp], parser: Parser) -> FusedOp:
    """Parses what follows the operation's name."""
    operands: list[UnresolvedOperand | None] = []
    for name, definition in cls.get_irdl_definition().operands:
        if name == "residuals":
            continue
        operand = None
        if name == "input":
            operand = parser.parse_optional_unresolved_operand()
        elif parser.parse_optional_keyword(name):
            operand = parser.parse_unresolved_operand()
        if operand is None and not isinstance(definition, OptOperandDef):
            parser.raise_error(f"{cls.name} needs an operand '{name}'")
        operands.append(operand)
    residuals, axes = _parse_residuals(parser)
    properties, attributes = _parse_braces(cls, parser)
    parser.parse_punctuation(":")
    pos = parser.pos
    type_ = parser.parse_function_type()
    given = [operand for operand in operands if operand is not None]
    values = parser.resolve_operands([*given, *residuals], type_.inputs.data, pos)
    if len(type_.outputs.data) != 1:
        parser.raise_error(f"{cls.name} has 1 result, got {len(type_.outputs.data)}", pos)
    rest = iter(values)
    op = cls.of(
        [None if operand is None else next(rest) for operand in operands],
        type_.outputs.data[0],
        properties,
        residuals=tuple(rest),
        axes=axes,
        epilogue=Region(),
        attributes=attributes,
    )
    op.detach_region(0)
    op.add_region(_parse_epilogue(op, parser))
    return op


def _parse_residuals(parser: Parser) -> tuple[list[UnresolvedOperand], list[Sequence[int]]]:
    operands: list[UnresolvedOperand] = []
    axes: list[Sequence[int]] = []

    def parse_residual() -> None:
        operands.append(parser.parse_unresolved_operand())
        given: Sequence[int] = ()
        if parser.parse_optional_keyword("at"):
            given = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False)
            )
        axes.append(given)

    if parser.parse_optional_keyword("residuals"):
        parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_residual)
    return operands, axes


def _parse_braces(
    cls: type[FusedOp], parser: Parser
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Parses an optional `{…}`. Returns the properties and the other attributes."""
    properties: dict[str, Attribute] = {}
    attributes: dict[str, Attribute] = {}
    fields = cls.fields()

    def parse_entry() -> None:
        pos = parser.pos
        name = parser.parse_identifier_or_str_literal()
        if name in properties or name in attributes:
            parser.raise_error(f"'{name}' is given twice", pos)
        if name in HIDDEN:
            parser.raise_error(f"'{name}' does not stand in braces", pos)
        field = fields.get(name)
        if field is not None:
            if field.kind is not Kind.FLAG:
                parser.parse_punctuation("=")
            properties[name] = parse_field(field, parser)
            return
        given = parser.parse_optional_punctuation("=")
        attr = parser.parse_attribute() if given else UnitAttr()
        if isinstance(attr, BytesAttr):  # xDSL prints characters beyond ASCII as bytes
            attr = StringAttr(attr.data.decode(errors="replace"))
        (properties if name in NAMES else attributes)[name] = attr

    parser.parse_optional_comma_separated_list(parser.Delimiter.BRACES, parse_entry)
    return properties, attributes


def _parse_epilogue(op: FusedOp, parser: Parser) -> Region:
    if parser.parse_optional_keyword("epilogue"):
        args = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
        return parser.parse_region(args)
    accumulator = op.accumulator_type()
    if accumulator is None or op.residuals:
        parser.raise_error(f"{op.name} needs an epilogue here")
    return identity(accumulator)
