"""Options and types that the parsers of all commands share."""

import argparse
from collections.abc import Sequence
from math import nan
from typing import NoReturn

from ..driver.errors import UsageError
from ..frontends import ReadOptions
from .completion import SHELLS, PrintCompletion

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
        self.add_argument("-v", "--version", action="store_true", help="print versions and exit")
        self.add_argument(
            "--print-completion",
            choices=SHELLS,
            action=PrintCompletion,
            help="print a completion script for a shell, and exit",
        )
        self.add_argument(
            "-q", "--quiet", action="store_true", help="print only errors on standard error"
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def add_reading_options(group: Group, several: bool = False) -> None:
    """Add the options for reading a model, or `several` models with separate weights."""
    group.add_argument(
        "--weights",
        metavar="FILE|none|random[:SEED]",
        action="append" if several else "store",
        default=[] if several else None,
        help="the weights of a .param: by default the .bin beside it; none: structure only"
        + ("; given twice: for both models in order" if several else ""),
    )
    group.add_argument(
        "--pnnx",
        metavar="FILE|none",
        help="the .pnnx.param of the model, from which layers that ncnn lacks are rebuilt; by "
        "default the file beside a .ncnn.param; none: without it"
        + (" (for the first model)" if several else ""),
    )
    group.add_argument(
        "--custom-weights",
        metavar="TYPE=COUNT[,COUNT…]",
        action="append",
        default=[],
        help="the number of floats of each weight of a custom layer type, plus one for a weight "
        "that is loaded with a tag (may be given several times)",
    )
    group.add_argument(
        "--allow-trailing-weights",
        action="store_true",
        help="ignore surplus bytes at the end of a .bin",
    )


def add_for_ncnn(group: Group) -> None:
    """Add the option for the release of the runtime."""
    group.add_argument(
        "--for-ncnn",
        metavar="RELEASE|latest",
        help="the oldest release of ncnn that must run the result, as 20240820; by default the "
        "oldest release that runs the model",
    )


def reading_options(args: argparse.Namespace, weights: str | None) -> ReadOptions:
    """Return the values of `add_reading_options`. Raises `UsageError`."""
    custom = parse_custom_weights(args.custom_weights)
    return ReadOptions(weights, args.allow_trailing_weights, custom)


def add_image_options(group: Group) -> None:
    """Add the options for the preprocessing of images."""
    group.add_argument(
        "--mean",
        metavar="V[,V…]",
        type=floats,
        default=(),
        help="subtract this from images: one value per channel, or one for all",
    )
    group.add_argument(
        "--norm",
        metavar="V[,V…]",
        type=floats,
        default=(),
        help="multiply the difference by this: one value per channel, or one for all",
    )
    group.add_argument(
        "--to-rgb", action="store_true", help="use red as the first channel of an image, not blue"
    )


def add_input_shape(group: Group, text: str, name: str = "--input-shape") -> None:
    """Add an option for input shapes with this help."""
    group.add_argument(name, metavar="INPUT=EXTENTS", action="append", default=[], help=text)


def add_devices(group: Group, text: str) -> None:
    """Add the option for devices with this help."""
    group.add_argument("--on", metavar="ADDRESS", action="append", default=[], help=text)


def parse_custom_weights(specs: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return the values of `TYPE=COUNT[,COUNT…]` options. Raises `UsageError`."""
    result: dict[str, tuple[int, ...]] = {}
    for spec in specs:
        name, _, counts = spec.partition("=")
        parts = counts.split(",")
        if not name or not all(p.isdecimal() and int(p) > 0 for p in parts):
            raise UsageError(f"--custom-weights takes TYPE=COUNT[,COUNT…], not '{spec}'")
        result[name] = tuple(int(p) for p in parts)
    return result


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


def tolerance(text: str) -> float:
    """Parse a tolerance of at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"a number of at least 0 is expected, not '{text}'")
    return value


def floats(text: str) -> tuple[float, ...]:
    """Parse a list of numbers."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"numbers are expected, not '{text}'") from None
