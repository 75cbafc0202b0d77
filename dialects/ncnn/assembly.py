"""The assembly format of layers, derived from their declarations:

    %y = ncnn.convolution %x weight %w bias %b {name = "conv1", num_output = 64, kernel_w = 3}
         : (tensor<3x8x8xf32>, tensor<64x3x3x3xf32>, tensor<64xf32>) -> tensor<64x6x6xf32>

The input blobs come first, then each weight after its name. Braces contain the non-default
parameters, as plain numbers and words instead of typed attributes. All types follow, as in MLIR's
generic form.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..xdsl_extras.spelling import nearest
from ..xdsl_extras.strings import with_text
from .layer import LayerOp, UnaryLayer
from .operands import SEGMENTS
from .params import Param, ParamKind, Value, decode, encode, to_float32
from .weights import parse_text


def print_layer(op: LayerOp, printer: Printer) -> None:
    """Print the operation after its name."""
    data = op.data_operands()
    if data:
        printer.print_string(" ")
        printer.print_list(data, printer.print_operand)
    for name, value in op.weight_operands().items():
        if value is not None:
            printer.print_string(f" {name} ")
            printer.print_operand(value)
    print_attributes(op, printer)
    printer.print_string(" : ")
    printer.print_function_type(op.operand_types, op.result_types)


def parse_layer(cls: type[LayerOp], parser: Parser) -> LayerOp:
    """Parse the operation after its name."""
    data: list[UnresolvedOperand] = []
    if (first := parser.parse_optional_unresolved_operand()) is not None:
        data.append(first)
        while parser.parse_optional_punctuation(","):
            data.append(parser.parse_unresolved_operand())
    named: list[tuple[str, UnresolvedOperand]] = []
    for name in cls.WEIGHTS:
        if parser.parse_optional_keyword(name):
            named.append((name, parser.parse_unresolved_operand()))
    properties, attributes = parse_attributes(cls, parser)
    parser.parse_punctuation(":")
    pos = parser.pos
    type_ = parser.parse_function_type()

    operands = parser.resolve_operands(
        [*data, *(operand for _, operand in named)], type_.inputs.data, pos
    )
    values = operands[: len(data)]
    weights = dict(zip((name for name, _ in named), operands[len(data) :], strict=True))
    if issubclass(cls, UnaryLayer) and len(data) != 1:
        parser.raise_error(f"{cls.name} has 1 input, got {len(data)}", pos)
    for name in cls.required_weights():
        if name not in weights:
            parser.raise_error(f"{cls.name} needs the weight '{name}'", pos)
    op = cls.make(values, weights, type_.outputs.data, properties, attributes)
    op.set_params()  # canonical: drops default values
    return op


def print_attributes(op: LayerOp, printer: Printer, hidden: Sequence[str] = ()) -> None:
    """Print ` {name = "conv1", …}`: names, parameters, then other attributes."""
    entries: list[tuple[str, Attribute, Param | None]] = []
    params = op.PARAMS
    own = op.properties
    skipped = {SEGMENTS, *hidden}
    by_id = sorted(params, key=lambda name: params[name].id)
    for name in ("name", "blobs", *by_id, *own):
        param = params.get(name)
        if name in skipped:
            continue
        skipped.add(name)
        if isinstance(param, Param):
            default = encode(param.kind, param.default_for(op))
            attr = own.get(name, default)
            if attr != default or param.shown:
                entries.append((name, attr, param))
        elif name in own:
            entries.append((name, own[name], None))
    entries.extend((name, attr, None) for name, attr in op.attributes.items())
    if not entries:
        return
    printer.print_string(" ")
    with printer.in_braces():
        printer.print_list(entries, lambda entry: _print_entry(entry, printer))


def _print_entry(entry: tuple[str, Attribute, Param | None], printer: Printer) -> None:
    name, attr, param = entry
    printer.print_identifier_or_string_literal(name)
    printer.print_string(" = ")
    if param is None or isinstance(attr, StringAttr):
        printer.print_attribute(attr)
    else:
        printer.print_string(_format_value(param, decode(attr)))


def _format_value(param: Param, value: Value) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_format_number(v) for v in value)}]"
    if isinstance(value, int) and 0 <= value < len(param.names):
        return param.names[value]
    return _format_number(cast(int | float, value))


def _format_number(value: int | float) -> str:
    """Return an integer, or the shortest decimal that parses to the same float32."""
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    texts = (f"{value:.{digits}g}" for digits in range(1, 10))
    # (-0.0 == 0.0, but texts keep the sign.)
    text = next((t for t in texts if to_float32(float(t)) == value), repr(value))
    mantissa, _, exponent = text.partition("e")
    mantissa = mantissa if "." in mantissa else f"{mantissa}.0"
    return f"{mantissa}e{exponent}" if exponent else mantissa


def parse_attributes(
    cls: type[LayerOp], parser: Parser
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Parse an optional `{…}`. Return the properties and the other attributes."""
    properties: dict[str, Attribute] = {}
    attributes: dict[str, Attribute] = {}

    def parse_entry() -> None:
        pos = parser.pos
        name = parser.parse_identifier_or_str_literal()
        if name in properties or name in attributes:
            parser.raise_error(f"'{name}' is given twice", pos)
        param = cls.PARAMS.get(name)
        if isinstance(param, Param):
            parser.parse_punctuation("=")
            properties[name] = encode(param.kind, _parse_value(param, parser))
            return
        given = parser.parse_optional_punctuation("=")
        attr = with_text(parser.parse_attribute()) if given else UnitAttr()
        if name in cls.get_irdl_definition().properties:
            properties[name] = attr
        elif "." in name:  # as in MLIR, an attribute of another dialect
            attributes[name] = attr
        else:
            known = [n for n, p in cls.PARAMS.items() if isinstance(p, Param)]
            hint = nearest(name, ["name", *known])
            parser.raise_error(f"{cls.name} has no parameter '{name}'{hint}", pos)

    parser.parse_optional_comma_separated_list(parser.Delimiter.BRACES, parse_entry)
    return properties, attributes


