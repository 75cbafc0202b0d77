"""Parsing of parameter values in a `.param` file (`ParamDict::load_param` in src/paramdict.cpp)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from .graph import STRING_LIMIT, ParamValue
from .numbers import NUMBER_LIMIT, float_to_word, is_float_text, parse_float, parse_int

_LETTER = re.compile(rb"[A-Za-z]")
_QUOTED = re.compile(rb'"([^"]*)"(?![^ \t\v\f])')


class InvalidValue(NamedTuple):
    """The reason why a value is invalid, and the byte offset in it."""

    message: str
    offset: int = 0


def parse_value(chunk: bytes, old_array: bool) -> ParamValue | InvalidValue:
    """Parse an unquoted value: the text between an equals sign and the next blank.

    `old_array`: the id marks an array whose length comes first.
    """
    # Models repeat few short values; long ones would waste the cache.
    return _parse_cached(chunk, old_array) if len(chunk) <= 24 else _parse(chunk, old_array)


def parse_quoted(line: bytes, start: int) -> tuple[ParamValue, int] | InvalidValue:
    """Parse the string whose opening quote is at `start`. Return it and the offset of the text
    after it."""
    match = _QUOTED.match(line, start)
    if match is None:
        closing = line.find(b'"', start + 1)
        if closing < 0:
            return InvalidValue("a quoted string without its closing quote")
        return InvalidValue("text right after the closing quote", closing + 1 - start)
    value = _string(match[1])
    return value if isinstance(value, InvalidValue) else (value, match.end())


def shorten(text: str) -> str:
    """Return `text` for a message, truncated if it is long."""
    return text if len(text) <= 60 else text[:57] + "..."


def _parse(chunk: bytes, old_array: bool) -> ParamValue | InvalidValue:
    if old_array:
        return _old_array(chunk.decode().split(","))
    if _LETTER.match(chunk):
        return _string(chunk)
    tokens = chunk.decode().split(",")
    is_float = is_float_text(tokens[0])
    if len(tokens) == 1:
        word = _word(tokens[0], is_float)
        if word is None:
            return _bad_number(tokens, 0)
        return ParamValue("float" if is_float else "int", (word,))
    if not tokens[-1]:
        tokens.pop()  # a trailing comma marks an array of one number
    # The first element determines the type of all.
    return _array(tokens, [is_float] * len(tokens))


_parse_cached = lru_cache(maxsize=1 << 14)(_parse)


def _string(text: bytes) -> ParamValue | InvalidValue:
    if len(text) > STRING_LIMIT:
        return InvalidValue(f"a string of {len(text)} bytes: ncnn reads at most {STRING_LIMIT}")
    return ParamValue.of_str(text.decode())


def _old_array(tokens: list[str]) -> ParamValue | InvalidValue:
    length = parse_int(tokens[0])
    if length is None or length < 0:
        return InvalidValue(f"'{shorten(tokens[0])}' is not an array length")
    # Count the actual elements, so that a wrong length costs no memory.
    if length != len(tokens) - 1:
        return InvalidValue(f"an array of length {length} has {len(tokens) - 1} elements")
    # Each element has its own type.
    return _array(tokens, [False, *map(is_float_text, tokens[1:])], 1)


def _array(tokens: list[str], flags: list[bool], first: int = 0) -> ParamValue | InvalidValue:
    words: list[int] = []
    for index in range(first, len(tokens)):
        word = _word(tokens[index], flags[index])
        if word is None:
            return _bad_number(tokens, index, "a number" if flags[index] else "an int")
        words.append(word)
    return ParamValue("array", tuple(words), tuple(flags[first:]))


def _word(token: str, is_float: bool) -> int | None:
    if not is_float:
        return parse_int(token)
    value = parse_float(token)
    return None if value is None else float_to_word(value)


def _bad_number(tokens: list[str], index: int, kind: str = "a number") -> InvalidValue:
    offset = sum(len(token.encode()) + 1 for token in tokens[:index])
    token = tokens[index]
    if not token:
        return InvalidValue("a number is missing", offset)
    if len(token) > NUMBER_LIMIT:
        return InvalidValue(f"{len(token)} characters: ncnn reads at most {NUMBER_LIMIT}", offset)
    return InvalidValue(f"'{shorten(token)}' is not {kind} that ncnn can hold", offset)
