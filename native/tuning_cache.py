"""What tuning has measured, kept for the next time: a JSON file for each kind of machine.

It holds `format`, `machine` (what the measurements are of), and `entries`: by key, what was found,
the last used at the end. A file that is damaged, or of another format, counts as none.
"""

import json
import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

from .neighbours import digest

FORMAT = 1

MOST = 4096
"""Entries of a file; those that were not used for the longest time go."""

Entry = Mapping[str, Any]


def usual_folder() -> str:
    """Where the user's caches are."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # as the specification of these folders asks
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
        """That of a machine, in this folder or the usual one."""
        cpu = re.sub(r"[^a-z0-9]+", "-", machine["cpu"].lower()).strip("-")[:40]
        name = f"tuning-{cpu}-{digest(*machine.values())[:8]}.json"
        return Cache(os.path.join(folder or usual_folder(), name), machine)

    def get(self, key: str) -> Entry | None:
        """An entry, if it is there."""
        if self._read is None:
            self._read = self._entries()
        entry = self._used.get(key) or self._read.get(key)
        if entry is not None:
            self._used[key] = entry
        return entry

    def put(self, key: str, entry: Entry) -> None:
        """A further entry, in the file after `save`."""
        self._used.pop(key, None)
        self._used[key] = entry

    def save(self) -> None:
        """Writes what was put or used to the file, whole or not at all; what another process has
        written meanwhile stays. Raises `OSError`."""
        entries = {k: v for k, v in self._entries().items() if k not in self._used} | self._used
        kept = dict(list(entries.items())[-MOST:])
        said = {"format": FORMAT, "machine": dict(self.machine), "entries": kept}
        folder = os.path.dirname(self.path)
        os.makedirs(folder, exist_ok=True)
        handle, name = tempfile.mkstemp(suffix=".tmp", prefix="tuning-", dir=folder)
        try:
            with open(handle, "w", encoding="utf-8") as f:
                f.write(json.dumps(said, indent=1) + "\n")
            os.replace(name, self.path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise

    def _entries(self) -> dict[str, Entry]:
        """Those in the file, as far as they are entries."""
        try:
            with open(self.path, encoding="utf-8") as f:
                said = json.load(f)
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(said, dict):
            return {}
        known = cast(dict[str, Any], said)
        entries = known.get("entries")
        same = known.get("format") == FORMAT and known.get("machine") == dict(self.machine)
        if not same or not isinstance(entries, dict):
            return {}
        found = cast(dict[str, Any], entries)
        return {k: cast(Entry, v) for k, v in found.items() if isinstance(v, dict)}
