"""A cache of compiled code: a file per program, `code-KEY.vmfb`, in the folder of measurements.

A file is the SHA-256 of the code, then the code. A damaged file counts as missing.
"""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256

from ..targets.atomic_files import write_file
from .machine import machine

MAX_BYTES = 1 << 30
"""The maximum size of all files; the least recently used go first."""

_DIGEST_BYTES = 32


def key_of(text: str, flags: Sequence[str]) -> str:
    """Return the key of the code for a module and options of the compiler on this machine. Raises
    `NativeError` if IREE is not installed."""
    return sha256(json.dumps([machine(), list(flags), text]).encode()).hexdigest()[:40]


def find(folder: str, key: str) -> bytes | None:
    """Return the code of a key; `None` if it is missing."""
    path = _path(folder, key)
    with suppress(OSError):
        with open(path, "rb") as f:
            digest, code = f.read(_DIGEST_BYTES), f.read()
        if digest == sha256(code).digest():
            os.utime(path)
            return code
    return None


def keep(folder: str, key: str, code: bytes) -> None:
    """Write the code of a key, atomically, and remove files that were not used for long. If there
    is no place for it, do nothing."""
    with suppress(OSError):
        os.makedirs(folder, exist_ok=True)
        write_file(_path(folder, key), sha256(code).digest() + code)
        _remove_old(folder)


def _path(folder: str, key: str) -> str:
    return os.path.join(folder, f"code-{key}.vmfb")


def _remove_old(folder: str) -> None:
    with os.scandir(folder) as found:
        files = [e for e in found if e.name.startswith("code-") and e.name.endswith(".vmfb")]
        sizes = {e.path: (e.stat().st_mtime_ns, e.stat().st_size) for e in files}
    total = 0
    for path in sorted(sizes, key=lambda each: sizes[each], reverse=True):
        total += sizes[path][1]
        if total > MAX_BYTES:
            os.unlink(path)
