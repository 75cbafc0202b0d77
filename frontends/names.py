"""SSA names for blobs."""

import re

_NO_HINT = re.compile(r"[^A-Za-z0-9_$.\-]")
"""The characters that MLIR does not allow in an SSA name."""


def name_hint(name: str) -> str:
    """Return the valid SSA name closest to a blob's name. (xDSL removes a final `_12`.)"""
    hint = _NO_HINT.sub("_", name)
    return hint if hint[:1].isalpha() else f"b{hint}"
