"""What the parsers of all command lines have in common."""

import argparse
from collections.abc import Sequence
from math import nan
from typing import NoReturn

from ..driver.errors import UsageError
from ..frontends import ReadOptions
from .completion import SHELLS, PrintCompletion

Group = argparse.ArgumentParser | argparse._ArgumentGroup  # pyright: ignore[reportPrivateUsage]
"""What options are added to."""


class Parser(argparse.ArgumentParser):
    """Mistakes are `UsageError`s."""

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
            help="print what completes this command in a shell, and exit",
        )
        self.add_argument(
            "-q", "--quiet", action="store_true", help="say nothing on standard error but errors"
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def add_reading_options(group: Group, several: bool = False) -> None:
    """Adds the options on how a model is read; of `several` models each has its own weights."""
    group.add_argument(
        "--weights",
        metavar="FILE|none|random[:SEED]",
        action="append" if several else "store",
        default=[] if several else None,
        help="the weights of a .param: by default the .bin beside it; none: structure only"
        + ("; given twice it is for both models in order" if several else ""),
    )
    group.add_argument(
        "--pnnx",
        metavar="FILE",
        help="the .pnnx.param of the model: what its .param lacks (layers that ncnn does not have) "
        "is taken from there" + ("; it is for the first model" if several else ""),
    )
    group.add_argument(
        "--custom-weights",
        metavar="TYPE=COUNT[,COUNT…]",
        action="append",
        default=[],
        help="floats of each weight of a custom layer type, one more where it is loaded with a tag "
        "(may be given several times)",
    )
    group.add_argument(
        "--allow-trailing-weights",
        action="store_true",
        help="ignore bytes left over at the end of a .bin",
    )


def add_for_ncnn(group: Group) -> None:
    """Adds the release of the runtime that a model is for."""
    group.add_argument(
        "--for-ncnn",
        metavar="RELEASE|latest",
        help="the oldest release of ncnn that must run the result, as 20240820: rewrites make "
        "nothing that it lacks; without it, the oldest release that runs the model",
    )


def reading_options(args: argparse.Namespace, weights: str | None) -> ReadOptions:
    """What these options say. Raises `UsageError`."""
    custom = parse_custom_weights(args.custom_weights)
    return ReadOptions(weights, args.allow_trailing_weights, custom)


def add_image_options(group: Group) -> None:
    """Adds the options on how an image becomes a blob."""
    group.add_argument(
        "--mean",
        metavar="V[,V…]",
        type=floats,
        default=(),
        help="subtracted from images, a value a channel or one for all",
    )
    group.add_argument(
        "--norm", metavar="V[,V…]", type=floats, default=(), help="what the difference is times"
    )
    group.add_argument(
        "--to-rgb", action="store_true", help="red is the first channel of an image, not blue"
    )


def add_input_shape(group: Group, text: str, name: str = "--input-shape") -> None:
    """Adds `--input-shape` with this help."""
    group.add_argument(name, metavar="INPUT=EXTENTS", action="append", default=[], help=text)


def parse_custom_weights(specs: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """`TYPE=COUNT[,COUNT…]` options as a mapping. Raises `UsageError`."""
    result: dict[str, tuple[int, ...]] = {}
    for spec in specs:
        name, _, counts = spec.partition("=")
        parts = counts.split(",")
        if not name or not all(p.isdecimal() and int(p) > 0 for p in parts):
            raise UsageError(f"--custom-weights takes TYPE=COUNT[,COUNT…], not '{spec}'")
        result[name] = tuple(int(p) for p in parts)
    return result


def count(text: str) -> int:
    """The value of an option that is a number from 0 on."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"a number of at least 0 is expected, not '{text}'")
    return int(text)


def positive(text: str) -> int:
    """The value of an option that is a number from 1 on."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a positive number is expected, not '{text}'")
    return int(text)


def tolerance(text: str) -> float:
    """The value of an option that is an error from 0 on."""
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"a number of at least 0 is expected, not '{text}'")
    return value


def floats(text: str) -> tuple[float, ...]:
    """The value of an option that is some numbers."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"numbers are expected, not '{text}'") from None
