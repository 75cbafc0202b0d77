"""How weights are stored in the `.bin`: float16 for half the size, float32 for all, or as the
weights that they were made of."""

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

STORAGES = ("fp16", "fp32", "keep", "original")

DEFAULT_STORAGE = "keep"

ROUNDED_STORAGE = "original"

GROWTH = "ncnn.growth"
"""The attribute of a module whose growth is limited (`limit-growth`): the limit, and the bytes that
were added."""

STORED = "ncnn.stored"
"""The attribute of a weight in float32 that was made of one of 16 bits: the type of that."""

ROUNDING_CENTER = "ncnn.centre"
"""The attribute of a weight that is to be of 16 bits in the end: what its inputs are shifted by in
the bias (`canonicalization/rounding_centers.py`)."""


def check_storage(storage: str) -> None:
    """Raises `ValueError` for another word than those of `STORAGES`."""
    if storage not in STORAGES:
        *words, last = STORAGES
        raise ValueError(f"storage is {', '.join(words)} or {last}, not '{storage}'")


@dataclass(frozen=True)
class ConvertStorage(ModulePass):
    """Store float weights as float16 (`storage=fp16`) or float32 (`storage=fp32`), wherever the
    file has a tag that can say so. The runtime computes with the values, however they are stored.

    `keep`, the default of `ncnn-opt`, rounds nothing: weights that were made of such in float16 or
    bfloat16 by the passes before have 16 bits where these hold all values exactly, as they do after
    a product with a power of two, and are float32 else.

    `original` rounds such weights to 16 bits again, once, as far as that holds them as well as the
    original was held (each row's error is at most sqrt(2) times that of float16's normal values, a
    relative 2^-11; see `canonicalization/precision.py`). Others stay float32, with a remark. Where
    a shift of the inputs was folded into a bias, the bias makes up for the error of the shift.

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
        """Raises `ValueError` for another word than those of `STORAGES`."""
        check_storage(self.storage)

    def rounds(self) -> bool:
        """Whether values may become others."""
        return self.storage in ("fp16", "original")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.storage == "original":
            marked = [constant for constant in op.walk() if STORED in constant.attributes]
            if marked:
                from .conversion import restore

                restore(marked)
        elif self.storage != "keep":
            from .conversion import convert

            convert(op, self.storage)
        op.attributes.pop(GROWTH, None)
        for constant in op.walk():
            constant.attributes.pop(STORED, None)
            constant.attributes.pop(ROUNDING_CENTER, None)


class Restored:
    """Watches a pipeline: counts what becomes of rewritten weights of 16 bits in the end."""

    def __init__(self) -> None:
        self._marked: list[Operation] = []

    def __call__(
        self, done: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        if isinstance(following, ConvertStorage) and following.storage in ("keep", "original"):
            self._marked = [op for op in module.walk() if STORED in op.attributes]

    def counts(self) -> tuple[int, int]:
        """How many weights have 16 bits again, and how many have not."""
        types = [cast(TensorType[Attribute], op.results[0].type) for op in self._marked]
        again = sum(type_.element_type != f32 for type_ in types)
        return again, len(types) - again
