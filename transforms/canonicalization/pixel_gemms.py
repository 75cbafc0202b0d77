"""Gemms on rows of pixels before or after an image: 1x1 Convolutions, where this moves fewer
elements."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TypeAlias

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.assembly import names_of, set_names, take_blob_names
from ...dialects.ncnn.extents import by_axis, reshape_params
from ...dialects.ncnn.interfaces import ElementWise, Reshaping
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.matmul import GemmOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.reshaping import PermuteOp, ReshapeOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.terms import Extent, Extents, provably_equal
from ..rewriting.remarks import emit_remark
from .axis_tracking import axis_before, layouts_before
from .gemm_to_convolution import MAX_LAYERS, convolution, is_linear_in_rows
from .rewriting import changed, only_producer, only_user, put_named, put_new, successor

Layout: TypeAlias = ReshapeOp | PermuteOp

MAX_BLOBS = 9
"""Maximal number of blobs in an expression, which names each blob by one digit; the first one is
0."""


class ConvolveBeforeImage(RewritePattern):
    """Replace Gemms on rows of pixels that later become an image with outermost channels by 1x1
    Convolutions of such an image. The image is built earlier, where it has fewer channels.

    Algebra: with rows r = (i, j) in row-major order, `y[n, i, j] = sum_k W[n, k] x[r, k] + b[n]` is
    a 1x1 Convolution of `z[k, i, j] = x[r, k]`. The layers that build an image of N columns build
    one of K columns before the Gemm. Element-wise layers do not depend on the order of elements.

    Conditions, and why:
    - Permutes and Reshapes, without other users between them, provably turn a blob of 2 dims into
      one of 3: its columns become the channels, and its rows the pixels in order;
    - before them are Gemms and element-wise layers with one user each, which are no outputs; the
      Gemms are linear in their rows (see `is_linear_in_rows`);
    - one of these Gemms provably has fewer columns in its input than the image has channels, so
      that building the image there moves fewer elements. Or the rows come from such an image with
      the same extents: then nothing is moved any more;
    - the parameters of a Reshape can express the extents of the image, perhaps with the extents of
      the blobs that the Reshapes after the Gemms read.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Layout, rewriter: PatternRewriter) -> None:
        if not isinstance(only_producer(op.operands[0], op), PermuteOp | ReshapeOp | GemmOp):
            return
        shapes = shapes_of(rewriter)
        image = shapes.of(op.results[0])
        if image is None or len(image) != 3:
            return
        layouts = (op, *layouts_before(op, 0))
        rows = shapes.of(layouts[-1].operands[0])
        if rows is None or len(rows) != 2 or not isinstance(rows[1], int):
            return
        if axis_before(layouts, 0, shapes, others_stay=True) != 1:
            return
        inside, narrowest = gemms_before(layouts[-1], rows[1], shapes)
        if not inside:
            return
        others = layouts_before(inside[-1], 0)
        source = others[-1].operands[0] if others else None
        if source is not None and is_image_of(source, others, image, shapes):
            narrowest = len(inside)
        else:
            source, others = None, ()
        inside = inside[:narrowest]
        columns = next((g.constantK for g in reversed(inside) if isinstance(g, GemmOp)), None)
        if columns is None:
            return
        reshape = shape_of_image((columns, *image[1:]), rows[0], layouts, shapes)
        if source is None and reshape is None:
            return
        emit_remark(self, *layouts, *inside, *others)
        if source is None and reshape is not None:
            permuted = put_new(op, PermuteOp, [inside[-1].operands[0]], {"order_type": 1}, rewriter)
            source = put_new(op, ReshapeOp, [permuted, *reshape[0]], reshape[1], rewriter)
        assert source is not None
        value = on_image(inside[::-1], source, op, rewriter)
        last = value.owner
        assert isinstance(last, LayerOp)
        take_blob_names(last, op)
        if value.type != op.results[0].type:
            value = rewriter.replace_value_with_new_type(value, op.results[0].type)
        rewriter.replace(op, [], [value])
        for layer in (*layouts[1:], *inside, *others):
            rewriter.erase(layer)


