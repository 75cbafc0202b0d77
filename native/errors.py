"""Errors of compiling and running native code, in a module that imports no compiler."""

from ..interpreters.errors import RunError


class NativeError(RunError):
    """A model cannot be compiled, or a compiled model cannot be loaded: a layer has no native form,
    IREE is not installed, or IREE refuses the code."""


MISSING = "{what} needs IREE, which is not installed: pip install 'ncnn-opt[native]'"
"""The message if IREE is not installed."""
