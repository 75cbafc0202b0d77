"""The steps of a run, recorded and proven while passes rewrite a model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import model_of
from ..transforms.edits.edit import is_edit, is_several
from ..transforms.rewriting.observers import Observer
from .canonical_form import CanonicalForm, canonical_key, live_operations
from .step_proofs import Rewrite, StepProver, Verdict


@dataclass(frozen=True)
class RecordedRewrite:
    """A rewrite of a run."""

    pass_name: str
    pattern: str | None
    """The class of the pattern, or its name in a PDL file; `None` if the pass has no patterns."""
    removed: tuple[str, ...]
    """The layers that vanish or change."""
    created: tuple[str, ...]
    """The layers that are new or changed."""
    before: str
    """The hash of the model before the step."""
    after: str
    verdict: Verdict
    seconds: float


class Snapshot:
    """A copy of a module, with the operations that it was copied from."""

    def __init__(self, module: ModuleOp) -> None:
        self.module = module.clone()
        self.originals = list(module.walk())
        self.copies = list(self.module.walk())
        self.index = {id(op): i for i, op in enumerate(self.originals)}


class Recorder(Observer):
    """An observer that records each rewrite of a run as a step, and proves it."""

    def __init__(
        self,
        receive: Callable[[RecordedRewrite], None],
        make_context: Callable[[], Context] = Context,
        seed: int = 0,
    ) -> None:
        """`receive` gets each step; it may raise an error to end the run. `make_context` makes the
        context in which a pass runs again."""
        self.receive = receive
        self.make_context = make_context
        self.seed = seed
        self.form = CanonicalForm()
        self._module: ModuleOp | None = None
        self._running: ModulePass | None = None

    def between_passes(
        self, done: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        """Record the step of a pass that has no patterns, or more than patterns."""
        if is_edit(done) and is_several(module):
            self._module = None  # parts of a model
        elif is_edit(following) and done is None:
            self._module = None  # the edited model is the original
        elif self._module is not module or is_edit(done):
            self._module = module
            self._last = Snapshot(module)
            self._hash = self.form.hash(module)
            self.prover = StepProver(module, self.form, self.seed)
        elif done is not None:
            self._record(done, None, lambda copy: done.apply(self.make_context(), copy))
        self._running = following

    def before_patterns(self, op: Operation) -> None:
        """Notice operations that were removed since the last rewrite, because nothing read them."""
        if self._module is not None:
            if sum(1 for _ in self._module.walk()) != len(self._last.originals):
                self._last = Snapshot(self._module)

    def after_rewrite(self, pattern: RewritePattern, op: Operation) -> None:
        """Record a rewrite at an operation."""
        if self._module is None or self._running is None:
            return
        place = self._last.index.get(id(op))

        def rewrite(copy: ModuleOp) -> None:
            ops = list(copy.walk())
            if place is not None:
                pattern.match_and_rewrite(ops[place], PatternRewriter(ops[place]))

        self._record(self._running, pattern, rewrite)

    def _record(
        self, running: ModulePass, pattern: RewritePattern | None, rewrite: Rewrite
    ) -> None:
        assert self._module is not None
        start = perf_counter()
        before, after = self._last, Snapshot(self._module)
        old, self._hash, self._last = self._hash, self.form.hash(after.module), after
        if old == self._hash:
            return
        pairs = [
            (before.copies[i], after.copies[after.index[id(op)]])
            for i, op in enumerate(before.originals)
            if id(op) in after.index
        ]
        verdict = self.prover.prove(before.module, after.module, pairs, rewrite, running)
        removed, created = changed_layers(before.module, after.module, pairs)
        name = None if pattern is None else getattr(pattern, "label", type(pattern).__name__)
        seconds = perf_counter() - start
        step = RecordedRewrite(
            running.name, name, removed, created, old, self._hash, verdict, seconds
        )
        self.receive(step)


def changed_layers(
    before: ModuleOp, after: ModuleOp, pairs: Sequence[tuple[Operation, Operation]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the layers of a module that a step removes or changes, and the new or changed ones."""
    same = {
        a: b
        for a, b in pairs
        if canonical_key(a) == canonical_key(b) and _weights(a) == _weights(b)
    }
    old, new = _layers(before), _layers(after)
    old_live, new_live = set(old), set(new)
    stay = {a for a, b in same.items() if b in new_live}
    kept = {b for a, b in same.items() if a in old_live}
    return (
        tuple(op.label() for op in old if op not in stay),
        tuple(op.label() for op in new if op not in kept),
    )


def _weights(op: Operation) -> list[Attribute | None]:
    return [v.owner.value if isinstance(v.owner, ConstantOp) else None for v in op.operands]


def _layers(module: ModuleOp) -> list[LayerOp]:
    layers = (op for op in live_operations(model_of(module)) if isinstance(op, LayerOp))
    return [op for op in layers if not isinstance(op, ConstantOp) or op.is_layer()]
