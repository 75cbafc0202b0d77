"""The input value around which the rounding error of a weight is compensated.

Folding an input's scale and shift into a linear layer gives `W (s x + t) = (W s) (x - c)` with `c =
-t / s`, and the bias absorbs `-(W s) c`. If `W s` is later rounded to `V`, the error is `(V - W s)
x`. For x around 100 and x - c around 1, this error is 100 times the rounding error before the fold.
With `-V c` in the bias, the error is `(V - W s) (x - c)` again. Therefore a weight carries its
center c as an attribute until it is rounded.
"""

from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, f32, f64
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.interfaces import Affine, LinearProducer, along_inputs
from ...dialects.ncnn.normalization import read_float64
from ...dialects.shapes.analysis import Shapes
from ..storage.convert_storage import ROUNDING_CENTER
from .rewriting import all_finite, stored_as, sums_of_scaled


def carry_rounding_offset(old: SSAValue, new: SSAValue, ahead: Affine | None) -> None:
    """Attach the rounding center to a weight that was computed by factors from one that will be
    rounded. `ahead` is the folded scale and shift of the inputs."""
    import numpy as np

    before, after = attached_constant(old), attached_constant(new)
    if before is None or after is None or len(list(new.uses)) > 1:
        return
    center = _center_of(before)
    if ahead is not None and (ahead.shift.any() or center is not None):
        at = -ahead.shift if center is None else center - ahead.shift
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.where(ahead.scale == 0, 0, at / ahead.scale)
        center = at if all_finite((at,)) else None
    if center is not None:
        after.attributes[ROUNDING_CENTER] = DenseArrayBase.from_list(f64, center.tolist())
    else:
        after.attributes.pop(ROUNDING_CENTER, None)


def compensate_rounding(layer: LinearProducer, weight: ConstantOp, lost: Any) -> None:
    """Adjust the bias so that a layer's output at the center of its inputs is unchanged by the
    rounding of its weight. `lost` is the rounding error."""
    import numpy as np

    center, linear = _center_of(weight), layer.linear_map(Shapes())
    if center is None or linear is None or attached_constant(linear.weight) is not weight:
        return
    old = linear.bias
    bias = np.zeros(linear.output.channels) if old is None else read_float64(old)
    if bias is None or (old is not None and stored_as(old) != f32):
        return
    sums = sums_of_scaled(lost, along_inputs(linear, center), linear.output_axis)
    bias = np.broadcast_to(bias.reshape(-1), linear.output.channels)
    bias = (bias + linear.gain / linear.bias_gain * sums).reshape(linear.bias_shape)
    if not all_finite((bias,)):
        return
    new = ConstantOp.holding(bias.astype("f4"), hint=None if old is None else old.name_hint)
    Rewriter.insert_op(new, InsertPoint.before(layer))
    layer.set_linear(linear.weight, new.output)
    if old is not None and not old.uses and isinstance(old.owner, ConstantOp):
        Rewriter.erase_op(old.owner)


def _center_of(weight: ConstantOp) -> Any:
    """Return the rounding center, one value per input channel; `None` for 0."""
    import numpy as np

    given = weight.attributes.get(ROUNDING_CENTER)
    return np.array(given.get_values()) if isinstance(given, DenseArrayBase) else None
