"""How weights are stored in the `.bin`: float16 for half the size, or float32 for all."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

STORAGES = ("fp16", "fp32", "keep")


@dataclass(frozen=True)
class ConvertStorage(ModulePass):
    """Store float weights as float16 (`storage=fp16`) or float32 (`storage=fp32`), wherever the
    file has a tag that can say so; `keep` changes nothing. The runtime computes with the values,
    however they are stored.

    To float16 values are rounded to nearest, so that none changes by more than 1/2048 of the
    largest of its weight: small ones become subnormal, or 0, which a remark counts. A weight stays
    as it is, with a remark, if a finite value of it would become infinite, or if it has only values
    below 2^-14, of which too few bits would be left. To float32 all values stay the same.

    Left alone: weights that have no tag (bias and the like: always float32), all weights of layers
    with int8 or packed ones, those that are blobs of the graph, MemoryData of `load_type` 1, values
    that were left out, and, for fp16, tables of 256 values with a byte an element where those are
    smaller.
    """

    name = "convert-storage"
    storage: str

    def __post_init__(self) -> None:
        """Raises `ValueError` for another word than `fp16`, `fp32` and `keep`."""
        if self.storage not in STORAGES:
            raise ValueError(f"storage is fp16, fp32 or keep, not '{self.storage}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.storage != "keep":
            from .storage import convert

            convert(op, self.storage)
