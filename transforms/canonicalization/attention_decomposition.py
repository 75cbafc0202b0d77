"""Decomposition of attention on long sequences into layers that the runtime computes faster."""

from math import isfinite

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ...analysis.shapes import shapes_of
from ...analysis.tuning_facts import is_faster_attention
from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.attention import MultiHeadAttentionOp, SDPAOp
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.matmul import GemmOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.reshaping import PermuteOp, ReshapeOp
from ...dialects.shapes.analysis import Shapes
from ...dialects.shapes.terms import Extents
from ..rewriting.pattern_set import LayerReplacement
from ..rewriting.release_conditions import Replacement
from .rewriting import agrees, put_named, put_new, successor


class ReplaceMultiHeadAttention(LayerReplacement):
    """Replace a MultiHeadAttention by Gemms, an SDPA and a Gemm.

    Algebra: the definition `out_weight @ concat(softmax(scale * q @ k + mask) @ v) + out_bias` with
    `q, k, v = weight @ x + bias`. Reshape and Permute convert rows with the features of all heads
    to one matrix per head, and back.

    Conditions, and why:
    - the release that the module is made for has SDPA;
    - there is no cache, whose layout differs; no weight is quantized; all weights are constants;
    - query, keys and values provably have 2 dims, and keys and values have the same length;
    - the scale is positive and finite: SDPA interprets 0 as its default;
    - for these features per head, the sequences are provably long enough for the decomposition to
      be faster on all target processors (`tuning`): their lengths are static, perhaps by
      `--fix-shapes`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MultiHeadAttentionOp, rewriter: PatternRewriter) -> None:
        if op.extra or op.featmask or op.kv_cache or op.quantize_term or len(op.outputs) != 1:
            return
        if not (isfinite(op.scale) and op.scale > 0) or not agrees(op):
            return
        sequences = op.sequences(op.inputs)
        if not 1 <= len(sequences) <= 3 or len(op.inputs) != len(sequences) + bool(op.attn_mask):
            return
        blobs = [sequences[min(i, len(sequences) - 1)] for i in range(3)]
        steps = sequence_lengths(blobs, shapes_of(rewriter))
        features = op.embed_dim // op.num_heads
        if steps is None or not is_faster_attention(op, SDPAOp.LAYER_TYPE, features, steps):
            return
        weights = {name: v for name, v in op.weight_operands().items() if v is not None}
        if any(attached_constant(weight) is None for weight in weights.values()):
            return
        mask = op.inputs[len(sequences) :]
        params: dict[str, Value] = {"attn_mask": int(bool(mask)), "scale": op.scale}
        if Replacement(self, [op], SDPAOp).is_unsupported(blobs, params, rewriter):
            return
        heads = [
            self._heads(op, blob, weights[f"{name}_weight"], weights[f"{name}_bias"], rewriter)
            for name, blob in zip("qkv", blobs, strict=True)
        ]
        y = put_new(op, SDPAOp, [*heads, *mask], params, rewriter)
        y = put_new(op, PermuteOp, [y], {"order_type": 2}, rewriter)
        y = put_new(op, ReshapeOp, [y], {"w": op.embed_dim, "h": -1}, rewriter)
        last = gemm(op, y, weights["out_weight"], weights["out_bias"], rewriter)
        set_names(last, None if op.layer_name is None else op.layer_name.data, names_of(op))
        rewriter.replace(op, last)

    def _heads(
        self,
        op: MultiHeadAttentionOp,
        rows: SSAValue,
        weight: SSAValue,
        bias: SSAValue,
        rewriter: PatternRewriter,
    ) -> SSAValue:
        """Return the product of rows and a weight, split by heads."""
        count, features = op.num_heads, op.embed_dim // op.num_heads
        x = put_named(op, gemm(op, rows, weight, bias, rewriter), None, rewriter)
        shape = {"w": features, "h": count, "c": -1}
        x = put_new(op, ReshapeOp, [x], shape, rewriter)
        return put_new(op, PermuteOp, [x], {"order_type": 2}, rewriter)


def sequence_lengths(blobs: list[SSAValue], shapes: Shapes) -> Extents | None:
    """Return the lengths of query and keys; `None` if the shapes of query, keys and values do not
    match."""
    query, key, value = (shapes.of(blob) for blob in blobs)
    if query is None or key is None or value is None:
        return None
    if not len(query) == len(key) == len(value) == 2 or key[0] != value[0]:
        return None
    return query[0], key[0]


def gemm(
    op: LayerOp, rows: SSAValue, weight: SSAValue, bias: SSAValue, rewriter: PatternRewriter
) -> LayerOp:
    """Return a Gemm of rows with a weight that has one row per column of the product."""
    matrix, summand = attached_constant(weight), attached_constant(bias)
    assert matrix is not None
    assert summand is not None
    outputs, inputs = static_shape_of(matrix.output) or (0, 0)
    constants = [
        rewriter.insert(each.with_shape(shape), InsertPoint.before(op)).output
        for each, shape in ((matrix, (outputs, inputs)), (summand, (1, outputs)))
    ]
    params: dict[str, Value] = {"transB": 1, "constantB": 1, "constantC": 1}
    params |= {"constantN": outputs, "constantK": inputs, "constant_broadcast_type_C": 4}
    return successor(op, GemmOp, [rows], dict(zip("BC", constants, strict=True)), params)
