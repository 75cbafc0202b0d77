"""The pass that replaces a spelled-out cache by the cache of the attention layer."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..rewriting.pattern_pass import PatternPass, Patterns


class FuseKVCache(PatternPass):
    """Replace a cache that a Concat appends to by the cache of the SDPA that reads it. Inputs and
    outputs keep their names. The runtime stores such a cache in a format of its own, so that the
    application passes it on as it is; the cache of the first call is empty.

    Heads that are repeated behind the Concat are shared first.
    """

    name = "fuse-kv-cache"

    def patterns(self) -> Patterns:
        from ..canonicalization.grouped_query_attention import ShareHeads
        from .concatenated_cache import FuseConcatenatedCache

        return (ShareHeads(), FuseConcatenatedCache())

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ..eliminate_split import EliminateSplit

        EliminateSplit().apply(ctx, op)
        super().apply(ctx, op)
