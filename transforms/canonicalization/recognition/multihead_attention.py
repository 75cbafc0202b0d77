"""Recognition of attention with the products before and after it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ....analysis.required_release import OTHER_WIDTH
from ....analysis.shapes import shapes_of
from ....analysis.target_info.releases import QUERY_DIMS
from ....analysis.tuning_facts import is_faster_attention
from ....dialects.ncnn.attention import MultiHeadAttentionOp
from ....dialects.ncnn.constant import ConstantOp, attached_constant
from ....dialects.ncnn.matmul import GemmOp
from ....dialects.ncnn.params import Value
from ....dialects.shapes.analysis import Shapes
from ....dialects.shapes.terms import Extents
from ...rewriting.growth import Growth, NewWeight, constants_freed_by
from ...rewriting.release_conditions import Replacement
from ...rewriting.remarks import emit_remark
from ..gemm_to_convolution import is_linear_in_rows
from ..rewriting import agrees, successor, weight_constant
from .matching import Match
from .sdpa import attention_before
from .strided_views import MovedBlob, moved_from


class _Part(NamedTuple):
    """The product that computes the query, the keys or the values."""

    gemm: GemmOp
    moved: MovedBlob
    columns: Any
    """The column of the product for each feature of all heads."""

    @property
    def input(self) -> SSAValue:
        return self.gemm.inputs[0]


class FormMultiHeadAttention(RewritePattern):
    """Recognize a MultiHeadAttention: Gemms, an SDPA (or a spelled-out one) between them, and
    layers that move elements. Query, keys and values come from one Gemm that is split, or from one
    each.

    Algebra: feature e of head h of the query is one column of `x @ W + b`, whatever Reshapes,
    Permutes and Slices move it. So the rows of MultiHeadAttention's weight are these columns in its
    own order, and likewise for the output.

    Conditions, and why:
    - the release that the module is made for has a scale, and a query of another width than the
      output, where these are needed;
    - the values between have no users outside and are no outputs, and all layers have the same
      feature mask and no unknown parameters: another user would need the values;
    - the Gemms map rows to rows, by float constants of their own, without factors;
    - the layers between keep rows as rows, by terms over the extents of the inputs; the numbers of
      heads and features are static;
    - each head has the same number of features for values and keys, and the output has the number
      of features of the query's input: MultiHeadAttention has one parameter for both;
    - a mask has 2 dims, or one matrix per head: the runtime does not repeat a single one;
    - there is no cache and no int8;
    - for these features per head and the static number of steps, it is not slower on all target
      processors (`tuning`). On x86 it is slower for long sequences, for few features per head, and
      for short sequences.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GemmOp, rewriter: PatternRewriter) -> None:
        if op.extra or len(op.inputs) != 1:
            return
        shapes = shapes_of(rewriter)
        behind = moved_from(op.inputs[0], shapes)
        inner = None if behind is None else attention_before(behind.source, shapes)
        if behind is None or inner is None or not is_linear_in_rows(op, shapes):
            return
        ends = (inner.query, inner.key, inner.value)
        found = [shapes.of(v) for v in ends]
        heads = _heads(found[0], _transpose(found[1]) if inner.transposed else found[1], found[2])
        if heads is None or not has_mask(inner.mask, found[0], shapes):
            return
        count, features, steps = heads
        if not is_faster_attention(op, MultiHeadAttentionOp.LAYER_TYPE, features, steps):
            return
        transposed = (False, inner.transposed, False)
        parts = [_part(v, shapes, turn) for v, turn in zip(ends, transposed, strict=True)]
        order = _feature_order(behind, shapes)
        if order is None or any(part is None for part in parts):
            return
        query, key, value = cast(Sequence[_Part], parts)
        if op.constantN != query.gemm.constantK:
            return
        layers = dict.fromkeys([op, *behind.layers, *inner.layers])
        for part in (query, key, value):
            layers |= dict.fromkeys([*part.moved.layers, part.gemm])
        if not Match({}, {}, layers=tuple(layers)).is_self_contained():
            return
        params: dict[str, Value] = {"embed_dim": count * features, "num_heads": count}
        params |= {"kdim": key.gemm.constantK, "vdim": value.gemm.constantK}
        params |= {"attn_mask": int(inner.mask is not None)}
        params |= {"scale": inner.scale} if inner.scale else {}
        blobs = [query.input, key.input, value.input]
        if blobs[0] == blobs[1] == blobs[2]:
            blobs = blobs[:1]
        planned = Replacement(self, [*layers], MultiHeadAttentionOp)
        if planned.is_unsupported(blobs, params, rewriter):
            return
        other_width = op.constantN != count * features
        if other_width and planned.is_feature_unsupported(QUERY_DIMS, OTHER_WIDTH):
            return
        made = self._weights(op, (query, key, value), order)
        gone = [value for each in layers for value in constants_freed_by(each)]
        growth = Growth.of_replacing(op, gone, made.values())
        if not growth.is_allowed(self, *layers):
            return
        constants = {name: weight_constant(*each) for name, each in made.items()}
        weights = {name: constant.output for name, constant in constants.items()}
        blobs += [] if inner.mask is None else [inner.mask]
        new = successor(op, MultiHeadAttentionOp, blobs, weights, params)
        if not agrees(new):
            new.drop_all_references()
            return
        growth.record()
        emit_remark(self, *layers)
        rewriter.insert([*constants.values()], InsertPoint.before(op))
        rewriter.replace(op, new)
        waiting = [layer for layer in layers if layer is not op]
        while unused := [each for each in waiting if not any(r.first_use for r in each.results)]:
            for each in unused:
                waiting.remove(each)
                rewriter.erase(each)

    def _weights(self, op: GemmOp, parts: Sequence[_Part], order: Any) -> Mapping[str, NewWeight]:
        """Return the weights of the MultiHeadAttention."""
        import numpy as np

        weights: dict[str, NewWeight] = {}
        for name, part in zip("qkv", parts, strict=True):
            matrix, bias = _matrix(part.gemm), _bias(part.gemm)
            weights |= {
                f"{name}_weight": (matrix[part.columns], part.gemm.B),
                f"{name}_bias": (bias[part.columns], part.gemm.C),
            }
        matrix = _matrix(op)
        # Column i of A is feature order[i] of all heads.
        inverse = np.argsort(order)
        weights["out_weight"] = matrix[:, inverse], op.B
        weights["out_bias"] = _bias(op), op.C
        return weights


