"""From files to IR: a folder a kind of file.

A folder has `FRONTENDS` in its `__init__`, which is all that is imported to tell kinds apart: what
reads a file comes when there is one to read. A new kind is a new folder; nothing else names it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


@dataclass(frozen=True)
class ReadOptions:
    """How to read a model."""

    weights: str | None = None
    """A file, `none`, or `random[:SEED]`; by default what belongs to the graph by its name."""
    allow_trailing: bool = False
    """Whether bytes left over in a `.bin` are ignored."""
    custom_weights: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    """The floats of each weight of a custom layer type."""
    custom_elsewhere: bool = False
    """Whether such a type may be that of another model that is read with the same options."""
    layer_weights: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    """The same of single layers of such types, by name: what another file says of them."""
    structure_only: bool = False
    """Whether weights that are not there are left out, with a warning, where no file is named."""
    implicit_module: bool = True
    """Whether IR that is no module is put into one."""
    allow_unregistered: bool = False
    """Whether IR may hold operations that nobody knows."""
    verify: bool = True
    """Whether IR is verified. (Other kinds are checked layer by layer in any case.)"""


class Frontend(ABC):
    """A kind of file that is read."""

    kind: ClassVar[str]
    """What its name ends with, after a dot; also the word for `--frontend`."""
    weights_words: ClassVar[str] = ""
    """What `--weights` may say, for a model that does not name its weights itself."""

    def looks_like(self, data: bytes) -> bool:
        """Whether this is the content of such a file, whatever its name."""
        return False

    def weights_of(self, path: str, options: ReadOptions) -> str | None:
        """The file with the weights of a model; `None` if there is none, or the model names it
        itself."""
        return None

    @abstractmethod
    def read(
        self, data: bytes, path: str, options: ReadOptions, context: "Callable[[], Context]"
    ) -> "tuple[ModuleOp, list[str]]":
        """The module of a model whose content is `data`, and warnings about it; `context` knows all
        dialects. Raises `FormatError`, what parsing and verifying IR raises, and `OSError` if the
        weights cannot be opened."""


@cache
def frontends() -> Mapping[str, Frontend]:
    """All kinds by name, those with the longest endings first."""
    found: list[Frontend] = []
    for folder in iter_modules(__path__):
        if folder.ispkg:
            found += import_module(f"{__name__}.{folder.name}").FRONTENDS
    return {f.kind: f for f in sorted(found, key=lambda f: len(f.kind), reverse=True)}


def frontend_for(path: str, data: bytes = b"") -> Frontend:
    """The kind of a file by its name, else by its content; as with mlir-opt, else IR. Raises
    `FormatError` for one that is known as something else."""
    known = frontends()
    by_name = (f for f in known.values() if path.endswith(f".{f.kind}"))
    by_content = (f for f in known.values() if f.looks_like(data))
    found = next(by_name, None) or next(by_content, None)
    if found is None:
        from .strangers import check_familiar

        check_familiar(path, data)
    return found or known["mlir"]


def names_weights(weights: str | None) -> bool:
    """Whether `--weights` names a file, rather than what to do without one."""
    return weights is not None and weights != "none" and weights.partition(":")[0] != "random"
