"""Copying the weights of a large model while passes run: these change few of them, so that most of
the new `.bin` is the old one."""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import IO

from xdsl.dialects.builtin import ModuleOp

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.weight_file import Scratch, WeightError, WeightFile
from ...dialects.ncnn.weights import WeightAttr
from ..copying import STEP, TooShort, begin_writing, copy_range
from ..files import OutputFiles, descriptor_of

LEAST = 1 << 26
"""From so many bytes on a file of weights is copied ahead."""


class CopyAhead:
    """A `.bin` that is being written, which begins as a copy of a file of weights.

    Another thread copies until `finish`, or until passes make large weights (then much of the file
    is going to be another). What fails there is left to whoever writes the rest.
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
                begin_writing(self.out, self._ready, count)
                self._ready += count

    def stop(self) -> None:
        """Ends the copying."""
        self._enough.set()
        self._thread.join()

    def finish(self) -> int:
        """Ends the copying, and goes back to the beginning of the new file. Returns how many bytes
        there are those of the old one."""
        self.stop()
        self.out.seek(0)
        os.ftruncate(self.out.fileno(), self._ready)
        return self._ready


@contextmanager
def copying_ahead(
    module: ModuleOp, path: str, scratch: Scratch | None
) -> Generator[CopyAhead | None]:
    """Copies the weights of a module that is to be written to the `.bin` at `path`, if there are
    many and this is a file; `scratch` is where passes put large weights. Raises `OSError`."""
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
        files.discard()  # nothing, if they have appeared


def _weights_of(module: ModuleOp) -> WeightFile | None:
    """The file in which the first weight lies."""
    for op in module.walk():
        if isinstance(op, ConstantOp) and isinstance(op.value, WeightAttr):
            return op.value.data.file
    return None
