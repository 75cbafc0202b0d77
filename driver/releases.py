"""The oldest release of ncnn that runs a model, before and after passes.

A rewrite may create layers or parameters that an older runtime lacks; the user learns here that the
result needs a newer one.
"""

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..analysis.required_release import Requirement, requirement_of
from ..transforms.rewriting.missed import Missed, UnsupportedRewrite
from ..transforms.rewriting.observers import observing
from .errors import UsageError
from .observers.run_observer import RunObserver


class Releases(RunObserver):
    """The requirements of a model before and after passes, and the rewrites that its release did
    not allow."""

    def __init__(
        self, path: str = "", wanted: str | None = None, before: Requirement | None = None
    ) -> None:
        """`path` is the model in messages, `wanted` the release that must run the result, if the
        user named one."""
        self.path = path
        self.wanted = wanted
        self.before = before
        self.after: Requirement | None = None
        self._withheld: dict[tuple[str, str], UnsupportedRewrite] = {}
        """By the last layer and the type of its replacement, because patterns try repeatedly."""

    def on_missed(self, missed: Missed) -> None:
        """Note a rewrite that the release does not allow."""
        if isinstance(missed, UnsupportedRewrite):
            self._withheld.setdefault((missed.layers[0].label(), missed.layer), missed)

    def finish(self, module: ModuleOp) -> None:
        """Note the release that the result requires. Raises `UsageError` if it is newer than the
        release that the user named (see `known_release`)."""
        self.after = requirement_of(module)
        check_requirement(self.after, self.path, self.wanted)

    def facts(self) -> Mapping[str, Any]:
        """Return this object."""
        return {"releases": self}

    def raised(self) -> Requirement | None:
        """The requirement of the result, if the model as it was runs in an older release."""
        if self.after is None or (self.before and self.before.release >= self.after.release):
            return None
        return self.after

    def lines(self) -> list[str]:
        """Return lines about the release that the result requires if an older one ran the model,
        and about the releases that would allow more rewrites."""
        lines: list[str] = []
        if (raised := self.raised()) is not None:
            what = f"{raised.layer}, {raised.feature}"
            lines.append(f"requires ncnn {raised.release} now: {what}")
        parts = [
            f"{release} ({', '.join(f'{layer} {n}' for layer, n in sorted(layers.items()))})"
            for release, layers in self.newer().items()
        ]
        if parts:
            lines.append(f"newer releases would allow more: --for-ncnn {', '.join(parts)}")
        return lines

    def newer(self) -> Mapping[str, Mapping[str, int]]:
        """The number of layers of each type that newer releases would allow, by release."""
        found: dict[str, Counter[str]] = {}
        for each in self._withheld.values():
            found.setdefault(each.release, Counter())[each.layer] += 1
        return dict(sorted(found.items()))


@contextmanager
def watching_releases(module: ModuleOp, path: str, wanted: str | None) -> Generator[Releases]:
    """Note what the passes of the block change about the releases that run a model. Raises
    `UsageError` at the end: see `Releases.finish`."""
    found = Releases(path, wanted, requirement_of(module))
    with observing(found):
        yield found
    found.finish(module)


def check_requirement(requirement: Requirement | None, path: str, wanted: str | None) -> None:
    """Raises `UsageError` if a model requires a newer release than the user named."""
    if wanted is not None and requirement is not None and requirement.release > wanted:
        raise UsageError(
            f"{path}: the model does not run in ncnn {wanted}: {requirement.layer} requires ncnn "
            f"{requirement.release} ({requirement.feature}); --for-ncnn {requirement.release} "
            "allows it"
        )


def describe_oldest(requirement: Requirement | None, oldest: str) -> str:
    """The line of `--check` about releases."""
    if requirement is None:
        return f"runs in ncnn {oldest} and newer"
    return (
        f"runs in ncnn {requirement.release} and newer: {requirement.layer}, {requirement.feature}"
    )
