"""The pass that gives blobs and layers other names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..rewriting.remarks import remark
from .edit import Edit, repeated


@dataclass(frozen=True)
class RenameModel(Edit):
    """Rename inputs, outputs, blobs and layers. Each of `names` is `OLD=NEW`.

    A layer and a blob of one name are both renamed, as in most files a layer and its blob have one
    name. `blob:OLD=NEW` renames only the blob, `layer:OLD=NEW` only the layer. All names are
    replaced at once, so two names can be exchanged: `a=b` and `b=a`.

    The pass fails, and changes nothing, if there is no such name, if two blobs or two layers would
    have one name, or if a `.param` cannot contain the new name.
    """

    name = "rename-model"
    LISTS: ClassVar[Sequence[str]] = ("names",)
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raise `ValueError` unless each text is `OLD=NEW` with a valid new name."""
        from ...formats.param_text import name_error

        for text in self.names:
            old, new = parse_pair(text)
            if not old or not new:
                raise ValueError(f"a new name is given as OLD=NEW, not '{text}'")
            if (problem := name_error(new, "new name")) is not None:
                raise ValueError(problem)
        if (twice := repeated([parse_pair(text)[0] for text in self.names])) is not None:
            raise ValueError(f"'{twice}' is renamed twice")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.ncnn.lookup import model_of
        from .naming import rename

        rename(model_of(op), dict(map(parse_pair, self.names)))
        for text in self.names:
            old, new = parse_pair(text)
            remark(self.name, old, note=f"now '{new}'")


def parse_pair(text: str) -> tuple[str, str]:
    """Return the old and the new name in `OLD=NEW`. (A new name has no equals sign: a blob `0=1`
    would be a parameter.)"""
    old, _, new = text.rpartition("=")
    return old, new
