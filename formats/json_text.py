"""Reading files in JSON."""

import json
from typing import Any

from .errors import parsing


def read_json(data: bytes, path: str, kind: str) -> Any:
    """Return the value in a file's content, which should be of this kind ("a certificate"). Raises
    `FormatError`."""
    with parsing(path, f"the file is not {kind}"):
        return json.loads(data)
