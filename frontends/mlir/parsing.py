"""Parsing and verification of IR from damaged or malicious text."""

import re
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects.builtin import UNKNOWN_LOC, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation
from xdsl.utils.exceptions import DiagnosticException, ParseError, VerifyException

from ...dialects.ncnn.blob import element_count
from ...dialects.ncnn.weights import RandomAttr
from ...dialects.xdsl_extras.guarding import UndocumentedError, guarded
from ...dialects.xdsl_extras.parsing import SPLAT_ELEMENTS, LinearParser
from ...dialects.xdsl_extras.spelling import nearest
from ...formats.errors import FormatError, decoded

NOT_TEXT = "byte {} is not UTF-8 text"
_UNREGISTERED = re.compile(r"Operation (\S+) is not registered|'(\S+)' is not registered")
"""xDSL's message for an unknown name."""
_UNDEFINED = re.compile(r"values used but not defined: \[(%[^,\]]+)")
"""xDSL's message for values without a definition."""


def parse_ir(
    context: Context,
    data: bytes,
    path: str,
    implicit_module: bool = True,
    starts: dict[Operation, int] | None = None,
) -> ModuleOp:
    """Return the module in the text of an `.mlir`, and the position of each operation in `starts`.
    Raises `FormatError`, `ParseError`, and `VerifyException` from verifiers of attributes."""
    text = decoded(data, path, NOT_TEXT)
    parser = LinearParser(context, text, path)
    with _guarded(path, "the text cannot be parsed", parser):
        try:
            module = parser.parse_module(implicit_module)
        except ParseError as e:
            e.msg = _explained(e, text, context)
            raise
    if starts is not None:
        starts |= parser.starts
    check_random(module, path, len(data))
    check_order(module, path)
    return module


def _explained(error: ParseError, text: str, context: Context) -> str:
    """Return a parser's message, improved: with similar names, or a note that the text is
    truncated."""
    message, hint = error.msg, ""
    if (found := _UNREGISTERED.fullmatch(message)) is not None:
        name, kind = found[1] or found[2], "operation" if found[1] else "attribute or type"
        dialect = context.get_optional_dialect(name.partition(".")[0])
        if dialect is not None:
            made = [*dialect.operations] if found[1] else [*dialect.attributes]
            hint = nearest(name, [each.name for each in made])
        message = f"there is no {kind} '{name}'{hint}"
    if (undefined := _UNDEFINED.match(message)) is not None:
        for use in re.finditer(rf"{re.escape(undefined[1])}(?![\w$.-])", text):
            error.span = replace(error.span, start=use.start(), end=use.end())
            return f"'{undefined[1]}' is used but not defined"
    at_end = not text[error.span.end :].strip()
    return f"the text ends here: {message}" if at_end and not hint else message


def verify_ir(
    module: ModuleOp, path: str, line_of: Callable[[Operation], int | None] | None = None
) -> None:
    """Verify a module that was read from `path`. Raises `VerifyException`, with the location of the
    operation, its line in the text if `line_of` knows it, and its first value; and `FormatError`.
    """
    with _guarded(path, "the IR does not verify"):
        try:
            module.verify()
        except VerifyException as e:
            if (place := _place_of_error(module, line_of)) and e.args:
                e.args = (f"{e.args[0]}, at {place}", *e.args[1:])
            raise


def _place_of_error(module: ModuleOp, line_of: Callable[[Operation], int | None] | None) -> str:
    """Return the location of the first operation that does not verify, if it is known."""
    for op in module.walk():
        try:
            op.verify(verify_nested_ops=False)
        except VerifyException:
            places = [] if op.location == UNKNOWN_LOC else [str(op.location)]
            if line_of is not None and (line := line_of(op)) is not None:
                name = op.results[0].name_hint if op.results else None
                places.append(f"line {line}" + (f" (%{name})" if name else f" ({op.name})"))
            return ", ".join(places)
    return ""


def check_order(module: ModuleOp, path: str) -> None:
    """Raise `FormatError` if an operation in a function, or in a nested region, uses a value
    defined after it: xDSL's verifier does not check this."""
    for func in module.walk():
        if not isinstance(func, FuncOp):
            continue
        seen: set[Operation] = set()
        for op in func.walk():
            seen.add(op)
            if any(_is_too_early(op, value.owner, seen) for value in op.operands):
                raise FormatError(path, f"'{op.name}' uses a value that is defined after it")


def _is_too_early(user: Operation, maker: Operation | Block, seen: Collection[Operation]) -> bool:
    """Whether a user precedes, or is inside, the producer of its operand. Operations are visited in
    text order. (Valid for functions of one block only.)"""
    if not isinstance(maker, Operation):
        return False
    if maker in seen:
        return maker is user or (bool(maker.regions) and maker.is_ancestor(user))
    return maker.parent is not None and maker.parent.is_ancestor(user)


def check_random(module: ModuleOp, path: str, size: int) -> None:
    """Raise `FormatError` if a text of this size needs far more random values: generating them
    could take unlimited time and memory."""
    left = size + SPLAT_ELEMENTS
    for op in module.walk():
        if isinstance(op.properties.get("value"), RandomAttr):  # nothing is verified yet
            left -= sum(element_count(result) for result in op.results)
            if left < 0:
                name = op.results[0].name_hint
                raise FormatError(
                    path,
                    f"'{name}': the text is too short for its number of random values; "
                    "read a .param with --weights random, and write -o x.mlir with a .bin",
                )


@contextmanager
def _guarded(path: str, what: str, parser: LinearParser | None = None) -> Generator[None]:
    """Turn exceptions that xDSL does not document into errors with their place."""
    try:
        with guarded((FormatError, ParseError, DiagnosticException, OSError)):
            yield
    except UndocumentedError as e:
        raise FormatError(path, f"{what}{e}", None if parser is None else parser.line) from e
