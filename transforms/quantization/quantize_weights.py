"""Weights as integers, for layers that need no scales of their inputs."""

from dataclasses import dataclass, replace
from typing import Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ...formats.weight_storage import BLOCK_BITS, BLOCK_SIZES
from ..rewriting.option_names import names_in

METHODS = ("minmax", "mse", "awq", "gptq")


@dataclass(frozen=True)
class QuantizeWeights(ModulePass):
    """Store weights as integers, in layers that need no input scale.

    Without `block`: int8 with a scale for each row, or one for all, in Gemm, MultiHeadAttention,
    RNN, LSTM, GRU and Embed. The runtime's int8 code quantizes the input of these layers at run
    time. With `products` (the default), layers that only multiply blobs (SDPA, and Gemm without
    constants) also compute in int8.

    With `block` 32, 64 or 128: integers of `bits` 4, 6 or 8 with a scale for each block of elements
    of a row, in Gemm and MultiHeadAttention. Other layers stay as they are.

    `method` chooses the scales. `minmax` maps the largest value to the largest integer. `mse` clips
    large values to reduce the square error. Two methods read `data`, files of samples of the inputs
    (`.npz`, an array for each input, whose outermost axis counts samples): `awq` scales the input,
    so that columns that meet large inputs get finer steps; `gptq` rounds elements one after the
    other, and later elements compensate for the errors. Both are for blocks, do not clip, and give
    each layer the input that the quantized layers before it make.

    With `table`, a file of scales in the format of ncnn's `ncnnllm2table`, the layers of the table
    get weights in blocks. The table then specifies all options but `keep`; other layers stay float.

    A layer stays as it is, with a remark, if `keep` names it, if it is quantized already, if the
    release that the module is made for does not have such integers, if the runtime does not accept
    blocks with its other parameters, or if a weight is a blob, was left out, has infinities or NaN,
    or has only values too small to be scaled. Rows of zeros have scale 1. The last block of a row
    may be shorter.
    """

    name = "quantize-weights"
    bits: int = 8
    block: int = 0
    method: str = "minmax"
    products: bool = True
    data: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    table: str = ""

    def __post_init__(self) -> None:
        """Raises `ValueError` for options that contradict each other."""
        if self.bits not in BLOCK_BITS:
            raise ValueError(f"bits is 4, 6 or 8, not {self.bits}")
        if self.block not in (0, *BLOCK_SIZES):
            raise ValueError(f"block is 32, 64 or 128, not {self.block}")
        if self.bits != 8 and not self.block:
            raise ValueError(f"{self.bits} bits need a block of 32, 64 or 128")
        if self.method not in METHODS:
            *words, last = METHODS
            raise ValueError(f"method is {', '.join(words)} or {last}, not '{self.method}'")
        calibrated = self.method in ("awq", "gptq")
        if calibrated and not self.block:
            raise ValueError(f"method {self.method} needs a block of 32, 64 or 128")
        if calibrated and not self.data:
            raise ValueError(f"method {self.method} needs data")
        if self.data and not calibrated:
            raise ValueError(f"method {self.method} reads no data")
        if self.table and replace(self, keep=(), table="") != QuantizeWeights():
            raise ValueError("the table specifies bits, block and method")

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        names = {
            key: names_in(key, spec.parameters[key])
            for key in ("data", "keep", "table")
            if key in spec.parameters
        }
        return super().from_spec(ArgSpec(spec.name, {**spec.parameters, **names}))

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .records import emit
        from .weights.all_layers import quantize_weights

        emit(quantize_weights(op, self))
