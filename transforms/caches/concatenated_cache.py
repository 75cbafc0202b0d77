"""Caches that a Concat appends to."""

from typing import NamedTuple

from xdsl.dialects.func import ReturnOp
from xdsl.ir import OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...analysis.caches import sole_input
from ...analysis.shapes import shapes_of
from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.attention import SDPAOp
from ...dialects.ncnn.extents import positive_axis
from ...dialects.ncnn.joining import ConcatOp
from ...dialects.shapes.analysis import Shapes
from ..rewriting.remarks import remark


class FuseConcatenatedCache(RewritePattern):
    """Append to the cache in the SDPA: `SDPA(q, concat(past_k, k), concat(past_v, v))` is an SDPA
    with a cache of k and v.

    Conditions, and why:
    - each Concat joins two blobs of heads along the steps, the past ones first: the SDPA appends in
      this order. Both are provably 3-D, or the axis might be another one;
    - the past keys and values are inputs that nothing else reads, and the joined ones are outputs
      that only this SDPA reads: the format of a cache is the runtime's own;
    - the SDPA has no cache, and computes in float: in int8 the runtime's releases differ.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SDPAOp, rewriter: PatternRewriter) -> None:
        if op.kv_cache or op.extra is not None or op.int8_scale_term:
            return
        shapes = shapes_of(rewriter)
        found = [appended(v, op, shapes) for v in op.inputs[1:3]]
        key, value = found
        if key is None or value is None or key.past is value.past:
            return
        data = [op.inputs[0], key.new, value.new, *op.inputs[3:], key.past, value.past]
        types = [op.result_types[0], key.concat.outputs[0].type, value.concat.outputs[0].type]
        new = SDPAOp.make(data, {}, types, op.parameters(), op.attributes)
        new.set_params(kv_cache=1)
        caches = [names_of(each.concat)[0] for each in (key, value)]
        layer = None if op.layer_name is None else op.layer_name.data
        set_names(new, layer, [names_of(op)[0], *caches])
        labels = [each.concat.label() for each in (key, value)]
        remark("fuse-kv-cache", op.label(), *labels)
        rewriter.replace(op, new, [new.results[0]])
        for each, result in zip((key, value), new.results[1:], strict=True):
            rewriter.replace_all_uses_with(each.concat.outputs[0], result)
            rewriter.erase(each.concat)


class Appended(NamedTuple):
    """Keys or values of past and new steps."""

    concat: ConcatOp
    past: SSAValue
    new: SSAValue


def appended(value: SSAValue, reader: SDPAOp, shapes: Shapes) -> Appended | None:
    """Return the cache that a Concat appends to; see `FuseConcatenatedCache`."""
    concat = value.owner
    if not isinstance(value, OpResult) or not isinstance(concat, ConcatOp) or concat.extra:
        return None
    if len(concat.inputs) != 2 or concat.featmask != reader.featmask:
        return None
    past, new = concat.inputs
    users = [use.operation for use in value.uses]
    read = [user for user in users if not isinstance(user, ReturnOp)]
    if sole_input(past) is None or read != [reader] or len(users) == len(read):
        return None
    rank = shapes.rank(new)
    axis = None if rank is None else positive_axis(concat.axis, rank)
    return Appended(concat, past, new) if rank == 3 and axis == 1 else None
