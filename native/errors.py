"""What can go wrong on the way to native code."""

from ..interpreters.errors import RunError


class NativeError(RunError):
    """A model cannot be compiled: a layer has no native form, IREE is not installed or refuses the
    code; or what was compiled cannot be loaded."""


MISSING = "{what} needs IREE, which is not installed: pip install 'ncnn-opt[native]'"
"""What to say where IREE is not there."""
