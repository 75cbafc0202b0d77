"""Splits, of which the IR needs none."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from .passes import PASSES
from .pattern_pass import PatternPass, Patterns


class EliminateSplit(PatternPass):
    """Remove Split layers: values have any number of uses. Export puts one wherever a blob has
    several consumers, also where the file had none."""

    name = "eliminate-split"

    def patterns(self) -> Patterns:
        return PASSES[self.name].make_patterns()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        super().apply(ctx, op)
        for func in op.ops:
            func.attributes.pop("ncnn.shared_blobs", None)
