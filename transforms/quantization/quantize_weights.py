"""Weights as integers, for layers that need no scales of their inputs."""

from dataclasses import dataclass, replace
from typing import Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ..rewriting.option_names import names_in

METHODS = ("minmax", "mse", "awq", "gptq")
BITS = (4, 6, 8)
BLOCKS = (32, 64, 128)


@dataclass(frozen=True)
class QuantizeWeights(ModulePass):
    """Store weights as integers where the runtime needs no scale of the input for that.

    Without `block`: int8 with a scale a row, or one for all, as the runtime's int8 code takes them
    in Gemm, MultiHeadAttention, RNN, LSTM, GRU and Embed. It quantizes what they are multiplied by
    when they run. With `products` (the default) layers that multiply blobs alone are told to do the
    same: SDPA, and Gemm without constants.

    With `block` 32, 64 or 128: integers of `bits` 4, 6 or 8 with a scale for each so many elements
    of a row, in Gemm and MultiHeadAttention; the others stay as they are.

    `method` says how scales are found: `minmax` lets the largest value be the largest integer,
    `mse` clips it where that has the least square error. With `data`, files of samples of the
    inputs (`.npz`, an array for each input whose outermost axis counts samples), `awq` scales the
    input so that what meets large values gets finer steps, and `gptq` rounds elements one after the
    other, those that follow making up for the error. Both are for blocks, let the largest value be
    the largest integer, and see each layer's input as the quantized layers before it make it.

    With `table`, a file of scales as ncnn's `ncnnllm2table` writes it, the layers of the table get
    weights in blocks by it, which says all but `keep`; others stay float.

    A layer stays as it is, with a remark, if it is quantized already, if the release that the
    module is made for does not have such integers, if a weight is a blob, was
    left out, or has infinities, NaN, or only values too small to be scaled, if the runtime does not
    take blocks with its other parameters, and if `keep` names it. Rows of zeros have the scale 1.
    A last block may have fewer elements.
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
        """Raises `ValueError` for options that do not go together."""
        if self.bits not in BITS:
            raise ValueError(f"bits is 4, 6 or 8, not {self.bits}")
        if self.block not in (0, *BLOCKS):
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
            raise ValueError(f"method {self.method} looks at no data")
        if self.table and replace(self, keep=(), table="") != QuantizeWeights():
            raise ValueError("the table says bits, block and method")

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        names = {
            key: names_in(key, spec.parameters[key])
            for key in ("data", "keep", "table")
            if key in spec.parameters
        }
        return super().from_spec(ArgSpec(spec.name, {**spec.parameters, **names}))

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.ncnn.lookup import find_layer, model_of
        from .weights.all_layers import calibrate, quantize

        for name in self.keep:
            find_layer(model_of(op), name)
        if self.table:
            from ...formats.block_table import read_block_table
            from .weights.block_tables import quantize_by

            with open(self.table, "rb") as f:
                table = read_block_table(f.read(), self.table)
            quantize_by(model_of(op), table, self.table, self.keep)
        elif self.data:
            from .weights.npz_samples import read_samples

            calibrate(model_of(op), self, read_samples(model_of(op), self.data))
        else:
            for func in op.ops:
                if isinstance(func, FuncOp) and not func.is_declaration:
                    quantize(func, self)
