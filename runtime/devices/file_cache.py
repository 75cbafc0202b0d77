"""The cache folder on a device: files by the hash of their content, with a limit on their size."""

import hashlib
import os
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from .address import DeviceError
from .transport import Done, Transport

LIMIT = 2**30
"""The largest number of bytes of all models in the folder; the least recently used files go."""
PREPARED = "prepared"
"""The file that contains the kind of runner, `python PATH` or `program NAME`."""
PARTIAL = ".partial"
"""The ending of files that are being copied."""
_DIGITS = 24

MIB = 2**20


@dataclass
class Remote:
    """The files in the cache folder of a device."""

    transport: Transport
    folder: str = ""
    free: int = 0
    """The free bytes of the disk."""
    prepared: str = ""
    """The content of `PREPARED`, without the newline."""
    sizes: dict[str, int] = field(default_factory=dict[str, int])
    """The size of each file by name, the least recently used first."""
    limit: int = LIMIT

    @staticmethod
    def open(transport: Transport) -> "Remote":
        """Create the folder if it is missing, and list it. Raise `DeviceError`."""
        script = (
            f"umask 077; d={transport.folder}; "
            'mkdir -p "$d" && cd "$d" && pwd && df -kP . | tail -n 1 || exit 1; '
            f"echo = $(cat {PREPARED} 2>/dev/null); "
            f"find . -name '.*{PARTIAL}' -mmin +60 -exec rm -f {{}} + 2>/dev/null; "
            "stat -c '%Y %s %n' -- * 2>/dev/null; true"
        )
        done = transport.run(script)
        if done.status:
            raise DeviceError(f"{transport.address}: no cache folder: {done.reason}")
        return Remote(transport).read(done.out)

    def read(self, text: str) -> "Remote":
        """Take the folder's list from the output of a device."""
        folder, disk, prepared, *lines = [line.strip() for line in text.splitlines()]
        numbers = [int(word) for word in disk.split() if word.isdecimal()]
        self.folder, self.prepared = folder, prepared.removeprefix("=").strip()
        # The numbers are the size, the used and the available blocks of 1024 bytes.
        self.free = 1024 * numbers[2] if len(numbers) > 2 else 1 << 62
        rows = [line.split(" ", 2) for line in lines if line.count(" ") >= 2]
        rows.sort(key=lambda row: int(row[0]))
        self.sizes = {name: int(size) for _, size, name in rows}
        return self

    def put(self, local: Path, kind: str, kept: Iterable[str] = ()) -> str:
        """Copy a file unless the folder has it. Return its name there: a hash and the kind. Older
        files go if there is too little room; files in `kept` stay. Raise `DeviceError`."""
        name = f"{digest_of(local)}.{kind}"
        if name not in self.sizes:
            size = local.stat().st_size
            self._make_room(name, size, {*kept, name})
            self._copy(local, name, size)
            self.sizes[name] = size
        return name

    def remove(self, names: Iterable[str]) -> None:
        """Remove files."""
        listed = [name for name in names if name in self.sizes]
        if listed:
            words = " ".join(shlex.quote(f"{self.folder}/{name}") for name in listed)
            self._check(self.transport.run(f"rm -f -- {words}"), "rm")
        for name in listed:
            del self.sizes[name]

    def write_prepared(self, text: str) -> None:
        """Write the kind of runner."""
        path = shlex.quote(f"{self.folder}/{PREPARED}")
        self._check(self.transport.run(f"echo {shlex.quote(text)} > {path}"), PREPARED)
        self.prepared = text

    def _make_room(self, name: str, size: int, kept: set[str]) -> None:
        address, runner = self.transport.address, self.prepared.split(" ")[-1]
        old = [n for n in self.sizes if n not in kept and n not in (PREPARED, runner)]
        gone: list[str] = []
        used, free = sum(self.sizes.values()), self.free
        while old and (used + size > self.limit or free < size):
            gone.append(old.pop(0))
            used, free = used - self.sizes[gone[-1]], free + self.sizes[gone[-1]]
        if used + size > self.limit:
            raise DeviceError(
                f"{address}: the models of this session are larger than the limit of the cache "
                f"folder there, {self.limit / MIB:.0f} MiB"
            )
        self.remove(gone)
        self.free = free
        if free < size:
            raise self._full(size)

    def _copy(self, local: Path, name: str, size: int) -> None:
        # Two sessions may copy the same file: each has a partial file of its own.
        partial = f"{self.folder}/.{name}.{token()}{PARTIAL}"
        done = self.transport.push(local, f"{self.folder}/{name}", partial)
        if done.status:
            if "No space left" in done.err:
                raise self._full(size)
            raise DeviceError(f"{self.transport.address}: '{local}' is not copied: {done.reason}")
        self.free -= size

    def _full(self, size: int) -> DeviceError:
        return DeviceError(
            f"{self.transport.address}: the disk there is full: {size / MIB:.1f} MiB are needed in "
            f"{self.folder}; free some space there"
        )

    def _check(self, done: Done, what: str) -> None:
        if done.status:
            raise DeviceError(f"{self.transport.address}: {what}: {done.reason}")


def token() -> str:
    """Return a text that no other session uses."""
    return os.urandom(4).hex()


def digest_of(path: Path) -> str:
    """Return a hash of a file's content."""
    with path.open("rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()[:_DIGITS]
