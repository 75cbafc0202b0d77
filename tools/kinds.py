"""The kinds of files that hold a model, by their names."""

from .errors import UsageError

KINDS = ("mlir", "param", "param.bin", "pnnx.param")
"""The endings of files that hold a model."""


def check_kind_to_write(path: str) -> None:
    """Raises `UsageError` unless a file of this name is a `.param` or `.mlir`."""
    if path.endswith(".param.bin"):
        raise UsageError("ncnn's binary .param.bin is read, but not written; use .param")
    if not path.endswith((".param", ".mlir")):
        raise UsageError(f"what to write to '{path}' cannot be told from its name; .param or .mlir")
