"""xDSL's parser in linear time and memory for any text.

xDSL 0.74: the pattern for strings backtracks exponentially on unterminated ones; the range of an
integer type is computed as a number with that many bits; a splat `dense` is expanded in memory; the
constraint on types of `dense` is rebuilt for each value, which takes longer than reading a small
one.
"""

import re
from functools import cache
from math import prod
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    RankedStructure,
)
from xdsl.ir import Operation
from xdsl.irdl import AttrConstraint, base
from xdsl.parser import Parser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken

_INTEGER = re.compile(r"[su]?i(\d+)")

SPLAT_ELEMENTS = 1 << 20
"""The number of elements in all `dense` values of a text that may exceed its characters."""

INTEGER_BITS = (1 << 24) - 1
"""The width of the widest integer type, as in MLIR."""


class _Lexer(MLIRLexer):
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def _lex_bare_identifier(self, start_pos: int) -> MLIRToken:
        token = super()._lex_bare_identifier(start_pos)
        if len(token.span) > 8 and (width := _INTEGER.fullmatch(token.text)) is not None:
            if len(width[1]) > 8 or int(width[1]) > INTEGER_BITS:
                raise ParseError(token.span, f"an integer type has at most {INTEGER_BITS} bits")
        return token


@cache
def _dense_types() -> AttrConstraint[Any]:
    """Return the constraint on types of `dense` values."""
    return base(RankedStructure[IntegerType | IndexType | AnyFloat | ComplexType])


class LinearParser(Parser):
    """xDSL's parser in linear time and memory."""

    def __init__(self, context: Context, text: str, path: str) -> None:
        super().__init__(context, "", path)
        self._parser_state = ParserState(_Lexer(Input(text, path)))
        self._elements_left = len(text) + SPLAT_ELEMENTS
        self.starts: dict[Operation, int] = {}
        """The positions in the text where operations start."""

    def parse_operation(self) -> Operation:
        start = self.pos
        op = super().parse_operation()
        self.starts[op] = start
        return op

    @property
    def line(self) -> int:
        """The present line of the text."""
        return self.lexer.input.content.count("\n", 0, self.pos) + 1

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> Any:
        if type is not None:
            self._charge(type)
        return super().parse_dense_int_or_fp_elements_attr(type)

    def _parse_dense_literal_type(self) -> Any:
        type_ = self.expect(self.parse_optional_type, "Dense attribute must be typed!")
        if not _dense_types().verifies(type_):
            self.raise_error(
                "Expected memref, vector or tensor type of integer, index, float, or complex type"
            )
        if DYNAMIC_INDEX in type_.get_shape():
            self.raise_error("Dense literal attribute should have a static shape.")
        self._charge(type_)
        return type_

    def _charge(self, type_: Any) -> None:
        """Raise `ParseError` if a `dense` of this type is longer than the text allows and too large
        for a splat, which would be expanded in memory."""
        self._elements_left -= prod(type_.get_shape())
        if self._elements_left < 0:
            self.raise_error(f"a dense value of the type {type_} is too large for this text")
