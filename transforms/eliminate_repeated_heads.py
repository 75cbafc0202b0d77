"""The pass that makes the heads of a query share keys and values."""

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp

from ..analysis.caches import cache_heads, shared_by
from ..analysis.state_relations import Relations, RepeatedHeads
from ..dialects.ncnn.function import inputs_of
from .rewriting.pattern_pass import PatternPass, Patterns


@dataclass(frozen=True)
class EliminateRepeatedHeads(PatternPass):
    """Remove a Tile that repeats the heads of keys and values before an SDPA: the SDPA can share
    each head between several heads of the query.

    If the SDPA has a cache, its cache has fewer heads afterwards: each head once. The pass changes
    such layers only with `opaque-caches=true`, for applications that pass the caches from one call
    to the next and neither read nor allocate them.
    """

    name = "eliminate-repeated-heads"
    opaque_caches: bool = False

    def patterns(self) -> Patterns:
        from .canonicalization.grouped_query_attention import ShareHeads

        return (ShareHeads(self.opaque_caches),)

    def state_relations(self, before: FuncOp, after: FuncOp) -> Relations:
        """Return the relations of the caches that have fewer heads after the pass, by input."""
        inputs = inputs_of(before)
        fewer = shared_by(cache_heads(before), cache_heads(after))
        return {name: RepeatedHeads(times) for name, times in fewer.items() if name in inputs}
