"""Warnings that name the line of the caller's program."""

import sys
import warnings

PACKAGE = __name__.partition(".")[0]


def warn(message: str) -> None:
    """Warn at the line that called this package."""
    frame, level = sys._getframe(1), 2  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == PACKAGE
