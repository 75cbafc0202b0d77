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
    of `at`, so that the weights of each part have at most `size` bytes, or into so many `parts`, of
    which the largest has as few bytes of weights as possible. `join-models` is the inverse.

    Blobs that a later part reads become outputs of one part and inputs of the other, under their
    names. With `size`, the place with the fewest such blobs is taken among the last fifth of the
    places that the size allows; with `parts`, among those that keep the largest part as small.
    """

    name = "split-model"
    LISTS: ClassVar[Sequence[str]] = ("at", "size", "parts")
    at: tuple[str, ...] = ()
    size: int | None = None
    parts: int | None = None

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Raise `ValueError` for unknown options, or without options."""
        given = {key: spec.parameters.get(key, ()) for key in ("size", "parts")}
        numbers = {key: values for key, values in given.items() if values}
        if not numbers:
            return super().from_spec(spec)
        (key, values), *rest = numbers.items()
        if len(values) != 1 or type(values[0]) is not int or rest or len(spec.parameters) > 1:
            raise ValueError("split-model takes size=BYTES, parts=NUMBER or at=BLOB[,BLOB…]")
        return cls(size=values[0]) if key == "size" else cls(parts=values[0])

    def __post_init__(self) -> None:
        """Raise `ValueError` for contradictory options."""
        if sum((bool(self.at), self.size is not None, self.parts is not None)) > 1:
            raise ValueError("a model is split at blobs, by size, or into a number of parts")
        if self.parts is not None and self.parts < 2:
            raise ValueError("a model is split into two parts or more")
        if self.size is not None and self.size <= 0:
            raise ValueError("the size of a part is a positive number of bytes")
        if (twice := repeated(self.at)) is not None:
            raise ValueError(f"the model is split twice at '{twice}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .splitting import split

        for name, note in split(op, self.at, self.size, self.parts):
            remark(self.name, name, note=note)
