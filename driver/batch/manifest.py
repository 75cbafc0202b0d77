"""The manifest of an output folder: which outputs are up to date.

Each finished job appends a line of JSON, so a killed run loses nothing. An output is up to date if
the command, its version, its options, the files of the model and the outputs are the same as in the
line. A file with the same size, times and number is not read again; otherwise its hash decides.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Any, cast

from ...formats.file_names import weights_beside
from ...targets.files import OutputFiles
from ...targets.overwriting import weights_beside_mlir
from .jobs import Job

NAME = ".ncnn-opt-manifest"
"""The file in the output folder."""

Print = dict[str, Any]
"""The size, times, number and hash of a file."""
States = Mapping[str, Print | None]
"""The size, times and number of files by path."""


class Manifest:
    """The manifest of one folder for one command line."""

    def __init__(self, folder: str, command: str, version: str, options: Sequence[str]) -> None:
        """Read the manifest. Damaged lines are ignored: their models are processed again."""
        self.path = os.path.join(folder, NAME)
        self._folder = folder
        self._key = _key(command, version, options)
        self._lines: dict[str, Mapping[str, Any]] = {}
        self._count = 0
        with suppress(FileNotFoundError), open(self.path, "rb") as f:
            for line in f:
                self._count += 1
                with suppress(ValueError, KeyError, TypeError, RecursionError):
                    entry = cast(dict[str, Any], json.loads(line))
                    self._lines[str(entry["output"])] = entry

    def is_current(self, job: Job) -> bool:
        """Whether the output of a job is up to date."""
        entry = self._lines.get(self._place(job))
        if entry is None or entry.get("key") != self._key:
            return False
        try:
            return _are_same(job.path, _inputs(job.path), entry["inputs"]) and _are_same(
                job.output, _outputs(job.output), entry["outputs"]
            )
        except (KeyError, TypeError, AttributeError):
            return False

    @staticmethod
    def states(job: Job) -> States:
        """Return the states of a model's files, to be taken before the job starts."""
        return {path: _state_of(path) for path in _inputs(job.path)}

    def add(self, job: Job, before: States) -> None:
        """Record a finished job; `before` are the states of the model's files then. A model that
        has changed since is not recorded, unless the job itself replaced it."""
        replaced = {os.path.realpath(path) for path in _outputs(job.output)}
        in_place = any(os.path.realpath(path) in replaced for path in before)
        inputs = _prints(job.path, _inputs(job.path))
        if not in_place and self.states(job) != before:
            return
        place = self._place(job)
        entry: dict[str, Any] = {
            "output": place,
            "key": self._key,
            "inputs": inputs,
            "outputs": _prints(job.output, _outputs(job.output)),
        }
        self._lines[place] = entry
        self._count += 1
        with open(self.path, "ab") as f:
            if f.tell() and not self._ends_with_a_line():
                f.write(b"\n")
            f.write(json.dumps(entry).encode() + b"\n")

    def compact(self) -> None:
        """Remove the lines of earlier runs once they are the majority."""
        if self._count > 2 * len(self._lines) + 8:
            with OutputFiles() as files:
                stream = files.create(self.path, "w")
                stream.writelines(json.dumps(entry) + "\n" for entry in self._lines.values())

    def _ends_with_a_line(self) -> bool:
        with open(self.path, "rb") as f:
            f.seek(-1, os.SEEK_END)
            return f.read() == b"\n"

    def _place(self, job: Job) -> str:
        return os.path.relpath(job.output, self._folder)


def _key(command: str, version: str, options: Sequence[str]) -> str:
    """Return a hash of everything but the model that the output depends on, with the size and time
    of each file that an option names."""
    options = [option for option in options if option not in ("-q", "--quiet")]
    parts: list[Any] = [command, version, *options]
    for option in options:
        for path in {option, option.partition("=")[2]}:
            parts += _states(path) if path else ()
    return blake2b(repr(parts).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _states(path: str) -> Iterator[tuple[str, int, int]]:
    """Yield the path, size and time of a file, or of all files in a folder."""
    with suppress(OSError, ValueError):
        if os.path.isdir(path):
            for name in sorted(os.listdir(path)):
                yield from _states(os.path.join(path, name))
        else:
            found = os.stat(path)
            yield path, found.st_size, found.st_mtime_ns


def _inputs(path: str) -> list[str]:
    """Return the files that a model may consist of."""
    stem = path.removesuffix(".ncnn.param")
    beside = [f"{stem}.pnnx.param", f"{stem}.pnnx.bin"] if stem != path else []
    return list(dict.fromkeys([path, weights_beside(path), weights_beside_mlir(path), *beside]))


def _outputs(path: str) -> list[str]:
    """Return the files that a command may write for an output."""
    stem = os.path.splitext(path)[0]
    beside = [weights_beside(path), *(f"{s}{e}" for s in (path, stem) for e in (".bin", ".json"))]
    return list(dict.fromkeys([path, *beside, f"{stem}.h"]))


def _prints(path: str, paths: Sequence[str]) -> dict[str, Print]:
    """Return the prints of those files that exist, by path relative to the folder of `path`."""
    folder, found = os.path.dirname(path), dict[str, Print]()
    for each in paths:
        state = _state_of(each)
        if state is not None and os.path.isfile(each):
            with suppress(OSError):
                found[os.path.relpath(each, folder or ".")] = {**state, "hash": _hash(each)}
    return found


def _are_same(path: str, paths: Sequence[str], recorded: Mapping[str, Print]) -> bool:
    """Whether exactly the recorded files exist, unchanged."""
    folder = os.path.dirname(path)
    for each in paths:
        old = recorded.get(os.path.relpath(each, folder or "."))
        now = _state_of(each)
        if old is None or now is None:
            if old is not now:
                return False
        elif now["size"] != old["size"]:
            return False
        elif any(now[name] != old[name] for name in now) and _hash(each) != old["hash"]:
            return False
    return True


def _state_of(path: str) -> Print | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    times = {"mtime": found.st_mtime_ns, "ctime": found.st_ctime_ns}
    return {"size": found.st_size, **times, "inode": found.st_ino}


def _hash(path: str) -> str:
    found = blake2b(digest_size=16)
    with open(path, "rb", buffering=0) as f:
        while part := f.read(1 << 20):
            found.update(part)
    return found.hexdigest()
