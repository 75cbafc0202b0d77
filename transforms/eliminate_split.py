"""Splits, of which the IR needs none."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from .rewriting.passes import PASSES
from .rewriting.pattern_pass import PatternPass, Patterns
from .rewriting.remarks import running


class EliminateSplit(PatternPass):
    """Remove Split layers: values have any number of uses. Export puts one wherever a blob has
    several consumers, also where the file had none."""

    name = "eliminate-split"

    def patterns(self) -> Patterns:
        return PASSES[self.name].make_patterns()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from xdsl.pattern_rewriter import PatternRewriter

        from ..dialects.ncnn.structure import SplitOp
        from .rewriting.counting import FirstOf

        # One after the other does: what follows a Split cannot make another one removable.
        pattern = FirstOf(self.patterns())
        with running(self.name):
            for split in [each for each in op.walk() if isinstance(each, SplitOp)]:
                pattern.match_and_rewrite(split, PatternRewriter(split))
        for func in op.ops:
            func.attributes.pop("ncnn.shared_blobs", None)
