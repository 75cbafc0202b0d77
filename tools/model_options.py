"""`--options FILE`: the options of each model, in TOML.

A table's name is a path or a pattern of paths (`det/*.param`), which is matched from the right; its
keys are options without the dashes. Tables apply in their order, so later ones decide; the command
line decides last:

    ["*"]
    seed = 7

    ["det/*.param"]
    input-shape = ["in0=3,320,320"]
    data = "calib/det.npy"

One file serves all commands: a command skips options that only other commands have, and takes
`fix-shapes` as `input-shape` if it has only this one. The file beside a model, `det.toml` beside
`det.param`, has only keys.
"""

import argparse
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from difflib import get_close_matches
from pathlib import PurePath
from typing import Any, cast

from ..dialects.xdsl_extras.spelling import nearest
from ..driver.errors import UsageError
from .spellings import OLD, present_name

BESIDE = "beside"

Table = Mapping[str, Any]


def options_of(
    source: str | None,
    parser: argparse.ArgumentParser,
    model: str,
    taken: Set[str] | None = None,
    given: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return the options of a model as words of a command line. `source` is a file, or `beside`.
    Options of other commands are skipped, and those whose destinations are not among `taken`.
    `given` are the words of the command line. Raises `UsageError`, and `OSError` for a file that
    cannot be read."""
    if source is None:
        return ()
    if source == BESIDE:
        path = f"{model.removesuffix('.bin').removesuffix('.param').removesuffix('.mlir')}.toml"
        tables = [(path, _read(path))] if os.path.exists(path) else []
    else:
        path, tables = source, list(_matching(source, model))
    merged: dict[str, Any] = {}
    for place, table in tables:
        for name, value in table.items():
            present = present_name(parser.prog.split()[0], name, place)
            _check_known(parser, present, place)
            merged[present] = value
    _take_fixed_shapes(merged, parser, path)
    if f"--{SAFE}" in parser._option_string_actions:  # pyright: ignore[reportPrivateUsage]
        if not merged.get(SAFE) and f"--{SAFE}" not in given:
            merged = {name: value for name, value in merged.items() if name not in OF_SAFE}
    words: list[str] = []
    for name, value in merged.items():
        option = parser._option_string_actions.get(f"--{name}")  # pyright: ignore[reportPrivateUsage]
        if option is not None and (taken is None or option.dest in taken):
            words += _words(name, value, path)
    return tuple(words)


SAFE, OF_SAFE = "fp16-safe", {"data", "margin", "max-error"}
"""An option, and those that only it needs: without it, a file has them for other commands."""

FIX, GIVE = "fix-shapes", "input-shape"


def _take_fixed_shapes(merged: dict[str, Any], parser: argparse.ArgumentParser, path: str) -> None:
    """Make `fix-shapes` the `input-shape` of a command that only has this option: a report of a
    model before and after `ncnn-opt --fix-shapes` has one shape. An own `input-shape` of an input
    decides."""
    known = parser._option_string_actions  # pyright: ignore[reportPrivateUsage]
    if f"--{FIX}" in known or f"--{GIVE}" not in known or FIX not in merged:
        return

    def texts(name: str) -> list[str]:
        return [word.partition("=")[2] for word in _words(name, merged.get(name, []), path)]

    def input_of(text: str) -> str:
        return text.rpartition("=")[0]

    own = texts(GIVE)
    names = {input_of(text) for text in own}
    merged[GIVE] = [*own, *(text for text in texts(FIX) if input_of(text) not in names)]


def unmatched(source: str | None, models: Sequence[str]) -> list[str]:
    """Return the patterns of a file of options that match none of some models."""
    if source is None or source == BESIDE:
        return []
    return [each for each in _read(source) if not any(PurePath(m).match(each) for m in models)]


def nearby_name(pattern: str, models: Sequence[str]) -> str:
    """Return `; did you mean …?` with the name of a model that a pattern without an ending, or with
    a slip, may mean; an empty string without one."""
    names = sorted({PurePath(model).name for model in models})
    whole = [name for name in names if name.startswith(f"{pattern}.")]
    return f"; did you mean '{whole[0]}'?" if len(whole) == 1 else nearest(pattern, names)


def _matching(path: str, model: str) -> Iterator[tuple[str, Table]]:
    """Yield the tables of a file whose names match the path of a model."""
    for pattern, table in _read(path).items():
        if not isinstance(table, dict):
            raise UsageError(
                f"{path}: '{pattern}' belongs to no model: write it under [\"*\"], for all models"
            )
        if PurePath(model).match(pattern):
            yield f'{path}: ["{pattern}"]', cast(Table, table)


def _read(path: str) -> Table:
    with open(path, "rb") as f:
        try:
            return tomllib.load(f)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as e:
            raise UsageError(f"{path}: {e}") from e


def _check_known(parser: argparse.ArgumentParser, name: str, place: str) -> None:
    """Raise `UsageError` for an option that no command has."""
    if f"--{name}" in parser._option_string_actions:  # pyright: ignore[reportPrivateUsage]
        return
    known = _all_options()
    if f"--{name}" not in known:
        near = get_close_matches(name, [option.lstrip("-") for option in known], 1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise UsageError(f"{place}: no command has an option '{name}'{hint}")


def _all_options() -> set[str]:
    """Return the options of the commands that process many models."""
    from . import arguments, ncnn_compile_main, ncnn_report_main, ncnn_run_main
    from .quantize.command_parsers import PARSERS

    modules = (arguments, ncnn_compile_main, ncnn_report_main, ncnn_run_main)
    makers = [*(module.make_parser for module in modules), *PARSERS.values()]
    former = {name for names in OLD.values() for name in names}
    return former | {
        option
        for make in makers
        for option in make()._option_string_actions  # pyright: ignore[reportPrivateUsage]
        if option.startswith("--")
    }


def _words(name: str, value: Any, path: str) -> list[str]:
    """Return an option with its value, as words of a command line."""
    match value:
        case True:
            return [f"--{name}"]
        case False:
            return []
        case list():
            return [word for each in cast(list[Any], value) for word in _words(name, each, path)]
        case str() | int() | float():
            return [f"--{name}={value}"]
        case _:
            raise UsageError(f"{path}: the value of '{name}' is no text, number, list or Boolean")
