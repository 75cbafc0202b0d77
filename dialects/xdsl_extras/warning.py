"""Warnings that name the line of the caller's program."""

import sys
import warnings

PACKAGE = __name__.partition(".")[0]


def warn(message: str) -> None:
    """Warn at the line that called this package."""
    frame, level = sys._getframe(1), 2  # pyright: ignore[reportPrivateUsage]
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)
