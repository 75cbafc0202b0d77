"""Replacing layers by others that do the same, as passes of their own. The patterns, with algebra
and conditions, are in `canonicalization/`."""

from .pattern_pass import PatternPass, Patterns


class ReplaceReductionWithGlobalPooling(PatternPass):
    """Replace a Reduction over h and w, or one over each after one another, by a global Pooling."""

    name = "replace-reduction-with-global-pooling"

    def patterns(self) -> Patterns:
        from .canonicalization.reductions import MergeReductions, ReplaceReductionByPooling

        return (MergeReductions(into_pooling=True), ReplaceReductionByPooling())


class ReplacePReLUWithLeakyReLU(PatternPass):
    """Replace a PReLU that has one slope for all channels by a ReLU with that slope."""

    name = "replace-prelu-with-leaky-relu"

    def patterns(self) -> Patterns:
        from .canonicalization.replacing import ReplacePReLU

        return (ReplacePReLU(),)


class ReplaceProductWithSquare(PatternPass):
    """Replace the product of a blob with itself by its square."""

    name = "replace-product-with-square"

    def patterns(self) -> Patterns:
        from .canonicalization.unary import ReplaceProductBySquare

        return (ReplaceProductBySquare(),)


class ReplaceConvolutionWithInnerProduct(PatternPass):
    """Replace a 1x1 Convolution of a 1-D blob by an InnerProduct."""

    name = "replace-convolution-with-innerproduct"

    def patterns(self) -> Patterns:
        from .canonicalization.replacing import ReplaceConvolution

        return (ReplaceConvolution(),)


class ReplaceConvolutionAfterGlobalPooling(PatternPass):
    """Replace a 1x1 Convolution after a global Pooling by an InnerProduct."""

    name = "replace-convolution-with-innerproduct-after-global-pooling"

    def patterns(self) -> Patterns:
        from .canonicalization.replacing import ReplaceConvolution

        return (ReplaceConvolution(behind=self.name),)


class ReplaceConvolutionAfterInnerProduct(PatternPass):
    """Replace a 1x1 Convolution after an InnerProduct by an InnerProduct."""

    name = "replace-convolution-with-innerproduct-after-innerproduct"

    def patterns(self) -> Patterns:
        from .canonicalization.replacing import ReplaceConvolution

        return (ReplaceConvolution(behind=self.name),)
