"""Eliminations as passes of their own."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import RewritePattern

from ..dialects.ncnn.elementwise import DropoutOp
from ..dialects.ncnn.structure import NoopOp, SplitOp
from .canonicalization.identity import EliminateIdentity
from .pattern_pass import PatternPass


@dataclass(frozen=True)
class EliminateDropout(PatternPass):
    """Remove Dropout layers that do not scale."""

    name = "eliminate-dropout"

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateIdentity(only=DropoutOp),)


@dataclass(frozen=True)
class EliminateNoop(PatternPass):
    """Remove Noop layers."""

    name = "eliminate-noop"

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateIdentity(only=NoopOp),)


@dataclass(frozen=True)
class EliminateSplit(PatternPass):
    """Remove Split layers: values have any number of uses. Export puts one wherever a blob has
    several consumers, also where the file had none."""

    name = "eliminate-split"

    def patterns(self) -> Sequence[RewritePattern]:
        return (EliminateIdentity(only=SplitOp),)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        super().apply(ctx, op)
        for func in op.ops:
            func.attributes.pop("ncnn.shared_blobs", None)