def _heads(
    query: Extents | None, key: Extents | None, value: Extents | None
) -> tuple[int, int, Extents] | None:
    """Return the number of heads, the features per head, and the lengths of query and keys; `None`
    if the shapes do not fit a MultiHeadAttention."""
    if query is None or key is None or value is None:
        return None
    if not len(query) == len(key) == len(value) == 3:
        return None
    (heads, steps, features), (_, keys, _) = query, key
    if not key[0] == value[0] == heads or not key[2] == value[2] == features or value[1] != keys:
        return None
    if not isinstance(heads, int) or not isinstance(features, int):
        return None
    return heads, features, (steps, keys)


def _transpose(shape: Extents | None) -> Extents | None:
    """Return the shape of keys that are stored as heads x features x steps."""
    return None if shape is None else (shape[0], shape[2], shape[1])


def has_mask(mask: SSAValue | None, query: Extents | None, shapes: Shapes) -> bool:
    """Whether a MultiHeadAttention supports the mask, if there is one."""
    shape = None if mask is None else shapes.of(mask)
    if mask is None:
        return True
    return shape is not None and (len(shape) == 2 or (query is not None and shape[0] == query[0]))


def _part(value: SSAValue, shapes: Shapes, transposed: bool) -> _Part | None:
    """Return the Gemm whose columns are all heads of a blob, and the columns. `transposed`:
    features come before steps."""
    import numpy as np

    moved = moved_from(value, shapes)
    if moved is not None and transposed:
        heads, features, steps = moved.view.axes
        moved = moved._replace(view=moved.view._replace(axes=(heads, steps, features)))
    gemm = None if moved is None else moved.source.owner
    if moved is None or not isinstance(gemm, GemmOp) or gemm.extra:
        return None
    if not is_linear_in_rows(gemm, shapes) or not _can_be_read(gemm):
        return None
    rows = shapes.of(moved.source)
    if rows is None or shapes.rank(gemm.inputs[0]) != 2:
        return None
    if not moved.view.is_all_of(1, 0, rows[0]):
        return None
    heads, features = (moved.view.numbers(i, (0, 1)) for i in (0, 2))
    if heads is None or features is None:
        return None
    columns = np.add.outer(heads, features).reshape(-1) + moved.view.starts[1]
    return _Part(gemm, moved, columns)


def _feature_order(moved: MovedBlob, shapes: Shapes) -> Any:
    """Return the feature of all heads for each column of the last product's input; `None` if rows
    are not steps, or features are missing."""
    import numpy as np

    shape = shapes.of(moved.source)
    if shape is None or len(moved.view.axes) != 2:
        return None
    heads, steps, features = shape
    if not moved.view.is_all_of(0, 1, steps):
        return None
    if not isinstance(heads, int) or not isinstance(features, int):
        return None
    order = moved.view.numbers(1, (features, 0, 1))
    if order is None:
        return None
    whole = np.array_equal(np.sort(order), np.arange(heads * features))
    return order if whole else None


def _can_be_read(gemm: GemmOp) -> bool:
    constants = [attached_constant(v) for v in (gemm.B, gemm.C) if v is not None]
    return all(constant is not None and constant.has_values() for constant in constants)


def _matrix(gemm: GemmOp) -> Any:
    """Return the constant of a Gemm with one row per column of the product."""
    values = cast(ConstantOp, attached_constant(gemm.B)).read()
    return values if gemm.transB else values.T


def _bias(gemm: GemmOp) -> Any:
    """Return the summand of each column of the product."""
    import numpy as np

    bias = attached_constant(gemm.C)
    values = np.zeros(1, "f4") if bias is None else bias.read()
    return np.resize(values, gemm.constantN)
