"""Static int8 for convolutional networks, with scales from a table."""

from dataclasses import dataclass
from typing import Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ..rewriting.option_names import names_in


@dataclass(frozen=True)
class InsertQuantization(ModulePass):
    """Quantize Convolution, ConvolutionDepthWise and InnerProduct layers to int8, with the scales
    of a `table` in ncnn2table's format: for a layer `conv1`, the scales of its weight
    (`conv1_param_0 …`), one for each output channel or group, and the scale of its input
    (`conv1 …`). The layers in `keep` stay float.

    Weights are rounded to `int8(w * scale)`, halves away from zero, within -127 and 127. At run
    time the layer rounds its input in the same way, adds products in int32, and continues in
    float32.

    A layer stays float, with a remark that gives the reason, if

    - the table has no scale for its input, or an infinite scale: the input was always 0;
    - its weights are no float constants of its own;
    - its input is not known to have 3 dims (Convolution), or it pads with a value other than 0,
      which the runtime would read as int8;
    - a scale is so large or small that float32 does not hold 1 / (weight's scale * input's scale).

    A channel of zeros gets scale 1, with a remark: its result does not depend on the scale. Errors
    are: a layer of the table that the model does not have, or that is int8 already; a number of
    scales that differs from the layer's channels or groups; an infinite scale of weights that are
    not 0; weights that are not finite, and weights without values.

    Source: tools/quantize/ncnn2int8.cpp.
    """

    name = "insert-quantization"
    table: str
    keep: tuple[str, ...] = ()

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Raises `ValueError` for other options, or no table."""
        if unknown := [key for key in spec.parameters if key not in ("table", "keep")]:
            raise ValueError(f"insert-quantization has the options table, keep, not '{unknown[0]}'")
        tables = names_in("table", spec.parameters.get("table", ()))
        if len(tables) != 1:
            raise ValueError("insert-quantization needs table=FILE")
        return cls(tables[0], names_in("keep", spec.parameters.get("keep", ())))

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.ncnn.lookup import model_of
        from ...formats.scale_table import read_scale_table
        from .int8 import quantize_static
        from .records import emit

        with open(self.table, "rb") as f:
            table = read_scale_table(f.read(), self.table)
        emit(quantize_static(model_of(op), table, self.table, self.keep))
