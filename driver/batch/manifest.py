"""The manifest of an output folder: which outputs are up to date.

Each finished job appends a line of JSON, so a killed run loses nothing. An output is up to date if
the command, its version, its options, the files of the model and the outputs are the same as in the
line: the hashes of their contents decide, so equal runs write equal manifests, on any machine.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Any, cast

from ...formats.file_names import weights_beside
from ...targets.atomic_files import OutputFiles
from ...targets.output_checks import weights_beside_mlir
from .jobs import Figures, Job

NAME = ".ncnn-opt-manifest"
"""The file in the output folder."""

Print = dict[str, Any]
"""The size and the hash of a file."""
States = Mapping[str, tuple[int, ...] | None]
"""The size, times and number of files by path."""


class BatchManifest:
    """The manifest of one folder for one command line."""

    def __init__(self, folder: str, command: str, version: str, options: Sequence[str]) -> None:
        """Read the manifest. Damaged lines are ignored: their models are processed again."""
        self.path = os.path.join(folder, NAME)
        self._folder = folder
        self._command = command, version
        self._options = options
        self._keys: dict[Sequence[str], str] = {}
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
        if entry is None or entry.get("key") != self._key(job):
            return False
        try:
            return _are_same(job.path, _inputs(job), entry["inputs"]) and _are_same(
                job.output, _outputs(job.output), entry["outputs"]
            )
        except (KeyError, TypeError, AttributeError):
            return False

    @staticmethod
    def states(job: Job) -> States:
        """Return the states of a model's files, to be taken before the job starts."""
        return {path: _state_of(path) for path in _inputs(job)}

    def figures(self, job: Job) -> Figures:
        """Return the recorded figures of a job whose output is up to date."""
        found: object = self._lines[self._place(job)].get("figures")
        if not isinstance(found, dict):
            return {}
        values = cast(dict[str, Any], found)
        return {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}  # pyright: ignore

    def add(self, job: Job, before: States, figures: Figures) -> None:
        """Record a finished job with its figures; `before` are the states of the model's files
        then. A model that has changed since is not recorded, unless the job itself replaced it."""
        replaced = {os.path.realpath(path) for path in _outputs(job.output)}
        in_place = any(os.path.realpath(path) in replaced for path in before)
        inputs = _prints(job.path, _inputs(job))
        if not in_place and self.states(job) != before:
            return
        place = self._place(job)
        entry: dict[str, Any] = {
            "output": place,
            "key": self._key(job),
            "inputs": inputs,
            "outputs": _prints(job.output, _outputs(job.output)),
            "figures": dict(figures),
        }
        self._lines[place] = entry
        self._count += 1
        with open(self.path, "ab") as f:
            if f.tell() and not self._ends_with_a_line():
                f.write(b"\n")
            f.write(json.dumps(entry).encode() + b"\n")

    def compact(self) -> None:
        """Remove the lines of earlier runs, and sort the lines: jobs end in any order."""
        lines = [json.dumps(self._lines[place]) for place in sorted(self._lines)]
        text = "".join(f"{line}\n" for line in lines)
        with suppress(OSError), open(self.path, "rb") as f:
            if f.read() == text.encode():
                return
        if lines:
            with OutputFiles() as files:
                files.create(self.path, "w").write(text)

    def _key(self, job: Job) -> str:
        if job.options not in self._keys:
            options = [*job.options, *self._options]
            self._keys[job.options] = _key(*self._command, options)
        return self._keys[job.options]

    def _ends_with_a_line(self) -> bool:
        with open(self.path, "rb") as f:
            f.seek(-1, os.SEEK_END)
            return f.read() == b"\n"

    def _place(self, job: Job) -> str:
        return os.path.relpath(job.output, self._folder)


def _key(command: str, version: str, options: Sequence[str]) -> str:
    """Return a hash of everything but the model that the output depends on, with the contents of
    each file that an option names."""
    options = [option for option in options if option not in ("-q", "--quiet")]
    parts: list[Any] = [command, version, *options]
    for option in options:
        for path in {option, option.partition("=")[2]}:
            parts += _states(path) if path else ()
    return blake2b(repr(parts).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _states(path: str) -> Iterator[tuple[str, int, str]]:
    """Yield the path, size and hash of a file, or of all files in a folder."""
    with suppress(OSError, ValueError):
        if os.path.isdir(path):
            for name in sorted(os.listdir(path)):
                yield from _states(os.path.join(path, name))
        elif os.path.isfile(path):
            yield path, os.path.getsize(path), _hash(path)


def _inputs(job: Job) -> list[str]:
    """Return the files that the models of a job may consist of."""
    found: list[str] = []
    for path in (job.path, *job.others):
        stem = path.removesuffix(".ncnn.param")
        beside = [f"{stem}.pnnx.param", f"{stem}.pnnx.bin"] if stem != path else []
        found += [path, weights_beside(path), weights_beside_mlir(path), *beside]
    return list(dict.fromkeys(found))


def _outputs(path: str) -> list[str]:
    """Return the files that a command may write for an output."""
    stem = os.path.splitext(path)[0]
    beside = [weights_beside(path), *(f"{s}{e}" for s in (path, stem) for e in (".bin", ".json"))]
    return list(dict.fromkeys([path, *beside, f"{stem}.h"]))


def _prints(path: str, paths: Sequence[str]) -> dict[str, Print]:
    """Return the prints of those files that exist, by path relative to the folder of `path`."""
    folder, found = os.path.dirname(path), dict[str, Print]()
    for each in paths:
        with suppress(OSError):
            if os.path.isfile(each):
                facts = {"size": os.path.getsize(each), "hash": _hash(each)}
                found[os.path.relpath(each, folder or ".")] = facts
    return found


def _are_same(path: str, paths: Sequence[str], recorded: Mapping[str, Print]) -> bool:
    """Whether exactly the recorded files exist, with the recorded contents."""
    folder = os.path.dirname(path)
    for each in paths:
        old, now = recorded.get(os.path.relpath(each, folder or ".")), _state_of(each)
        if old is None or now is None:
            if old is not now:
                return False
        elif now[0] != old["size"] or _hash(each) != old["hash"]:
            return False
    return True


def _state_of(path: str) -> tuple[int, ...] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def _hash(path: str) -> str:
    found = blake2b(digest_size=16)
    with open(path, "rb", buffering=0) as f:
        while part := f.read(1 << 20):
            found.update(part)
    return found.hexdigest()
