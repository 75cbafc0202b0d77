"""From IR to files: a folder a kind of file.

A folder has a `TARGETS` in its `__init__`, which is all that is imported to tell kinds apart: what
writes a file comes when there is one to write. A new kind is a new folder; nothing else names it.
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
from .overwriting import Origin, OutputError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..dialects.ncnn.weight_file import Scratch


class Progress(Protocol):
    """What is told how far long work is."""

    def update(self, done: int) -> None: ...


@dataclass(frozen=True)
class Output:
    """A model that is to be written."""

    path: str
    weights: str | None = None
    """The file with the weights; by default what belongs to `path` by its name."""
    origin: Origin = Origin()
    """Where the model came from, which must stay whole unless it is replaced."""
    printing: MlirOptions = MlirOptions()
    """How IR is printed."""
    progress: Callable[[str, int], AbstractContextManager[Progress]] | None = None
    """Is called with what is done, and how many bytes that is."""
    note: Callable[[str], None] | None = None
    """Is told what a user would not expect."""
    graph_only: bool = False
    """Whether a `.param` is written without a `.bin`, as it was read."""


class Summary(NamedTuple):
    """How large a model is."""

    layers: int
    weight_bytes: int
    types: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many layers there are of each type."""


class Writing(ABC):
    """A model that is being written."""

    def __init__(self, module: "ModuleOp", output: Output) -> None:
        self.module = module
        self.output = output

    def summary(self) -> Summary | None:
        """How large it is as a `.param`; `None` for IR that is no such model."""
        from .param.export import summarize

        return summarize(self.module)

    @abstractmethod
    def finish(self) -> None:
        """Writes all files, or none. The constants of IR refer to what was written afterwards.
        Raises `FormatError`, `OutputError`, `OSError` and `VerifyException`."""


class Target(ABC):
    """A kind of file that is written."""

    kind: ClassVar[str]
    """What its name ends with, after a dot."""

    @abstractmethod
    def begin(
        self, module: "ModuleOp", output: Output, scratch: "Scratch | None" = None
    ) -> AbstractContextManager[Writing]:
        """Begins to write a module that passes still change; `scratch` is where they put large
        weights. What is not finished within the context leaves nothing behind. Raises `OutputError`
        where the files would replace what they must not, and `OSError`."""

    def keeps(self, module: "ModuleOp") -> bool:
        """Whether the IR of this module has its weights in a file that only this kind can write."""
        return False

    def write_ir(self, module: "ModuleOp", output: Output) -> None:
        """Writes the IR of such a module with its weights; as `Writing.finish`."""
        raise NotImplementedError

    def refusal(self, path: str) -> str | None:
        """What to say to somebody who wants a file of this name, if it is none of any target."""
        return None


@cache
def targets() -> Mapping[str, Target]:
    """All kinds by name, those with the longest endings first."""
    found: list[Target] = []
    for folder in iter_modules(__path__):
        if folder.ispkg:
            found += import_module(f"{__name__}.{folder.name}").TARGETS
    return {t.kind: t for t in sorted(found, key=lambda t: len(t.kind), reverse=True)}


def target_for(path: str) -> Target:
    """The kind of a file by its name. Raises `OutputError` if it has none that is written."""
    known = targets().values()
    if refusals := [said for target in known if (said := target.refusal(path)) is not None]:
        raise OutputError(refusals[0])
    found = next((target for target in known if path.endswith(f".{target.kind}")), None)
    if found is None:
        raise OutputError(
            f"what to write to '{path}' cannot be told from its name; .param or .mlir"
        )
    return found
