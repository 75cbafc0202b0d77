"""Caches as ordinary blobs: a Concat appends to them."""

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.caches import cache_interface
from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.attention import SDPAOp
from ...dialects.ncnn.blob import UNRANKED, shape_of
from ...dialects.ncnn.joining import ConcatOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.reshaping import ExpandDimsOp, FlipOp, SqueezeOp
from ..rewriting.remarks import remark

STEPS = 1
"""The axis of steps in keys and values."""


class UnfuseCache(RewritePattern):
    """Append to the cache in front of the SDPA: an SDPA with a cache of k and v is
    `SDPA(q, concat(flip(k), past_k), concat(flip(v), past_v), flip(mask))`.

    The past of the first call is an empty blob. A Concat takes the rank of its first input, so that
    the new steps are first: a cache has the newest step first, and the columns of the mask are
    reversed. Attention is a sum over steps, so that their order does not matter. The heads are the
    second of four axes, because the runtime packs the first one for the processor.

    Conditions, and why:
    - the cache is a pair of inputs that nothing else reads and of outputs that nothing else reads:
      its format changes;
    - the inputs are undeclared or of unknown rank: a declared shape has other axes;
    - the SDPA computes in float: in int8, each head is quantized for the runtime's own order.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SDPAOp, rewriter: PatternRewriter) -> None:
        if not op.kv_cache or op.extra is not None or op.int8_scale_term:
            return
        cache = cache_interface(op)
        if cache is None or any(shape_of(arg) is not None for arg in cache.past):
            return

        def add(
            cls: type[LayerOp], data: list[SSAValue], name: str | None = None, **params: Value
        ) -> SSAValue:
            layer = cls.make(data, {}, [UNRANKED], {})
            layer.set_params(featmask=op.featmask, **params)
            set_names(layer, name, [name])
            rewriter.insert(layer)
            for result, type_ in zip(layer.results, layer.infer_types() or (), strict=False):
                rewriter.replace_value_with_new_type(result, type_)
            return layer.results[0]

        name, *returned = names_of(op)
        data = [op.inputs[0]]
        joined: list[SSAValue] = []
        for new, past, given in zip(op.inputs[1:3], op.past(op.inputs), returned, strict=True):
            rows = add(ExpandDimsOp, [add(FlipOp, [new], axes=(STEPS,))], axes=(0,))
            joined.append(add(ConcatOp, [rows, past], given, axis=STEPS + 1))
            data.append(add(SqueezeOp, [joined[-1]], axes=(0,)))
        if op.attn_mask:
            data.append(add(FlipOp, [op.inputs[3]], axes=(-1,)))
        plain = SDPAOp.make(data, {}, [op.result_types[0]], op.parameters(), op.attributes)
        plain.set_params(kv_cache=0)
        set_names(plain, None if op.layer_name is None else op.layer_name.data, [name])
        remark("unfuse-kv-cache", op.label())
        rewriter.replace(op, plain, [plain.results[0], *joined])
