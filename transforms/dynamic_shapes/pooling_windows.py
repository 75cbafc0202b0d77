"""Pooling windows as large as the blob made windows that follow it."""

from ...dialects.ncnn.extents import ABSENT
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.spatial import axes_of, kernel_of, pads_of, strides_of
from ...dialects.shapes.terms import Term
from .exported_model import SizedModel, as_numbers


def make_relative(op: Pool1D, model: SizedModel) -> None:
    """Lets a window that is the whole extent of an axis be that at any size: adaptive pooling to an
    extent of 1. Only where each axis has such a window or a window of one element, and there is no
    padding; other windows slide."""
    source, shapes = model.of(op.input), model.numbers(op.input)
    exports = model.exports(op)
    axes = axes_of(op)
    if op.global_pooling or op.adaptive_pooling or source is None or shapes is None:
        return
    if len(source) != len(axes) + 1:
        return
    wanted: dict[str, int] = {}
    whole: list[str] = []
    along = zip(*map(kernel_of, exports), strict=True)
    rows = zip(axes, along, strides_of(op), strict=True)
    for place, (axis, kernels, stride) in enumerate(rows, 1):
        if kernels == as_numbers(shapes, place) and max(kernels) > 1:
            wanted[axis] = 1
            if isinstance(source[place], Term):
                whole.append(axis)
        elif {*kernels, stride} == {1}:
            wanted[axis] = ABSENT
        else:
            return
    if not whole or any(pads_of(op)):
        return
    if axes == "w":  # Pooling1D takes the extent itself
        op.set_params(adaptive_pooling=1, out_w=1)
        return
    op.set_params(adaptive_pooling=1, **{f"out_{axis}": n for axis, n in wanted.items()})
