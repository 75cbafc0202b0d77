"""Copying the weights of a large model while passes run. Passes change few weights, so most of the
new `.bin` equals the old one."""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import IO

from xdsl.dialects.builtin import ModuleOp

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.weight_file import Scratch, WeightError, WeightFile
from ...dialects.ncnn.weights import WeightAttr
from ..copying import STEP, TooShort, begin_writeback, copy_range
from ..files import OutputFiles, descriptor_of

LEAST = 1 << 26
"""The size in bytes from which a weight file is copied ahead."""


class CopyAhead:
    """A `.bin` that is being written and begins as a copy of a weight file.

    A thread copies until `finish`, or until passes create large weights (much of the file then
    changes). Errors of the copy are left to the writer of the rest.
    """

    def __init__(
        self, file: WeightFile, files: OutputFiles, path: str, scratch: Scratch | None
    ) -> None:
        self.file = file
        self.files = files
        self.out: IO[bytes] = files.create(path, "wb")
        self._scratch = scratch
        self._ready = 0
        self._enough = Event()
        self._thread = Thread(target=self._copy, daemon=True)
        self._thread.start()

    def _copy(self) -> None:
        with suppress(OSError, WeightError, TooShort), self.file.stream() as source:
            while self._ready < self.file.size and not self._enough.is_set():
                if self._scratch is not None and self._scratch.size:
                    break
                count = min(STEP, self.file.size - self._ready)
                copy_range(source.fileno(), self.out, self._ready, count)
                begin_writeback(self.out, self._ready, count)
                self._ready += count

    def stop(self) -> None:
        """Stop copying."""
        self._enough.set()
        self._thread.join()

    def finish(self) -> int:
        """Stop copying and seek to the beginning of the new file. Return the number of bytes copied
        from the old file."""
        self.stop()
        self.out.seek(0)
        os.ftruncate(self.out.fileno(), self._ready)
        return self._ready


@contextmanager
def copying_ahead(
    module: ModuleOp, path: str, scratch: Scratch | None
) -> Generator[CopyAhead | None]:
    """Copy the weights of a module that will be written to the `.bin` at `path`, if they are large
    and in a file. `scratch` is the passes' storage of large weights. Raises `OSError`."""
    file = _weights_of(module)
    ordinary = descriptor_of(path) is None and (not os.path.exists(path) or os.path.isfile(path))
    if file is None or file.size < LEAST or not ordinary:
        yield None
        return
    files = OutputFiles()
    try:
        ahead = CopyAhead(file, files, path, scratch)
        try:
            yield ahead
        finally:
            ahead.stop()
    finally:
        files.discard()  # no effect if they have appeared


def _weights_of(module: ModuleOp) -> WeightFile | None:
    """Return the file of the first weight."""
    for op in module.walk():
        if isinstance(op, ConstantOp) and isinstance(op.value, WeightAttr):
            return op.value.data.file
    return None
