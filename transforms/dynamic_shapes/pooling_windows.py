"""Pooling windows as large as the blob, as adaptive windows."""

from ...dialects.ncnn.extents import ABSENT
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.spatial import axes_of, kernel_of, pads_of, strides_of
from ...dialects.shapes.terms import ExtentTerm
from .exported_model import ExportedModel, extents_along


def make_pooling_adaptive(op: Pool1D, model: ExportedModel) -> None:
    """Make a Pooling whose window is the whole extent of an axis adaptive, with an output extent
    of 1.

    Conditions: along every other axis the window has one element, and there is no padding. Other
    windows slide.
    """
    source, shapes = model.of(op.input), model.shapes(op.input)
    exports = model.exports(op)
    axes = axes_of(op)
    if op.global_pooling or op.adaptive_pooling or source is None or shapes is None:
        return
    if len(source) != len(axes) + 1:
        return
    wanted: dict[str, int] = {}
    is_dynamic = False
    along = zip(*map(kernel_of, exports), strict=True)
    rows = zip(axes, along, strides_of(op), strict=True)
    for place, (axis, kernels, stride) in enumerate(rows, 1):
        if kernels == extents_along(shapes, place) and max(kernels) > 1:
            wanted[axis] = 1
            is_dynamic = is_dynamic or isinstance(source[place], ExtentTerm)
        elif {*kernels, stride} == {1}:
            wanted[axis] = ABSENT
        else:
            return
    if not is_dynamic or any(pads_of(op)):
        return
    if axes == "w":  # Pooling1D has no out_w of -233
        op.set_params(adaptive_pooling=1, out_w=1)
        return
    op.set_params(adaptive_pooling=1, **{f"out_{axis}": n for axis, n in wanted.items()})
