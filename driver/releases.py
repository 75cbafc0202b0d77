"""The oldest release of ncnn that runs a model, before and after passes."""

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ..analysis.required_release import Requirement, requirement_of
from .errors import UsageError

if TYPE_CHECKING:
    from ..transforms.rewriting.release_conditions import UnsupportedRewrite


@dataclass
class Releases:
    """The requirements of one model before and after passes, and the rewrites that its release did
    not allow."""

    wanted: str | None = None
    """The release that must run the result, if the user named one."""
    before: Requirement | None = None
    after: Requirement | None = None
    withheld: "dict[tuple[str, str], UnsupportedRewrite]" = field(
        default_factory=dict[tuple[str, str], "UnsupportedRewrite"]
    )
    """By the last layer and the type of its replacement, because patterns try repeatedly."""

    def on_unsupported_rewrite(self, withheld: "UnsupportedRewrite") -> None:
        """Note a rewrite that the release does not allow."""
        self.withheld.setdefault((withheld.remark.layers[0], withheld.layer), withheld)

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
        for each in self.withheld.values():
            found.setdefault(each.release, Counter())[each.layer] += 1
        return dict(sorted(found.items()))


@contextmanager
def watching_releases(module: ModuleOp, path: str, wanted: str | None) -> Generator[Releases]:
    """Note what the passes of the block change about the releases that run a model. Raises
    `UsageError` at the end if a release that the user named (see `known_release`) does not run the
    result."""
    from ..transforms.rewriting.release_conditions import unsupported_rewrites_to

    found = Releases(wanted, requirement_of(module))
    with unsupported_rewrites_to(found.on_unsupported_rewrite):
        yield found
    found.after = requirement_of(module)
    check_requirement(found.after, path, wanted)


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
