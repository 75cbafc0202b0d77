"""Options and types that the parsers of all commands share."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING, Any, NoReturn, cast

from ..driver.errors import UsageError
from ..driver.messages import LOGS
from ..frontends import ReadOptions
from .completion import SHELLS, PrintCompletion

if TYPE_CHECKING:
    from ..runtime.custom_layers import CustomLayers, Location


Group = argparse.ArgumentParser | argparse._ArgumentGroup  # pyright: ignore[reportPrivateUsage]
"""A parser or a group of options."""


class Parser(argparse.ArgumentParser):
    """A parser that raises `UsageError`."""

    def __init__(self, prog: str, description: str, usage: str | None = None) -> None:
        super().__init__(
            prog=prog,
            usage=usage,
            description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        add_options(
            self,
            COMMON,
            print_completion={"choices": SHELLS, "action": PrintCompletion},
            log={"choices": LOGS, "default": "text"},
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


COMMON = """
  -v, --version  print versions and exit
  --print-completion  print a completion script for a shell, and exit
  -q, --quiet  print only errors on standard error
  --log  text, or json: each message on standard error is an object in one line, with command,
      level (error, warning, note, remark, missed, info, passed,
      failed) and message
"""
"""The options of all commands."""

CUSTOM = """
  --custom-weights TYPE=COUNT[,COUNT…]...  the number of floats of each weight of a custom layer
      type, plus one for a weight that is loaded with a tag; 0 if the type has no weights (may be
      given several times)
  --allow-trailing-weights  ignore surplus bytes at the end of a .bin
"""

CUSTOM_LAYER = """
  --custom-layer TYPE=MODULE:CLASS...  the Python class of a custom layer, which the ncnn package
      runs; MODULE may be a file.py (may be given several times)
""".strip("\n")
"""The option of commands that run models in the runtime."""

OUTPUT_DIR = "--output-dir"
"""The option with which a command processes many models."""

OPTIONS = "--options"
"""The option with a file of options."""

READING = f"""
  --weights FILE|none|random[:SEED]  the weights of a .param: by default the .bin beside it; none:
      structure only
  --pnnx FILE|none  the .pnnx.param of the model, from which layers that ncnn lacks are rebuilt; by
      default the file beside a .ncnn.param; none: without it
{CUSTOM}
"""
"""The options for reading a model (see `reading_options`)."""

FOR_NCNN = """
  --for-ncnn RELEASE|latest  the oldest release of ncnn that must run the result, as 20240820; by
      default the oldest release that runs the model
"""

ON_DEVICE = {"dest": "on"}
"""The details of `--on-device`, for all commands."""

IMAGES = """
  --mean V[,V…]  subtract this from images: one value per channel, or one for all
  --norm V[,V…]  multiply the difference by this: one value per channel, or one for all
  --to-rgb  use red as the first channel of an image, not blue
