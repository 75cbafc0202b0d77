"""The properties of operations, and how the assembly format writes them: `strides = [2, 2]` instead
of `strides = array<i64: 2, 2>`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    f32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, VerificationContext, opt_prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


class Kind(Enum):
    """What a property holds."""

    INT = "an integer"
    INTS = "a list of integers"
    FLOAT = "a float"
    WORD = "a word"
    FLAG = "nothing: it is there or not"


@dataclass(frozen=True)
class Field(AttrConstraint):
    """The declaration of a property; also the constraint on it."""

    kind: Kind
    words: tuple[str, ...] = ()
    """For a word: those that there are."""
    least: int | None = None
    """For integers: the least that makes sense."""
    default: float | None = None
    """The number, or each of the numbers, that stands for a property that is left out."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if kind_of(attr) is not self.kind:
            raise VerifyException(f"expected {self.kind.value}, got {attr}")
        if isinstance(attr, StringAttr) and attr.data not in self.words:
            raise VerifyException(f"expected {' or '.join(self.words)}, got {attr}")
        for value in int_values(attr):
            if self.least is not None and value < self.least:
                raise VerifyException(f"{value} is less than {self.least}")

    def mapping_type_vars(self, type_var_mapping: object) -> "Field":
        return self

    def is_default(self, attr: Attribute | None) -> bool:
        """Whether a property says what it would if it were left out."""
        values: Sequence[float] = int_values(attr)
        if isinstance(attr, FloatAttr):
            values = (cast(FloatAttr[Any], attr).value.data,)
        return attr is None or (self.default is not None and all(v == self.default for v in values))


def kind_of(attr: Attribute) -> Kind | None:
    """What an attribute holds; `None` for what is no property here."""
    match attr:
        case IntegerAttr() if cast(IntegerAttr[Any], attr).type == i64:
            return Kind.INT
        case DenseArrayBase() if cast(DenseArrayBase[Any], attr).elt_type == i64:
            return Kind.INTS
        case FloatAttr() if cast(FloatAttr[Any], attr).type == f32:
            return Kind.FLOAT
        case StringAttr():
            return Kind.WORD
        case UnitAttr():
            return Kind.FLAG
        case _:
            return None


def int_values(attr: Attribute | None) -> tuple[int, ...]:
    """The integers in an attribute, one or several."""
    if isinstance(attr, IntegerAttr):
        return (cast(IntegerAttr[Any], attr).value.data,)
    if isinstance(attr, DenseArrayBase):
        return tuple(cast(DenseArrayBase[Any], attr).get_values())
    return ()


def ints(values: Sequence[int]) -> DenseArrayBase[Any]:
    """The attribute of a list of integers."""
    return DenseArrayBase.from_list(i64, list(values))


def _declare(field: Field, name: str | None = None) -> Any:
    return opt_prop_def(field, prop_name=name)


def int_field(least: int, default: int | None = None) -> "IntegerAttr[Any] | None":
    """Declares an optional integer."""
    return _declare(Field(Kind.INT, least=least, default=default))


def ints_field(least: int, default: int | None = None) -> "DenseArrayBase[Any] | None":
    """Declares an optional list of integers."""
    return _declare(Field(Kind.INTS, least=least, default=default))


def float_field(default: float | None = None) -> "FloatAttr[Any] | None":
    """Declares an optional float."""
    return _declare(Field(Kind.FLOAT, default=default))


def word_field(*words: str) -> StringAttr | None:
    """Declares an optional word."""
    return _declare(Field(Kind.WORD, words))


def flag_field(name: str | None = None) -> UnitAttr | None:
    """Declares a flag, under another name than that of the class member if one is given."""
    return _declare(Field(Kind.FLAG), name)


def print_field(attr: Attribute, printer: Printer) -> None:
    """Prints what stands after `=`."""
    match attr:
        case IntegerAttr():
            printer.print_string(str(int_values(attr)[0]))
        case DenseArrayBase():
            printer.print_string(f"[{', '.join(map(str, int_values(attr)))}]")
        case FloatAttr():
            _print_float(cast(FloatAttr[Any], attr), printer)
        case StringAttr():
            printer.print_string(attr.data)
        case _:
            printer.print_attribute(attr)


def _print_float(attr: "FloatAttr[Any]", printer: Printer) -> None:
    value = attr.value.data
    if math.isfinite(value):
        printer.print_float(value, attr.type)
    else:
        printer.print_string("nan" if math.isnan(value) else "inf" if value > 0 else "-inf")


def parse_field(field: Field, parser: Parser) -> Attribute:
    """Parses what stands after `=`."""
    match field.kind:
        case Kind.INT:
            return IntegerAttr(parser.parse_integer(allow_boolean=False), i64)
        case Kind.INTS:
            return ints(
                parser.parse_comma_separated_list(
                    parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False)
                )
            )
        case Kind.FLOAT:
            return FloatAttr(_parse_float(parser), f32)
        case Kind.WORD:
            word = parser.parse_optional_keyword_in(field.words)
            if word is None:
                parser.raise_error(f"expected {' or '.join(field.words)}")
            return StringAttr(word)
        case Kind.FLAG:
            return UnitAttr()


def _parse_float(parser: Parser) -> float:
    negative = parser.parse_optional_punctuation("-") is not None
    word = parser.parse_optional_keyword_in(("inf", "nan"))
    value = float(parser.parse_number(allow_boolean=False) if word is None else word)
    return -value if negative else value
