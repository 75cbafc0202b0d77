"""The patterns that `canonicalize` applies, by subject. Named passes select from the same ones."""

from xdsl.pattern_rewriter import RewritePattern

from ...dialects.ncnn.interfaces import ChannelAffine, FusableActivation, Identity
from ...dialects.ncnn.layer import LayerOp
from ..counting import Counted
from .activation import FuseActivation
from .affine import ComposeAffine, FuseAffine
from .identity import EliminateIdentity


def patterns_for(cls: type[LayerOp]) -> tuple[RewritePattern, ...]:
    """The canonicalization patterns rooted at a layer type, by what the layer can be."""
    patterns: list[RewritePattern] = []
    if issubclass(cls, Identity):
        patterns.append(EliminateIdentity())
    if issubclass(cls, ChannelAffine):
        patterns += [FuseAffine(), ComposeAffine()]
    if issubclass(cls, FusableActivation):
        patterns.append(FuseActivation())
    return tuple(map(Counted, patterns))