class ConvolveAfterImage(RewritePattern):
    """Replace Gemms on rows that are the pixels of an image by 1x1 Convolutions of the image, where
    the result has fewer channels.

    Algebra: as in `ConvolveBeforeImage`; the rows are built from the result of the Gemm.

    Conditions, and why: as in `ConvolveBeforeImage` with before and after exchanged: the rows
    provably have fewer columns after one of these Gemms.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: Layout, rewriter: PatternRewriter) -> None:
        first = only_user(op)
        if not isinstance(first, GemmOp | ElementWise):
            return
        shapes = shapes_of(rewriter)
        rows = shapes.of(op.results[0])
        if rows is None or len(rows) != 2 or not isinstance(rows[1], int):
            return
        layouts = (op, *layouts_before(op, 0))
        source = layouts[-1].operands[0]
        image = shapes.of(source)
        if image is None or len(image) != 3 or not is_image_of(source, layouts, image, shapes):
            return
        inside = gemms_after(op, rows[1], shapes)
        if not inside:
            return
        last = inside[-1]
        assert isinstance(last, GemmOp)
        outputs = last.constantN
        params = reshape_params((outputs, rows[0]), (outputs, *image[1:]))
        if params is None:
            return
        emit_remark(self, *layouts, *inside)
        value = on_image(inside, source, last, rewriter)
        flat = put_new(last, ReshapeOp, [value], params, rewriter)
        new = successor(last, PermuteOp, [flat], {}, {"order_type": 1})
        set_names(new, None, names_of(last))
        rewriter.replace(last, new)
        for layer in (*inside[-2::-1], *layouts):
            rewriter.erase(layer)


def is_image_of(
    source: SSAValue, layouts: Sequence[Reshaping], image: Extents, shapes: Shapes
) -> bool:
    """Whether rows are provably the pixels, in order, of an image with outermost channels whose
    height and width are the same as those in `image`."""
    shape, rows = shapes.of(source), shapes.of(layouts[0].results[0])
    if shape is None or len(shape) != 3 or not provably_equal(shape[1:], image[1:]):
        return False
    return (
        rows is not None
        and len(rows) == 2
        and axis_before(layouts, 1, shapes, others_stay=True) == 0
    )


def gemms_before(user: LayerOp, width: int, shapes: Shapes) -> tuple[list[LayerOp], int]:
    """Return the Gemms on rows and element-wise layers before a layer, the last one first, and the
    number of them after the narrowest point. It is 0 if no point before the layer has fewer
    columns."""
    found: list[LayerOp] = []
    narrowest = 0
    while len(found) < MAX_LAYERS:
        layer = only_producer(user.operands[0], user)
        if layer is None or not is_on_rows(layer, shapes):
            break
        found.append(layer)
        if isinstance(layer, GemmOp) and layer.constantK < width:
            width, narrowest = layer.constantK, len(found)
        user = layer
    return found, narrowest


def gemms_after(first: LayerOp, width: int, shapes: Shapes) -> list[LayerOp]:
    """Return the Gemms on rows and element-wise layers after a layer, in order, up to the narrowest
    point."""
    found: list[LayerOp] = []
    narrowest = 0
    layer = first
    while len(found) < MAX_LAYERS:
        user = only_user(layer)
        if user is None or user.operands[0] != layer.results[0] or not is_on_rows(user, shapes):
            break
        found.append(user)
        if isinstance(user, GemmOp) and user.constantN < width:
            width, narrowest = user.constantN, len(found)
        layer = user
    return found[:narrowest]


def is_on_rows(layer: LayerOp, shapes: Shapes) -> bool:
    """Whether a layer maps the columns of each row as it could map the channels of each pixel."""
    if isinstance(layer, GemmOp):
        return is_linear_in_rows(layer, shapes) and shapes.rank(layer.operands[0]) == 2
    return isinstance(layer, ElementWise) and layer.is_elementwise() and len(layer.results) == 1


def on_image(
    layers: Sequence[LayerOp], image: SSAValue, before: LayerOp, rewriter: PatternRewriter
) -> SSAValue:
    """Recreate layers on rows as layers on an image, before another layer; return the result of the
    last one."""
    value = image
    for layer in layers:
        if isinstance(layer, GemmOp):
            new = convolution(layer, value, before, rewriter)
        else:
            new = changed(layer, [value], shape_hints=())
        name = None if new.layer_name is None else new.layer_name.data
        value = put_named(before, new, name, rewriter)
    return value


def shape_of_image(
    image: Extents, pixels: Extent, layouts: Sequence[LayerOp], shapes: Shapes
) -> tuple[Sequence[SSAValue], Mapping[str, Value]] | None:
    """Return the further inputs and the parameters of a Reshape that builds an image from channels
    x pixels; `None` if they cannot be expressed."""
    params = reshape_params(image, (image[0], pixels))
    if params is not None:
        return (), params
    blobs = dict.fromkeys(v for op in layouts if isinstance(op, ReshapeOp) for v in op.inputs[1:])
    named = {
        extent: f"{i}{axis}"
        for i, blob in enumerate(islice(blobs, MAX_BLOBS), 1)
        for axis, extent in (by_axis(shapes.of(blob)) or {}).items()
    }
    texts = [str(n) if isinstance(n, int) else named.get(n) for n in reversed(image)]
    known = [text for text in texts if text is not None]
    return (tuple(blobs), {"shape_expr": ",".join(known)}) if len(known) == len(image) else None
