"""Eliminations as passes of their own. The patterns, with algebra and conditions, are in
`canonicalization/`."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import RewritePattern

from ..dialects.ncnn.constant import ConstantOp
from .canonicalization import reshapes
from .canonicalization.identity import EliminateIdentity, EliminateNeutralAffine
from .canonicalization.unused import EliminateDead, EliminateDuplicate
from .pattern_pass import PatternPass


@dataclass(frozen=True)
class EliminateDropout(PatternPass):
    """Remove Dropout layers that do not scale."""

    name = "eliminate-dropout"

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateIdentity(only=self.name),)


@dataclass(frozen=True)
class EliminateNoop(PatternPass):
    """Remove Noop layers."""

    name = "eliminate-noop"

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateIdentity(only=self.name),)


@dataclass(frozen=True)
class EliminateSplit(PatternPass):
    """Remove Split layers: values have any number of uses. Export puts one wherever a blob has
    several consumers, also where the file had none."""

    name = "eliminate-split"

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateIdentity(only=self.name),)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        super().apply(ctx, op)
        for func in op.ops:
            func.attributes.pop("ncnn.shared_blobs", None)


@dataclass(frozen=True)
class EliminatePooling1x1(PatternPass):
    """Remove Pooling layers of 1, 2 and 3 dims whose windows have one element each."""

    name = "eliminate-pooling1x1"

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateIdentity(only=self.name),)


@dataclass(frozen=True)
class EliminateFlattenAfterGlobalPooling(PatternPass):
    """Remove a Flatten after a global Pooling, whose output has one dim already."""

    name = "eliminate-flatten-after-global-pooling"

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateIdentity(only=self.name),)


@dataclass(frozen=True)
class EliminateReshapeAfterGlobalPooling(PatternPass):
    """Remove a Reshape to one dim after a global Pooling, whose output has one dim already."""

    name = "eliminate-reshape-after-global-pooling"

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateIdentity(only=self.name),)


@dataclass(frozen=True)
class EliminateFlattenAfterInnerProduct(PatternPass):
    """Remove a Flatten after an InnerProduct whose output has one dim already."""

    name = "eliminate-flatten-after-innerproduct"

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateIdentity(only=self.name),)


@dataclass(frozen=True)
class EliminateReshapeBeforeBinaryOp(PatternPass):
    """Let a BinaryOp read a blob as it was before a Reshape, Squeeze or ExpandDims, where
    broadcasting makes the same of it."""

    name = "eliminate-reshape-before-binaryop"

    def patterns(self) -> Sequence[RewritePattern]:
        return (reshapes.EliminateReshapeBeforeBinaryOp(),)


@dataclass(frozen=True)
class EliminateReshapeBeforeInnerProduct(PatternPass):
    """Let an InnerProduct read a blob as it was before a Flatten or Reshape, which it does
    itself."""

    name = "eliminate-reshape-before-innerproduct"

    def patterns(self) -> Sequence[RewritePattern]:
        return (reshapes.EliminateReshapeBeforeInnerProduct(),)


@dataclass(frozen=True)
class EliminateIdentities(PatternPass):
    """Remove layers of any type that give back what is there already: by their parameters, by
    shapes, or because a Slice is undone by a Concat."""

    name = "eliminate-identity"

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateIdentity(), EliminateNeutralAffine())


@dataclass(frozen=True)
class EliminateDuplicateLayers(PatternPass):
    """Let one layer stand for all that do the same with the same blobs and weights."""

    name = "eliminate-duplicate-layers"

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateDuplicate(),)


@dataclass(frozen=True)
class EliminateDeadLayers(PatternPass):
    """Remove layers whose results nothing uses."""

    name = "eliminate-dead-layers"
    removes_unused = False

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateDead(),)


@dataclass(frozen=True)
class EliminateOrphanedMemoryData(PatternPass):
    """Remove MemoryData layers whose blob nothing uses and that are no output."""

    name = "eliminate-orphaned-memorydata"
    removes_unused = False

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateDead(only=ConstantOp),)
