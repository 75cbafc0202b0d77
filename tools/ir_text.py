"""IR from text that may be damaged, or meant to harm: xDSL's parser and verifier behind a guard.

Both say most of what is wrong in errors of their own, but for some texts they end in a `KeyError`,
an `OverflowError` or the like. Here every such end is an error with its place.
"""

import re
from collections.abc import Collection, Generator
from contextlib import contextmanager
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
    ModuleOp,
    RankedStructure,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation
from xdsl.irdl import AttrConstraint, base
from xdsl.parser import Parser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken

from ..dialects.ncnn.blob import element_count
from ..dialects.ncnn.weights import RandomAttr
from ..formats.errors import FormatError
from .errors import USER_ERRORS

_INTEGER = re.compile(r"[su]?i(\d+)")

SPLAT_ELEMENTS = 1 << 20
"""How many more elements than characters the `dense` values of a text may have in all."""

INTEGER_BITS = (1 << 24) - 1
"""The widest integer type, as in MLIR."""


class _Lexer(MLIRLexer):
    # xDSL's own takes exponential time for a string without an end.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def _lex_bare_identifier(self, start_pos: int) -> MLIRToken:
        token = super()._lex_bare_identifier(start_pos)
        # xDSL computes the range of an integer type, a number of as many bits.
        if len(token.span) > 8 and (width := _INTEGER.fullmatch(token.text)) is not None:
            if len(width[1]) > 8 or int(width[1]) > INTEGER_BITS:
                raise ParseError(token.span, f"an integer has at most {INTEGER_BITS} bits")
        return token


@cache
def _dense_types() -> AttrConstraint[Any]:
    """The types of `dense` values. xDSL makes this anew for each of them, which takes longer than
    to read a small one."""
    return base(RankedStructure[IntegerType | IndexType | AnyFloat | ComplexType])


class IRParser(Parser):
    """xDSL's parser, in linear time and memory."""

    def __init__(self, context: Context, text: str, path: str) -> None:
        super().__init__(context, "", path)
        self._parser_state = ParserState(_Lexer(Input(text, path)))
        self._elements_left = len(text) + SPLAT_ELEMENTS

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


def parse_ir(context: Context, data: bytes, path: str, implicit_module: bool = True) -> ModuleOp:
    """The module in the text of an `.mlir`. Raises `FormatError` and `ParseError`, and what
    verifiers of attributes raise (`VerifyException`)."""
    check_text(data, path)
    parser = IRParser(context, data.decode(), path)
    with guarded(path, "the text cannot be parsed", parser):
        module = parser.parse_module(implicit_module)
    check_random(module, path, len(data))
    check_order(module, path)
    return module


def check_text(data: bytes, path: str) -> None:
    """Raises `FormatError` unless IR is UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        raise FormatError(path, f"byte {e.start} is no UTF-8 text", line) from e


def verify_ir(module: ModuleOp, path: str) -> None:
    """Verifies a module that was read from `path`. Raises `VerifyException` and `FormatError`."""
    with guarded(path, "the IR does not verify"):
        module.verify()


def check_order(module: ModuleOp, path: str) -> None:
    """Raises `FormatError` if an operation in a function, or in a region there, uses a value that
    is made after it: xDSL's verifier does not see it."""
    for func in module.walk():
        if not isinstance(func, FuncOp):
            continue
        seen: set[Operation] = set()
        for op in func.walk():
            seen.add(op)
            if any(_is_too_early(op, value.owner, seen) for value in op.operands):
                raise FormatError(path, f"'{op.name}' uses a value that is made after it")


def _is_too_early(user: Operation, maker: Operation | Block, seen: Collection[Operation]) -> bool:
    """Whether an operation stands before, or in, the one that makes what it uses. Operations are
    seen as they stand in the text. (Where a function has several blocks that says nothing.)"""
    if not isinstance(maker, Operation):
        return False
    if maker in seen:
        return maker is user or (bool(maker.regions) and maker.is_ancestor(user))
    return maker.parent is not None and maker.parent.is_ancestor(user)


def check_random(module: ModuleOp, path: str, size: int) -> None:
    """Raises `FormatError` if a text of that many bytes asks for many more random values: they
    would take any time to make, and any room."""
    left = size + SPLAT_ELEMENTS
    for op in module.walk():
        if isinstance(op.properties.get("value"), RandomAttr):  # nothing is verified yet
            left -= sum(element_count(result) for result in op.results)
            if left < 0:
                name = op.results[0].name_hint
                raise FormatError(
                    path,
                    f"'{name}': so many random values are too large for this text; "
                    "--weights random makes those of a .param, and -o x.mlir puts them in a .bin",
                )


@contextmanager
def guarded(path: str, what: str, parser: Parser | None = None) -> Generator[None]:
    """Makes a `FormatError` of what xDSL does not mean to raise in the block. What our own code
    does not mean to raise is a defect and leaves as it is."""
    try:
        yield
    except USER_ERRORS:
        raise
    except RecursionError as e:
        raise FormatError(path, f"{what}: it is nested too deeply", _line(parser)) from e
    except MemoryError:
        raise
    except Exception as e:
        if not _is_from_xdsl(e):
            raise
        reason = f"{type(e).__name__}: {e}".rstrip(": ")
        raise FormatError(path, f"{what} ({reason})", _line(parser)) from e


def _line(parser: Parser | None) -> int | None:
    """The line of the text that a parser is at."""
    return None if parser is None else parser.lexer.input.content.count("\n", 0, parser.pos) + 1


def _is_from_xdsl(error: Exception) -> bool:
    """Whether an exception was raised in code of xDSL's."""
    trace = error.__traceback__
    module = ""
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        trace = trace.tb_next
    return module.split(".")[0] == "xdsl"
