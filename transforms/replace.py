"""Replacing layers by others that do the same, as passes of their own. The patterns, with algebra
and conditions, are in `canonicalization/`."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.pattern_rewriter import RewritePattern

from .canonicalization.reductions import MergeReductions, ReplaceReductionByPooling
from .canonicalization.replacing import ReplaceConvolution, ReplacePReLU
from .canonicalization.unary import ReplaceProductBySquare
from .pattern_pass import PatternPass


@dataclass(frozen=True)
class ReplaceReductionWithGlobalPooling(PatternPass):
    """Replace a Reduction over h and w, or one over each after one another, by a global Pooling."""

    name = "replace-reduction-with-global-pooling"

    def patterns(self) -> Sequence[RewritePattern]:
        return (MergeReductions(into_pooling=True), ReplaceReductionByPooling())


@dataclass(frozen=True)
class ReplacePReLUWithLeakyReLU(PatternPass):
    """Replace a PReLU that has one slope for all channels by a ReLU with that slope."""

    name = "replace-prelu-with-leaky-relu"

    def patterns(self) -> Sequence[RewritePattern]:
        return (ReplacePReLU(),)


@dataclass(frozen=True)
class ReplaceProductWithSquare(PatternPass):
    """Replace the product of a blob with itself by its square."""

    name = "replace-product-with-square"

    def patterns(self) -> Sequence[RewritePattern]:
        return (ReplaceProductBySquare(),)


@dataclass(frozen=True)
class ReplaceConvolutionWithInnerProduct(PatternPass):
    """Replace a 1x1 Convolution of a 1-D blob by an InnerProduct."""

    name = "replace-convolution-with-innerproduct"

    def patterns(self) -> Sequence[RewritePattern]:
        return (ReplaceConvolution(),)


@dataclass(frozen=True)
class ReplaceConvolutionAfterGlobalPooling(PatternPass):
    """Replace a 1x1 Convolution after a global Pooling by an InnerProduct."""

    name = "replace-convolution-with-innerproduct-after-global-pooling"

    def patterns(self) -> Sequence[RewritePattern]:
        return (ReplaceConvolution(behind=self.name),)


@dataclass(frozen=True)
class ReplaceConvolutionAfterInnerProduct(PatternPass):
    """Replace a 1x1 Convolution after an InnerProduct by an InnerProduct."""

    name = "replace-convolution-with-innerproduct-after-innerproduct"

    def patterns(self) -> Sequence[RewritePattern]:
        return (ReplaceConvolution(behind=self.name),)
