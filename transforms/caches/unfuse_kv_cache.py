"""The pass that replaces the cache of an attention layer by a spelled-out cache."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...analysis.state_relations import Relations, ReversedSteps
from ...analysis.states import states_of
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

    def state_relations(self, before: FuncOp, after: FuncOp) -> Relations:
        """Return the relations of the caches that a Concat appends to after the pass, by input."""
        kinds = {each.input: each.kind for each in states_of(after)}
        caches = [each.input for each in states_of(before) if each.kind == "cache"]
        return {name: ReversedSteps() for name in caches if kinds.get(name) == "appended"}
