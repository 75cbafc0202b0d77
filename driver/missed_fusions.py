"""Missed fusions, with reasons."""

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker

from ..dialects.ncnn.activation import ReLUOp
from ..dialects.ncnn.convolution import ConvolutionOp
from ..dialects.ncnn.interfaces import ActivationHost, FusableActivation, LinearProducer
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.normalization import BatchNormOp, ScaleOp
from ..transforms.canonicalization.activation import FuseActivation
from ..transforms.canonicalization.affine import FuseAffine
from ..transforms.canonicalization.data_movement import MergePermutes
from ..transforms.rewriting.remarks import Remark, listening, missing, name_of

NOT_ASKED = "nothing that was asked for does it"


def missed_fusions(module: ModuleOp, refused: Mapping[str, Remark] = {}) -> list[Remark]:
    """Return a remark for each scale, shift, activation and Permute that could be fused into the
    layer before it but is not, with the failed condition of the pattern that matched furthest.
    `refused` are rewrites that the limit on the growth of weights forbade, by layer. In the order
    of the model."""
    found = {remark.layers[-1]: remark for remark in _without_pattern(module)}
    missing_ones: list[Remark] = []
    fired: list[Remark] = []
    copy = module.clone()
    patterns = GreedyRewritePatternApplier([FuseActivation(), FuseAffine(), MergePermutes()])
    with missing(missing_ones.append), listening(fired.append):
        PatternRewriteWalker(patterns).rewrite_module(copy)
    changed = {remark.layers[0] for remark in fired}
    for remark in missing_ones:
        if remark.layers[0] not in changed:
            found[remark.layers[-1]] = remark
    for remark in fired:
        found[remark.layers[-1]] = remark._replace(note=NOT_ASKED)
    found |= refused
    labels = [op.label() for op in module.walk() if isinstance(op, LayerOp)]
    return [found[label] for label in labels if label in found]


def _without_pattern(module: ModuleOp) -> Iterator[Remark]:
    """Yield a remark for each layer that no pattern fuses."""
    for op in module.walk():
        if not isinstance(op, LayerOp) or not op.operands:
            continue
        value = op.operands[0]
        maker = None if isinstance(value, BlockArgument) else value.owner
        is_activation = type(op).__module__ == ReLUOp.__module__
        if is_activation and isinstance(maker, ActivationHost):
            if not isinstance(op, FusableActivation):
                name, _ = name_of(FuseActivation(), ReLUOp, maker)
                why = "no layer has this activation as a parameter"
                yield Remark(name, (maker.label(), op.label()), why)
        elif isinstance(op, BatchNormOp | ScaleOp) and not isinstance(maker, LinearProducer):
            name, _ = name_of(FuseAffine(), op, ConvolutionOp)
            before = maker.label() if isinstance(maker, LayerOp) else "an input"
            yield Remark(name, (op.label(),), f"it is behind {before}, which is no linear layer")
