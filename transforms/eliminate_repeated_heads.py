"""The pass that makes the heads of a query share keys and values."""

from dataclasses import dataclass

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