def _parse_value(param: Param, parser: Parser) -> Value:
    square = parser.Delimiter.SQUARE
    match param.kind:
        case ParamKind.STR:
            return parse_text(parser, "the parameter")
        case ParamKind.INT:
            return _parse_int(param, parser)
        case ParamKind.FLOAT:
            return _parse_float(parser)
        case ParamKind.INTS:
            return tuple(
                parser.parse_comma_separated_list(square, lambda: _parse_int(param, parser))
            )
        case ParamKind.FLOATS:
            return tuple(parser.parse_comma_separated_list(square, lambda: _parse_float(parser)))


def _parse_int(param: Param, parser: Parser) -> int:
    if param.names and (word := parser.parse_optional_keyword_in(param.names)):
        return param.names.index(word)
    pos = parser.pos
    value = parser.parse_integer(
        allow_boolean=False,
        context_msg=f" or one of {', '.join(param.names)}" if param.names else "",
    )
    if not -(2**31) <= value < 2**31:
        parser.raise_error(f"{value} does not fit an int32 parameter", pos)
    return value


def _parse_float(parser: Parser) -> float:
    negative = parser.parse_optional_punctuation("-") is not None
    if (word := parser.parse_optional_keyword_in(("inf", "nan"))) is not None:
        value = float(word)
    else:
        value = float(parser.parse_number(allow_boolean=False))
    return -value if negative else value


def to_extra(values: dict[int, Attribute]) -> DictionaryAttr | None:
    """Return undeclared parameters by id as the `extra` property."""
    if not values:
        return None
    return DictionaryAttr({str(id): attr for id, attr in sorted(values.items())})


def from_extra(extra: DictionaryAttr | None) -> dict[int, Attribute]:
    """The inverse of `to_extra`. Raises `VerifyException` for a key that is not an id."""
    data: Mapping[str, Attribute] = {} if extra is None else extra.data
    result: dict[int, Attribute] = {}
    for key, attr in data.items():
        if not key.isdecimal():
            raise VerifyException(f"'{key}' is not a parameter id")
        result[int(key)] = attr
    return result


def names_of(op: LayerOp) -> tuple[str | None, ...]:
    """Return the names of an operation's result blobs; `None` for an unnamed one."""
    if op.blob_names is not None:
        return tuple(a.data for a in op.blob_names)
    name = op.layer_name.data if op.layer_name is not None else None
    return (name,) if len(op.results) == 1 else (None,) * len(op.results)


def take_blob_names(op: LayerOp, other: LayerOp) -> None:
    """Give the results of a layer the blob names of another layer's. Its own name stays."""
    set_names(op, None if op.layer_name is None else op.layer_name.data, names_of(other))


def set_names(op: LayerOp, layer_name: str | None, blobs: Sequence[str | None]) -> None:
    """Set the names of a layer and its result blobs."""
    op.layer_name = None if layer_name is None else StringAttr(layer_name)
    default = [layer_name] if len(blobs) == 1 else [None] * len(blobs)
    named = list(blobs) != default and all(b is not None for b in blobs)
    attrs: Any = [StringAttr(cast(str, b)) for b in blobs] if named else None
    op.blob_names = None if attrs is None else ArrayAttr(attrs)
