"""Verifier checks for layers that the runtime refuses to load."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.utils.exceptions import VerifyException

if TYPE_CHECKING:
    from .layer import LayerOp

INT_MAX = 2**31 - 1


def check(op: "LayerOp", holds: bool, what: str) -> None:
    """Raise `VerifyException` with `what` unless the condition holds."""
    if not holds:
        raise VerifyException(f"{op.label()}: {what}")


def check_range(op: "LayerOp", least: int, most: int, *names: str) -> None:
    """Check that parameters are in a range."""
    for name in names:
        value = getattr(op, name)
        if not least <= value <= most:
            bound = f"less than {least}" if value < least else f"greater than {most}"
            raise VerifyException(f"{op.label()}: {name} is {value}, {bound}")


def check_axes(op: "LayerOp", axes: Sequence[int]) -> None:
    """Check that a list of axes is valid for some rank."""
    check(op, len(axes) <= 4, f"{len(axes)} axes, but a blob has at most 4")
    for axis in axes:
        check(op, -4 <= axis <= 3, f"no blob has an axis {axis}")
