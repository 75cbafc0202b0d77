"""HardSigmoid in the place of Sigmoid, for those who can do with less precision."""

from dataclasses import dataclass

from ncnn_opt.dialects.ncnn.activation import HardSigmoidOp, SigmoidOp
from ncnn_opt.transforms.canonicalization.rewriting import replace_by_new
from ncnn_opt.transforms.rewriting.pattern_pass import PatternPass, Patterns
from ncnn_opt.transforms.rewriting.remarks import remark
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern


@dataclass(frozen=True)
class ReplaceSigmoid(RewritePattern):
    """Makes a HardSigmoid of a Sigmoid."""

    slope: float

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SigmoidOp, rewriter: PatternRewriter) -> None:
        remark("replace-sigmoid-with-hardsigmoid", op.label())
        params = {"alpha": self.slope, "beta": 0.5}
        replace_by_new(op, HardSigmoidOp, op.blobs_read(), {}, params, rewriter)


@dataclass(frozen=True)
class ReplaceSigmoidWithHardSigmoid(PatternPass):
    """Replace each Sigmoid by a HardSigmoid: `min(max(slope * x + 0.5, 0), 1)`.

    That changes what the model computes: with a slope of 0.2 by up to 0.08. It is no part of `-O`;
    whoever asks for it knows.
    """

    name = "replace-sigmoid-with-hardsigmoid"
    slope: float = 0.2

    def patterns(self) -> Patterns:
        return (ReplaceSigmoid(self.slope),)
