"""`--remarks=missed`: missed fusions, with reasons."""

import json
from collections.abc import Callable, Iterator, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker

from ...dialects.ncnn.activation import ReLUOp
from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.interfaces import ActivationHost, FusableActivation, LinearProducer
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import BatchNormOp, ScaleOp
from ...transforms.canonicalization.activation import FuseActivation
from ...transforms.canonicalization.affine import FuseAffine
from ...transforms.canonicalization.data_movement import MergePermutes
from ...transforms.rewriting.growth import still_applicable
from ...transforms.rewriting.missed import BeyondGrowth, FailedCondition, Missed, UnsupportedRewrite
from ...transforms.rewriting.observers import Observer, observing_alone
from ...transforms.rewriting.remarks import Remark
from ...transforms.rewriting.running_passes import name_of
from .run_observer import RunObserver

NOT_ASKED = "nothing that was asked for does it"


class MissedFusions(RunObserver):
    """Prints the expected fusions that are missing in the result, and the rewrites that the target
    release does not support."""

    def __init__(self, as_json: bool, tell: Callable[[str], None]) -> None:
        self._as_json = as_json
        self._tell = tell
        self._beyond_growth: list[Remark] = []
        self._refused: Mapping[str, Remark] = {}
        self._unsupported: dict[tuple[str, str], Remark] = {}
        """By the last layer and the type of its replacement, because patterns try repeatedly."""

    def on_missed(self, missed: Missed) -> None:
        """Note a rewrite that the growth limit or the release forbids."""
        if isinstance(missed, BeyondGrowth):
            self._beyond_growth.append(missed.remark())
        elif isinstance(missed, UnsupportedRewrite):
            remark = missed.remark()
            self._unsupported.setdefault((remark.layers[0], missed.layer), remark)

    def finish(self, module: ModuleOp) -> None:
        """Keep the refused rewrites whose layers still exist."""
        self._refused = still_applicable(self._beyond_growth, module)

    def report(self, module: ModuleOp) -> None:
        """Print a line for each missed rewrite."""
        for remark in [*missed_fusions(module, self._refused), *self._unsupported.values()]:
            if self._as_json:
                fields = {**remark.as_dict(), "missed": True}
                self._tell(json.dumps(fields, ensure_ascii=False))
            else:
                self._tell(f"missed: {remark}")


class _Trial(Observer):
    """Records the rewrites of a trial, and the rewrites that it misses."""

    def __init__(self) -> None:
        self.fired: list[Remark] = []
        self.missed: list[Remark] = []

    def on_remark(self, remark: Remark) -> None:
        self.fired.append(remark)

    def on_missed(self, missed: Missed) -> None:
        if isinstance(missed, FailedCondition):
            self.missed.append(missed.remark())


def missed_fusions(module: ModuleOp, refused: Mapping[str, Remark] = {}) -> list[Remark]:
    """Return a remark for each scale, shift, activation and Permute that could be fused into the
    layer before it but is not, with the failed condition of the pattern that matched furthest.
    `refused` are rewrites that the limit on the growth of weights forbade, by layer. In the order
    of the model."""
    found = {remark.layers[-1]: remark for remark in _without_pattern(module)}
    copy, trial = module.clone(), _Trial()
    patterns = GreedyRewritePatternApplier([FuseActivation(), FuseAffine(), MergePermutes()])
    with observing_alone(trial):
        PatternRewriteWalker(patterns).rewrite_module(copy)
    changed = {remark.layers[0] for remark in trial.fired}
    for remark in trial.missed:
        if remark.layers[0] not in changed:
            found[remark.layers[-1]] = remark
    for remark in trial.fired:
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
                name = name_of(FuseActivation(), maker, ReLUOp)
                why = "no layer has this activation as a parameter"
                yield Remark(name, (maker.label(), op.label()), why)
        elif isinstance(op, BatchNormOp | ScaleOp) and not isinstance(maker, LinearProducer):
            name = name_of(FuseAffine(), ConvolutionOp, op)
            before = maker.label() if isinstance(maker, LayerOp) else "an input"
            yield Remark(name, (op.label(),), f"it is behind {before}, which is no linear layer")