"""
"""The options for the preprocessing of images, with `IMAGE_VALUES`."""


def add_options(parser: Group, table: str, **details: Any) -> None:
    """Add the options of a table. A table is a text as docopt reads it: after two spaces the names
    and the value of an option (`...`: it may be given several times), after two more its help,
    which goes on in lines indented by six. A line that is not indented is the title of a group and
    its description; `options` is the group of the parser.

    `details` are by the long name of an option: its choices, the type of its value, or arguments of
    `add_argument`. An option without a value and without details is a flag.
    """
    group = parser
    for entry in filter(str.strip, table.replace("\n      ", " ").splitlines()):
        if entry.startswith("  -"):
            head, _, text = entry.strip().partition("  ")
            assert text, entry
            words = head.split(" ")
            flags = [word.rstrip(",") for word in words if word.startswith("-")]
            detail = details.get(flags[-1].lstrip("-").replace("-", "_"))
            value = " ".join(words[len(flags) :])
            group.add_argument(*flags, help=text, **_arguments(value, detail))
        else:
            title, _, description = map(str.strip, entry.partition(":"))
            named = [g for g in parser._action_groups if g.title == title]  # pyright: ignore
            group = named[0] if named else parser.add_argument_group(title, description or None)


def _arguments(value: str, detail: Any) -> dict[str, Any]:
    """Return the arguments of `add_argument` for an option with this value and detail."""
    found: dict[str, Any] = {"metavar": value.removesuffix("...")} if value else {}
    if value.endswith("..."):
        found |= {"action": "append", "default": []}
    if isinstance(detail, Mapping):
        found |= cast(Mapping[str, Any], detail)
    elif callable(detail):
        found["type"] = detail
    elif detail is not None:
        found["choices"] = detail
    if not found.keys() & {"metavar", "action", "choices", "type"}:
        found["action"] = "store_true"
    return found


def first_of(choices: Iterable[str]) -> Mapping[str, Any]:
    """Return the details of an option with these choices, the first of which is the default."""
    choices = list(choices)
    return {"choices": choices, "default": choices[0]}


def reading_options(args: argparse.Namespace, weights: str | None) -> ReadOptions:
    """Return the values of the options `READING`. Raises `UsageError`."""
    custom = parse_custom_weights(args.custom_weights)
    return ReadOptions(weights, args.allow_trailing_weights, custom)


def parse_custom_weights(specs: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return the values of `TYPE=COUNT[,COUNT…]` options. Raises `UsageError`."""
    result: dict[str, tuple[int, ...]] = {}
    for spec in specs:
        name, _, counts = spec.partition("=")
        parts = counts.split(",")
        is_none = counts == "0"
        if not name or not (is_none or all(p.isdecimal() and int(p) > 0 for p in parts)):
            raise UsageError(f"--custom-weights takes TYPE=COUNT[,COUNT…] or TYPE=0, not '{spec}'")
        result[name] = () if is_none else tuple(int(p) for p in parts)
    return result


def parse_custom_layers(specs: Sequence[str]) -> "CustomLayers":
    """Return the values of `TYPE=MODULE:CLASS` options. Raises `UsageError` and `RunError`."""
    from ..runtime.custom_layers import locate

    result: dict[str, Location] = {}
    for spec in specs:
        name, _, layer = spec.partition("=")
        if not name or not layer:
            raise UsageError(f"--custom-layer takes TYPE=MODULE:CLASS, not '{spec}'")
        result[name] = locate(name, layer)
    return result


def check_used(args: argparse.Namespace, used: object, users: str, *names: str) -> None:
    """Raises `UsageError` for one of these options unless it is used: by `users`."""
    for name in names:
        if getattr(args, name) is not None and not used:
            raise UsageError(f"--{name.replace('_', '-')} is for {users}")


def check_single(args: argparse.Namespace, keeps_going: bool = False) -> None:
    """Raise `UsageError` for options of many models without `--output-dir`. `keeps_going`: whether
    `--keep-going` is an option of one model, too."""
    for name in ("resume", "keep_going", "summary", "output_kind"):
        value = getattr(args, name, None)
        if keeps_going and name == "keep_going" and value:
            continue
        if value is not None and (value or name == "keep_going"):
            raise UsageError(f"--{name.replace('_', '-')} is for many models: {OUTPUT_DIR}")
    if getattr(args, "schedules_many", False) and args.scheduler is not None:
        raise UsageError(f"--scheduler is for many models: {OUTPUT_DIR}")


def names(values: Sequence[str]) -> list[str]:
    """Return the names in values of an option, each with commas between its names."""
    return [name for value in values for name in value.split(",") if name]


def count(text: str) -> int:
    """Parse a number of at least 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"a number of at least 0 is expected, not '{text}'")
    return int(text)


def positive(text: str) -> int:
    """Parse a number of at least 1."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a positive number is expected, not '{text}'")
    return int(text)


def as_float(text: str) -> float:
    """Return a number; NaN for a text that is none."""
    try:
        return float(text)
    except ValueError:
        return nan


def tolerance(text: str) -> float:
    """Parse a tolerance of at least 0."""
    value = as_float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"a number of at least 0 is expected, not '{text}'")
    return value


def floats(text: str) -> tuple[float, ...]:
    """Parse a list of numbers."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"numbers are expected, not '{text}'") from None


IMAGE_VALUES: Mapping[str, Any] = {
    name: {"type": floats, "default": ()} for name in ("mean", "norm")
}
