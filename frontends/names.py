"""SSA names for blobs."""

import re

_NO_HINT = re.compile(r"[^A-Za-z0-9_$.\-]")
"""What MLIR does not allow in an SSA name."""


def name_hint(name: str) -> str | None:
    """An SSA name as near to a blob's name as MLIR allows. (xDSL cuts `_12` off the end.)"""
    hint = _NO_HINT.sub("_", name)
    starts_well = hint[:1].isalpha()
    return hint if starts_well else f"b{hint}"
