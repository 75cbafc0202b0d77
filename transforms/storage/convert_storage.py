"""The pass that sets the storage type of weights in the `.bin`: float16, bfloat16, float32, or the
type of the original weights."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...formats.weight_storage import STORAGE_OPTIONS, WeightStorage

DEFAULT_STORAGE = "keep"

ROUNDED_STORAGE = "original"

STORAGES = (*STORAGE_OPTIONS, DEFAULT_STORAGE, ROUNDED_STORAGE)

GROWTH = "ncnn.growth"
"""The module attribute for limited growth (`limit-growth`): the limit and the added bytes."""

STORED = "ncnn.stored"
"""The attribute of a float32 weight that a pass computed from a 16-bit weight: the 16-bit type."""

ROUNDING_CENTER = "ncnn.centre"
"""The attribute of a weight that will be rounded to 16 bits: the shift of its inputs that was
folded into the bias (`canonicalization/rounding_offsets.py`)."""


def check_storage(storage: str) -> None:
    """Raise `ValueError` for a word that is not in `STORAGES`."""
    if storage not in STORAGES:
        *words, last = STORAGES
        raise ValueError(f"storage must be {', '.join(words)} or {last}, not '{storage}'")


@dataclass(frozen=True)
class ConvertStorage(ModulePass):
    """Store float weights as float16 (`storage=fp16`), bfloat16 (`bf16`) or float32 (`fp32`),
    wherever the file format allows it: where the weight has a tag. The values do not depend on the
    storage type, except for rounding. Release 20261020 of the runtime reads bfloat16.

    `keep`, the default of `ncnn-opt`, rounds nothing. A weight that an earlier pass computed from a
    float16 or bfloat16 weight has 16 bits if these represent all values exactly, for example after
    a multiplication with a power of two. Otherwise it is float32.

    `original` rounds such weights to 16 bits once, if 16 bits represent them as precisely as the
    original weights: each row's error is at most sqrt(2) times the error of float16's normal
    values, which is a relative 2^-11 (see `canonicalization/precision.py`). Other weights stay
    float32, with a remark. If a shift of the inputs was folded into a bias, the bias compensates
    for the rounding error of the shift.

    Conversion to float16 rounds to nearest. No value changes by more than 1/2048 of the largest
    value of its weight. Small values become subnormal or 0; a remark gives the number of new zeros.
    A weight is not converted, with a remark, if a finite value would become infinite, or if all
    values are below 2^-14 and would lose too many bits. Conversion to bfloat16 rounds to nearest,
    too: no normal value changes by more than 1/256 of itself, and weights of models that were
    trained in bfloat16 do not change. Conversion to float32 is exact.

    The pass does not change weights without a tag (such as biases, which are always float32), the
    weights of layers with int8 or packed weights, weights that are blobs of the graph, MemoryData
    with `load_type` 1, omitted values, and, for 16 bits, tables of 256 values with one byte per
    element that are smaller than 16 bits.

    Each of `of` is `PATTERN=STORAGE`: the storage (fp16, bf16 or fp32) of the layers whose type or
    name matches, as `Gemm*=fp16`. If no layer is named `head` or `stem`, `head=fp32` is for the
    last layers with weights before each output, and `stem` for the first ones behind each input.
    The last pattern that matches a layer decides. A weight that several layers read is float32 if
    one of them needs it. It is an error if a pattern matches no layer.
    """

    name = "convert-storage"
    storage: str
    of: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise `ValueError` for a word that is not in `STORAGES`."""
        check_storage(self.storage)
        for text in self.of:
            pattern, _, storage = text.rpartition("=")
            if not pattern or storage not in STORAGE_OPTIONS:
                words = " or ".join(STORAGE_OPTIONS)
                raise ValueError(f"the storage of layers is PATTERN={words}, not '{text}'")

    def rounds(self) -> bool:
        """Whether values may change."""
        rounded = [self.storage, *(text.rpartition("=")[2] for text in self.of)]
        return any(
            option == ROUNDED_STORAGE
            or ((storage := WeightStorage.of_option(option)) and storage.element_bytes == 2)
            for option in rounded
        )

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.storage == ROUNDED_STORAGE:
            marked = [constant for constant in op.walk() if STORED in constant.attributes]
            if marked:
                from .element_types import restore

                restore(marked)
        if self.of or self.storage in STORAGE_OPTIONS:
            from .element_types import convert

            convert(op, self.storage, self.of)
        op.attributes.pop(GROWTH, None)
        for constant in op.walk():
            constant.attributes.pop(STORED, None)
            constant.attributes.pop(ROUNDING_CENTER, None)
