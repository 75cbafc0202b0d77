"""xDSL's parser in linear time and memory, whatever the text.

xDSL 0.74: the pattern for strings backtracks exponentially for one without an end; the range of an
integer type is computed, a number of as many bits; a splat `dense` is put into memory whole; which
types a `dense` may have is made anew for each, which takes longer than to read a small one.
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
from xdsl.irdl import AttrConstraint, base
from xdsl.parser import Parser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken

_INTEGER = re.compile(r"[su]?i(\d+)")

SPLAT_ELEMENTS = 1 << 20
"""How many more elements than characters the `dense` values of a text may have in all."""

INTEGER_BITS = (1 << 24) - 1
"""The widest integer type, as in MLIR."""


class _Lexer(MLIRLexer):
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def _lex_bare_identifier(self, start_pos: int) -> MLIRToken:
        token = super()._lex_bare_identifier(start_pos)
        if len(token.span) > 8 and (width := _INTEGER.fullmatch(token.text)) is not None:
            if len(width[1]) > 8 or int(width[1]) > INTEGER_BITS:
                raise ParseError(token.span, f"an integer has at most {INTEGER_BITS} bits")
        return token


@cache
def _dense_types() -> AttrConstraint[Any]:
    """The types of `dense` values."""
    return base(RankedStructure[IntegerType | IndexType | AnyFloat | ComplexType])


class LinearParser(Parser):
    """xDSL's parser, in linear time and memory."""

    def __init__(self, context: Context, text: str, path: str) -> None:
        super().__init__(context, "", path)
        self._parser_state = ParserState(_Lexer(Input(text, path)))
        self._elements_left = len(text) + SPLAT_ELEMENTS

    @property
    def line(self) -> int:
        """The line of the text that the parser is at."""
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
        """Raises `ParseError` if a `dense` of this type cannot be written out in the text, and is
        too large to be one value many times over: it would be put into memory whole."""
        self._elements_left -= prod(type_.get_shape())
        if self._elements_left < 0:
            self.raise_error(f"a dense value of the type {type_} is too large for this text")
