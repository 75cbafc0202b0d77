"""The pass that splits a model into parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.arg_spec import ArgSpec

from ..rewriting.remarks import remark
from .edit import Edit, repeated


@dataclass(frozen=True)
class SplitModel(Edit):
    """Split a model into functions that follow each other: behind the layers that write the blobs
    of `at`, or so that the weights of each part have at most `size` bytes. `join-models`
    is the inverse.

    Blobs that a later part reads become outputs of one part and inputs of the other, under their
    names. With `size`, the place with the fewest such blobs is taken among the last fifth of the
    places that the size allows.
    """

    name = "split-model"
    LISTS: ClassVar[Sequence[str]] = ("at", "size")
    at: tuple[str, ...] = ()
    size: int | None = None

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Raise `ValueError` for unknown options, or without options."""
        sizes = spec.parameters.get("size", ())
        rest = {key: value for key, value in spec.parameters.items() if key != "size"}
        if not sizes:
            return super().from_spec(spec)
        if len(sizes) != 1 or type(sizes[0]) is not int or rest:
            raise ValueError("split-model takes size=BYTES or at=BLOB[,BLOB…]")
        return cls(size=sizes[0])

    def __post_init__(self) -> None:
        """Raise `ValueError` for contradictory options."""
        if self.at and self.size is not None:
            raise ValueError("a model is split at blobs or by size, not both")
        if self.size is not None and self.size <= 0:
            raise ValueError("the size of a part is a positive number of bytes")
        if (twice := repeated(self.at)) is not None:
            raise ValueError(f"the model is split twice at '{twice}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .splitting import split

        for name, note in split(op, self.at, self.size):
            remark(self.name, name, note=note)
