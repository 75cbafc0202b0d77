"""Frontends: from files to IR, one package per kind of file.

A package lists its `FRONTENDS` in its `__init__`, which imports nothing else; the reader is
imported on use. A new kind is a new package; no other module names it.
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
    """The options of reading a model."""

    weights: str | None = None
    """A file, `none`, or `random[:SEED]`; by default the file that belongs to the graph by its
    name."""
    allow_trailing: bool = False
    """Whether to ignore surplus bytes at the end of a `.bin`."""
    custom_weights: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    """The number of floats of each weight, by custom layer type."""
    custom_types_optional: bool = False
    """Whether such a type may be absent from this model, because it occurs in another one that is
    read with the same options."""
    layer_weights: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    """The number of floats of each weight, by name of a custom layer, from another file."""
    structure_only: bool = False
    """Whether to omit missing weights, with a warning, if no file is named."""
    implicit_module: bool = True
    """Whether to wrap IR without a module in one."""
    allow_unregistered: bool = False
    """Whether IR may contain unregistered operations."""
    verify: bool = True
    """Whether to verify IR. (Other kinds are always checked layer by layer.)"""
    line_offset: int = 0
    """The number of lines before the text in its file, for messages."""


class Frontend(ABC):
    """A kind of file that can be read."""

    kind: ClassVar[str]
    """The file name's suffix, without its dot; also the value of `--frontend`."""
    weights_words: ClassVar[str] = ""
    """The values of `--weights` for models that do not name their weights."""

    def looks_like(self, data: bytes) -> bool:
        """Whether this is the content of such a file, for any name."""
        return False

    def weights_of(self, path: str, options: ReadOptions) -> str | None:
        """Return the file with a model's weights; `None` if there is none, or the model names
        it."""
        return None

    @abstractmethod
    def read(
        self, data: bytes, path: str, options: ReadOptions, context: "Callable[[], Context]"
    ) -> "tuple[ModuleOp, list[str]]":
        """Return the module of a model with the content `data`, and warnings. `context` builds a
        context with all dialects.

        Raises `FormatError`, the errors of parsing and verifying IR, and `OSError` if the weights
        cannot be opened.
        """


@cache
def frontends() -> Mapping[str, Frontend]:
    """Return all kinds by name, longest suffix first."""
    found: list[Frontend] = []
    for folder in iter_modules(__path__):
        if folder.ispkg:
            found += import_module(f"{__name__}.{folder.name}").FRONTENDS
    return {f.kind: f for f in sorted(found, key=lambda f: len(f.kind), reverse=True)}


def frontend_for(path: str, data: bytes = b"") -> Frontend:
    """Return the kind of a file by its name, else by its content; IR by default, as in mlir-opt.
    Raises `FormatError` for a known but unsupported kind."""
    known = frontends()
    by_name = (f for f in known.values() if path.endswith(f".{f.kind}"))
    by_content = (f for f in known.values() if f.looks_like(data))
    found = next(by_name, None) or next(by_content, None)
    if found is None:
        from .unsupported import check_supported

        check_supported(path, data)
    return found or known["mlir"]


def is_weight_path(weights: str | None) -> bool:
    """Whether `--weights` names a file, instead of `none` or `random`."""
    return weights is not None and weights != "none" and weights.partition(":")[0] != "random"
