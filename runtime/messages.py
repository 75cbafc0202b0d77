"""The messages between this program and a process that runs models, here or on a device.

A message is a line of JSON, in UTF-8. An array in it is `{"array": EXTENTS, "type": TYPE}`; the
bytes of all arrays follow the line, in their order. Extents begin with the outermost, and a type
has NumPy's name (`<f4`: float32, little-endian). For example, this request has 24 bytes behind its
line:

    {"seconds": 60, "method": "keep", "arguments": [0, {"data": {"array": [2, 3], "type": "<f4"}}]}

The answer is `{"result": …}`, or `{"error": REASON}` for a request that fails. `host.py` has the
requests, and `process.py` sends them. A device runs this file, too, so it needs Python 3.7 and
NumPy only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any, cast

import numpy as np


def send(stream: IO[bytes], message: object) -> None:
    """Write a message. It contains what JSON can express, arrays and scalars of NumPy, and records,
    which arrive as dictionaries of their fields."""
    arrays: list[Any] = []

    def plain(value: object) -> Any:
        if isinstance(value, np.ndarray):
            array = cast("Any", value)
            arrays.append(np.ascontiguousarray(array))
            return {"array": array.shape, "type": array.dtype.str}
        if isinstance(value, np.generic):
            return cast("Any", value).item()
        return dict(cast("Any", value)) if isinstance(value, Mapping) else vars(value)

    line = json.dumps(message, default=plain, ensure_ascii=False)
    stream.write(line.encode("utf-8", "surrogateescape") + b"\n")
    for array in arrays:
        stream.write(array.reshape(-1).view("u1"))
    stream.flush()


def receive(stream: IO[bytes]) -> dict[str, Any]:
    """Return the next message. Raise `EOFError` if the stream ends, and `ValueError` with the
    beginning of a line that is no message."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        raise EOFError

    def with_array(found: dict[str, Any]) -> Any:
        extents, kind = found.get("array"), found.get("type")
        if type(extents) is not list or type(kind) is not str:
            return found
        values = np.empty(cast("list[int]", extents), kind)
        data = values.reshape(-1).view("u1")
        if stream.readinto(data) != data.size:  # pyright: ignore
            raise EOFError
        return values

    try:
        text = line.decode("utf-8", "surrogateescape")
        message = json.loads(text, object_hook=with_array)  # in the order of the arrays
    except (ValueError, TypeError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise ValueError(line[:80].decode(errors="replace").strip())
    return cast("dict[str, Any]", message)
