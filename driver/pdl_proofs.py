"""Proofs of patterns in MLIR's PDL: `--prove-pdl`."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriteWalker

from ..proofs.array import NotExact
from ..proofs.pdl_instances import instances
from ..proofs.proof import Proof, Status, prove
from ..proofs.recorder import RecordedRewrite, Recorder
from ..transforms.apply_pdl import LayerPattern, pattern_of, read_patterns
from ..transforms.eliminate_split import EliminateSplit
from ..transforms.rewriting.observers import observing, observing_alone
from ..transforms.rewriting.pattern_set import PatternSet
from ..transforms.rewriting.rewrite_counter import RewriteCounter
from .environment import make_context
from .model_files import read_model
from .pipelines import run_pipeline
from .rewrite_proofs import describe_counterexample, number_of, refutation_of, status_of

ONCE = 1

ENDLESS = 20
"""The number of rewrites after which a pattern counts as endless, on a model that it matches once.
"""

MOST_REWRITES = 1000
"""The largest number of rewrites of a model that are proven."""


@dataclass
class PatternProof:
    """The result for one pattern."""

    label: str
    proven: list[str] = field(default_factory=list[str])
    """The instances at which the pattern is proven."""
    unproven: list[str] = field(default_factory=list[str])
    """The other instances, with the reason."""
    refuted: list[str] = field(default_factory=list[str])
    """The lines of a counterexample."""
    laws: set[str] = field(default_factory=set[str])

    @property
    def is_proven(self) -> bool:
        """Whether the pattern is proven at each instance, and at one or more."""
        return bool(self.proven) and not self.unproven and not self.refuted

    def __str__(self) -> str:
        if self.refuted:
            return "\n".join([f"{self.label}: wrong at {self.refuted[0]}", *self.refuted[1:]])
        if not self.proven and not self.unproven:
            return f"{self.label}: not proven: it matches no instance; --layers-of MODEL gives one"
        lines: list[str] = []
        if self.proven:
            laws = f", with {'; '.join(sorted(self.laws))}" if self.laws else ""
            count = number_of(len(self.proven), "instance")
            lines.append(f"{self.label}: proven at {count}: {'; '.join(self.proven)}{laws}")
        lines += [f"{self.label}: not proven at {each}" for each in self.unproven]
        return "\n".join(lines)


def prove_file(path: str, models: Sequence[str] = ()) -> list[PatternProof]:
    """Prove the patterns of a file at instances that are built from each pattern, and at the layers
    of models. Raises one of `USER_ERRORS`."""
    patterns, _ = read_patterns(path, make_context())
    found = [_prove_alone(pattern) for pattern in patterns]
    for model in models:
        for pattern, proof in zip(patterns, found, strict=True):
            if not proof.refuted:
                _prove_on(pattern, model, proof)
    return found


def _prove_alone(pattern: LayerPattern) -> PatternProof:
    proof = PatternProof(pattern.label)
    try:
        for place, module in instances(pattern_of(pattern.pdl_rewrite_op), make_context()):
            found = prove_once(pattern, module)
            if found.counterexample is not None:
                proof.refuted = [place, *describe_counterexample(found.counterexample)]
                break
            if found.status is Status.REFUTED:
                proof.refuted = [f"{place}: {found.reason}"]
                break
            if found.status is Status.PROVEN:
                proof.proven.append(place)
                proof.laws.update(found.laws)
            elif found.status is not Status.UNCHANGED:
                proof.unproven.append(f"{place}: {found.reason or found.status.value}")
    except NotExact as e:
        proof.unproven.append(f"any instance: {e}; --layers-of MODEL gives one")
    return proof


class _Apply(ModulePass):
    """Apply one pattern, at most as often as the counter of the context allows."""

    name = "apply-pdl"

    def __init__(self, pattern: LayerPattern) -> None:
        self.pattern = pattern

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with observing_alone(RewriteCounter(ONCE)):
            PatternRewriteWalker(PatternSet([self.pattern])).rewrite_module(op)


def prove_once(pattern: LayerPattern, module: ModuleOp) -> Proof:
    """Prove one application of a pattern. It is not proven if the pattern would match forever."""
    found = prove(_Apply(pattern), module)
    counter = RewriteCounter(ENDLESS)
    with observing_alone(counter):
        PatternRewriteWalker(PatternSet([pattern])).rewrite_module(module.clone())
    if counter.done == ENDLESS and found.status is not Status.REFUTED:
        return Proof(Status.UNSUPPORTED, "it matches its own results, and would never end")
    return found


def _prove_on(pattern: LayerPattern, model: str, proof: PatternProof) -> None:
    """Prove a pattern at the layers of a model."""
    source = read_model(model)

    def receive(step: RecordedRewrite) -> None:
        place = f"{model}, {', '.join(step.removed)}"
        if step.verdict.status is Status.REFUTED:
            proof.refuted = proof.refuted or [place, *refutation_of(step)]
        elif step.verdict.status is Status.PROVEN:
            proof.proven.append(place)
            proof.laws.update(step.verdict.laws)
        else:
            reason = step.verdict.reason
            proof.unproven.append(f"{place}: {status_of(step)}{reason and f' ({reason})'}")

    run_pipeline(source.module, [EliminateSplit()], source.path)
    recorder = Recorder(receive, make_context)
    with observing(RewriteCounter(MOST_REWRITES), recorder):
        recorder.between_passes(None, source.module, _Apply(pattern))
        PatternRewriteWalker(PatternSet([pattern])).rewrite_module(source.module)
    if proof.proven or proof.refuted:
        proof.unproven = [each for each in proof.unproven if not each.startswith("any instance")]
