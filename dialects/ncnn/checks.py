"""What the runtime refuses to load, as a verifier says it."""

from collections.abc import Sequence

from xdsl.utils.exceptions import VerifyException

from .layer import LayerOp

INT_MAX = 2**31 - 1


def check(op: LayerOp, holds: bool, what: str) -> None:
    """Raises `VerifyException` with what is wrong with a layer, unless a condition holds."""
    if not holds:
        raise VerifyException(f"{op.label()}: {what}")


def check_range(op: LayerOp, least: int, most: int, *names: str) -> None:
    """Checks that parameters have values in a range."""
    for name in names:
        value = getattr(op, name)
        if not least <= value <= most:
            bound = f"less than {least}" if value < least else f"greater than {most}"
            raise VerifyException(f"{op.label()}: {name} is {value}, {bound}")


def check_axes(op: LayerOp, axes: Sequence[int]) -> None:
    """Checks that a list of axes can be one, whatever the blob's dims are."""
    check(op, len(axes) <= 4, f"{len(axes)} axes, a blob has 4 at most")
    for axis in axes:
        check(op, -4 <= axis <= 3, f"no blob has an axis {axis}")
