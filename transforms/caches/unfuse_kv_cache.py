"""The pass that replaces the cache of an attention layer by a spelled-out cache."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..rewriting.pattern_pass import PatternPass, Patterns


class UnfuseKVCache(PatternPass):
    """Replace the cache of an SDPA by a Concat that appends, so that the application may copy and
    save caches: they are ordinary blobs. The runtime's own caches are opaque; releases and
    processors differ.

    Inputs and outputs keep their names. A cache has the newest step first, as `1 x heads x steps x
    features`; the cache of the first call is empty. A MultiHeadAttention keeps its cache.
    """

    name = "unfuse-kv-cache"

    def patterns(self) -> Patterns:
        from .spelled_out_cache import UnfuseCache

        return (UnfuseCache(),)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.ncnn.function import update_type
        from ..eliminate_split import EliminateSplit

        EliminateSplit().apply(ctx, op)
        super().apply(ctx, op)
        for func in op.body.ops:
            if isinstance(func, FuncOp):
                update_type(func)
