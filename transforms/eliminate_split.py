"""The pass that removes Split layers."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from .rewriting.observers import running
from .rewriting.pattern_pass import PatternPass


class EliminateSplit(PatternPass):
    """Remove Split layers: in the IR, a value may have any number of uses. Export inserts one for
    each blob with several consumers, also where the original file had none."""

    name = "eliminate-split"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from xdsl.dialects.func import FuncOp
        from xdsl.pattern_rewriter import PatternRewriter

        from ..dialects.ncnn.function import set_blobs_without_split
        from ..dialects.ncnn.structure import SplitOp
        from .rewriting.pattern_set import PatternSet

        # One pass over the Splits is enough: removing one never makes another one removable.
        pattern = PatternSet(self.patterns())
        with running(self.name):
            for split in [each for each in op.walk() if isinstance(each, SplitOp)]:
                pattern.match_and_rewrite(split, PatternRewriter(split))
        for func in op.ops:
            if isinstance(func, FuncOp):
                set_blobs_without_split(func, [])
