"""Observers of a run: of its passes, its rewrites and its remarks.

A pattern has the signature that xDSL calls, and does not know who runs it (xDSL's `canonicalize`
or one of our passes). The observers are therefore in a context variable. `observing` puts them
there; `run_pipeline`, `PatternSet` and the functions in `remarks.py` call them.

An observer is a subclass of `Observer` that defines the methods for the events that it needs. For
example, this observer prints the rewrites of a run:

    class Printer(Observer):
        def after_rewrite(self, pattern, op):
            print(type(pattern).__name__)

    with observing(Printer()):
        run_pipeline(module, "canonicalize")
"""

from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from .context import set_context

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation
    from xdsl.passes import ModulePass
    from xdsl.pattern_rewriter import RewritePattern

    from .missed import Missed
    from .remarks import Remark


class Observer:
    """An observer of a run. The methods of this class do nothing."""

    def between_passes(
        self, done: "ModulePass | None", module: "ModuleOp", following: "ModulePass | None"
    ) -> None:
        """Observe the module after the pass `done` (`None` before the first pass) and before the
        pass `following` (`None` after the last pass): xDSL's callback of a pipeline."""

    def after_part(self, name: str | None) -> None:
        """Observe the end of a part of the work: a pass, or work between passes such as
        `(verification)`; `None` for the work before the first pass."""

    def may_rewrite(self) -> bool:
        """Whether one more rewrite is allowed."""
        return True

    def before_patterns(self, op: "Operation") -> None:
        """Observe that patterns will be tried at an operation."""

    def before_attempt(self, pattern: "RewritePattern") -> None:
        """Observe that a pattern will be tried."""

    def after_attempt(self, pattern: "RewritePattern") -> None:
        """Observe that a pattern was tried, with or without a rewrite."""

    def after_rewrite(self, pattern: "RewritePattern", op: "Operation") -> None:
        """Observe a rewrite of a pattern that was rooted at an operation. The operation may be
        erased."""

    def on_remark(self, remark: "Remark") -> None:
        """Observe a remark: see `remarks.remark`."""

    def on_missed(self, missed: "Missed") -> None:
        """Observe that a pattern does not rewrite layers that it matches, with the reason. A
        pattern may be tried repeatedly, and miss the same rewrite each time."""

    def on_unmatched(self, pattern: str) -> None:
        """Observe that a pattern of a file matched no operation."""


class Observers:
    """The observers in force, and the methods of each event: only those that an observer defines,
    so that an event without observers costs nothing."""

    def __init__(self, observers: tuple[Observer, ...] = (), running: tuple[str, ...] = ()) -> None:
        self.all = observers
        self.running = running
        """The names of the running passes that have patterns."""
        self.between_passes = self._defining(Observer.between_passes)
        self.after_part = self._defining(Observer.after_part)
        self._may_rewrite = self._defining(Observer.may_rewrite)
        self.before_patterns = self._defining(Observer.before_patterns)
        self.before_attempt = self._defining(Observer.before_attempt)
        self.after_attempt = self._defining(Observer.after_attempt)
        self.after_rewrite = self._defining(Observer.after_rewrite)
        self.on_remark = self._defining(Observer.on_remark)
        self.on_missed = self._defining(Observer.on_missed)
        self.on_unmatched = self._defining(Observer.on_unmatched)

    def may_rewrite(self) -> bool:
        """Whether all observers allow one more rewrite."""
        return all(may_rewrite() for may_rewrite in self._may_rewrite)

    def _defining(self, default: Any) -> tuple[Any, ...]:
        """Return the methods of the observers that replace a method of `Observer`."""
        name = default.__name__
        return tuple(
            getattr(each, name) for each in self.all if getattr(type(each), name) is not default
        )


_OBSERVERS: ContextVar[Observers] = ContextVar("observers", default=Observers())


def current_observers() -> Observers:
    """Return the observers in force."""
    return _OBSERVERS.get()


def observing(*observers: Observer) -> AbstractContextManager[None]:
    """Add observers in the `with` block."""
    current = _OBSERVERS.get()
    return set_context(_OBSERVERS, Observers((*current.all, *observers), current.running))


def observing_alone(*observers: Observer) -> AbstractContextManager[None]:
    """Replace all observers in the `with` block, for work that is not part of the run, for example
    a trial on a copy of the model."""
    return set_context(_OBSERVERS, Observers(observers, _OBSERVERS.get().running))


def running(*names: str) -> AbstractContextManager[None]:
    """Restrict patterns in the `with` block to the rewrites of these passes, and attribute the
    rewrites to them: see `running_passes.py`."""
    return set_context(_OBSERVERS, Observers(_OBSERVERS.get().all, names))
