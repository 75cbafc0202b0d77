"""A cache of measurements: a JSON file per kind of machine.

It contains `format`, `machine` (the processor and the versions), and `entries`: results by key,
last used at the end. A damaged file, or one of another format, counts as empty.
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, cast

from .atomic_files import write_file

FORMAT = 1

MAX_ENTRIES = 4096
"""The maximum number of entries in a file; the least recently used go first."""

Entry = Mapping[str, Any]


def digest(*texts: str) -> str:
    """Return a short hash of texts."""
    return sha256("\n\n".join(texts).encode()).hexdigest()[:20]


def default_folder() -> str:
    """Return the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the XDG specification requires this
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "ncnn-opt")


@dataclass
class Cache:
    """Entries in a file."""

    path: str
    machine: Mapping[str, str]
    _used: dict[str, Entry] = field(default_factory=dict[str, Entry])
    _read: dict[str, Entry] | None = None

    @staticmethod
    def of(machine: Mapping[str, str], folder: str | None = None) -> "Cache":
        """Return the cache of a machine, in this folder or the default one."""
        cpu = re.sub(r"[^a-z0-9]+", "-", machine["cpu"].lower()).strip("-")[:40]
        name = f"tuning-{cpu}-{digest(*machine.values())[:8]}.json"
        return Cache(os.path.join(folder or default_folder(), name), machine)

    def get(self, key: str) -> Entry | None:
        """Return an entry; `None` if it is missing."""
        if self._read is None:
            self._read = self._entries()
        entry = self._used.get(key) or self._read.get(key)
        if entry is not None:
            self._used[key] = entry
        return entry

    def put(self, key: str, entry: Entry) -> None:
        """Add an entry. `save` writes it to the file."""
        self._used.pop(key, None)
        self._used[key] = entry

    def save(self) -> None:
        """Write new and used entries to the file, atomically. Entries that another process wrote
        meanwhile stay. Raises `OSError`."""
        entries = {k: v for k, v in self._entries().items() if k not in self._used} | self._used
        kept = dict(list(entries.items())[-MAX_ENTRIES:])
        data = {"format": FORMAT, "machine": dict(self.machine), "entries": kept}
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        write_file(self.path, json.dumps(data, indent=1) + "\n")

    def _entries(self) -> dict[str, Entry]:
        """Return the valid entries of the file."""
        try:
            with open(self.path, encoding="utf-8") as f:
                data = json.load(f)
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(data, dict):
            return {}
        known = cast(dict[str, Any], data)
        entries = known.get("entries")
        same = known.get("format") == FORMAT and known.get("machine") == dict(self.machine)
        if not same or not isinstance(entries, dict):
            return {}
        found = cast(dict[str, Any], entries)
        return {k: cast(Entry, v) for k, v in found.items() if isinstance(v, dict)}
