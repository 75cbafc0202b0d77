"""The real ncnn runtime: the oracle of these tests."""

from collections.abc import Sequence
from functools import cached_property

from ncnn_opt.runtime import process
from ncnn_opt.runtime.host import Array
from ncnn_opt.runtime.process import Blobs, Failure

from .oracle import FILLS, Oracle

__all__ = ["Array", "Blobs", "Failure", "Runtime"]


class Runtime(process.Runtime):
    """The runtime as the product calls it, and as `driver.py` does: in filled memory."""

    def __enter__(self) -> "Runtime":
        return self

    @cached_property
    def oracles(self) -> Sequence[Oracle]:
        """One for each byte that memory is filled with, started when they are needed."""
        return [Oracle(fill) for fill in FILLS]

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        for oracle in self.__dict__.get("oracles", ()):
            oracle.close()
