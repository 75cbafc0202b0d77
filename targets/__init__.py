"""Targets: from IR to files, one package per kind of file.

A package lists its `TARGETS` in its `__init__`, which imports nothing else; the writer is imported
on use. A new kind is a new package; no other module names it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from .options import MlirOptions
from .output_checks import Origin, OutputError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class ProgressReceiver(Protocol):
    """A receiver of the progress of long work."""

    def update(self, done: int) -> None: ...


@dataclass(frozen=True)
class Output:
    """The options of writing a model."""

    path: str
    weights: str | None = None
    """The weight file; by default the file that belongs to `path` by its name."""
    origin: Origin = Origin()
    """The model's input files, which must stay intact unless they are replaced as a whole."""
    printing: MlirOptions = MlirOptions()
    """The options of printing IR."""
    progress: Callable[[str, int], AbstractContextManager[ProgressReceiver]] | None = None
    """Called with a description of the work and its size in bytes."""
    note: Callable[[str], None] | None = None
    """Called with messages about results that users may not expect."""
    graph_only: bool = False
    """Whether to write a `.param` without a `.bin`, because the input had none."""


class Summary(NamedTuple):
    """The size of a model."""

    layers: int
    weight_bytes: int
    types: Mapping[str, int] = field(default_factory=dict[str, int])
    """The number of layers by type."""


class Writing(ABC):
    """A model that is being written."""

    def __init__(self, module: "ModuleOp", output: Output) -> None:
        self.module = module
        self.output = output

    def summary(self) -> Summary | None:
        """Return the model's size as a `.param`; `None` for IR that is not such a model."""
        from .param.export import summarize

        return summarize(self.module)

    @abstractmethod
    def finish(self) -> None:
        """Write all files, or none. The constants of the IR then refer to the new file.

        Raises `FormatError`, `OutputError`, `OSError` and `VerifyException`.
        """


class Target(ABC):
    """A kind of file that can be written."""

    kind: ClassVar[str]
    """The file name's suffix, without its dot."""

    @abstractmethod
    def begin(self, module: "ModuleOp", output: Output) -> Writing:
        """Begin to write a module that passes may still change. Raises `OutputError` if the files
        would replace files that must stay."""

    def keeps(self, module: "ModuleOp") -> bool:
        """Whether this module's IR has weights in a file that only this kind can write."""
        return False

    def write_ir(self, module: "ModuleOp", output: Output) -> None:
        """Write the IR of such a module with its weights; raises the errors of `Writing.finish`."""
        raise NotImplementedError


@cache
def targets() -> Mapping[str, Target]:
    """Return all kinds by name, longest suffix first."""
    found: list[Target] = []
    for folder in iter_modules(__path__):
        if folder.ispkg:
            found += import_module(f"{__name__}.{folder.name}").TARGETS
    return {t.kind: t for t in sorted(found, key=lambda t: len(t.kind), reverse=True)}


def target_for(path: str) -> Target:
    """Return the kind of a file by its name. Raises `OutputError` for unknown suffixes."""
    found = next((t for t in targets().values() if path.endswith(f".{t.kind}")), None)
    if found is None:
        if path.endswith(".id.h"):
            stem = path.removesuffix(".id.h")
            raise OutputError(
                f"'{path}' is written beside '{stem}.param.bin' and '{stem}.mem.h': "
                "name one of these"
            )
        raise OutputError(
            f"what to write to '{path}' cannot be told from its name; .param, .param.bin, .mem.h "
            "(arrays for C++) or .mlir"
        )
    return found
