"""Eliminations as passes of their own. The patterns, with algebra and conditions, are in
`canonicalization/`."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from .pattern_pass import PatternPass, Patterns


class IdentityPass(PatternPass):
    """A pass that removes layers which give back what they get, of the kind that it is named
    after."""

    def patterns(self) -> Patterns:
        from .canonicalization.identity import EliminateIdentity

        return (EliminateIdentity(only=self.name),)


class EliminateDropout(IdentityPass):
    """Remove Dropout layers that do not scale."""

    name = "eliminate-dropout"


class EliminateNoop(IdentityPass):
    """Remove Noop layers."""

    name = "eliminate-noop"


class EliminateSplit(IdentityPass):
    """Remove Split layers: values have any number of uses. Export puts one wherever a blob has
    several consumers, also where the file had none."""

    name = "eliminate-split"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        super().apply(ctx, op)
        for func in op.ops:
            func.attributes.pop("ncnn.shared_blobs", None)


class EliminatePooling1x1(IdentityPass):
    """Remove Pooling layers of 1, 2 and 3 dims whose windows have one element each."""

    name = "eliminate-pooling1x1"


class EliminateFlattenAfterGlobalPooling(IdentityPass):
    """Remove a Flatten after a global Pooling, whose output has one dim already."""

    name = "eliminate-flatten-after-global-pooling"


class EliminateReshapeAfterGlobalPooling(IdentityPass):
    """Remove a Reshape to one dim after a global Pooling, whose output has one dim already."""

    name = "eliminate-reshape-after-global-pooling"


class EliminateFlattenAfterInnerProduct(IdentityPass):
    """Remove a Flatten after an InnerProduct whose output has one dim already."""

    name = "eliminate-flatten-after-innerproduct"


class EliminateReshapeBeforeBinaryOp(PatternPass):
    """Let a BinaryOp read a blob as it was before a Reshape, Squeeze or ExpandDims, where
    broadcasting makes the same of it."""

    name = "eliminate-reshape-before-binaryop"

    def patterns(self) -> Patterns:
        from .canonicalization import reshapes

        return (reshapes.EliminateReshapeBeforeBinaryOp(),)


class EliminateReshapeBeforeInnerProduct(PatternPass):
    """Let an InnerProduct read a blob as it was before a Flatten or Reshape, which it does
    itself."""

    name = "eliminate-reshape-before-innerproduct"

    def patterns(self) -> Patterns:
        from .canonicalization import reshapes

        return (reshapes.EliminateReshapeBeforeInnerProduct(),)


class EliminateIdentities(PatternPass):
    """Remove layers of any type that give back what is there already: by their parameters, by
    shapes, or because a Slice is undone by a Concat."""

    name = "eliminate-identity"

    def patterns(self) -> Patterns:
        from .canonicalization.identity import EliminateIdentity, EliminateNeutralAffine

        return (EliminateIdentity(), EliminateNeutralAffine())


class EliminateDuplicateLayers(PatternPass):
    """Let one layer stand for all that do the same with the same blobs and weights."""

    name = "eliminate-duplicate-layers"

    def patterns(self) -> Patterns:
        from .canonicalization.unused import EliminateDuplicate

        return (EliminateDuplicate(),)


class EliminateDeadLayers(PatternPass):
    """Remove layers whose results nothing uses."""

    name = "eliminate-dead-layers"
    removes_unused = False

    def patterns(self) -> Patterns:
        from .canonicalization.unused import EliminateDead

        return (EliminateDead(),)


class EliminateOrphanedMemoryData(PatternPass):
    """Remove MemoryData layers whose blob nothing uses and that are no output."""

    name = "eliminate-orphaned-memorydata"
    removes_unused = False

    def patterns(self) -> Patterns:
        from ..dialects.ncnn.constant import ConstantOp
        from .canonicalization.unused import EliminateDead

        return (EliminateDead(only=ConstantOp),)
