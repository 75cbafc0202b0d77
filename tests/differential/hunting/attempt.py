"""One case: tried, and if something is wrong, who is to blame."""

import re
import signal
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from types import FrameType

from ..compiler import load, run_passes, save
from ..decoder_trial import DecoderTrial
from ..driver import Mismatch, Trial
from ..nets import Net
from ..runtime import Runtime
from .sources import Case

OTHERS = 4
"""Inputs of other extents for each net."""

BATCHES = 1
"""Inputs that are batches of blobs for each net."""

LEAST = 0.3
"""What the largest value of a blob counts for at least: in some of many nets all cancels out, and a
norm divides what is left by the root of its `eps`."""

SECONDS = 60
"""After so many a compilation counts as hanging."""

MOST_REWRITES = 200
"""Of a small net."""


@dataclass(frozen=True)
class Finding:
    """Something that is wrong."""

    what: str
    """One word: `values`, `options`, `unstable`, `apart`, or the name of an exception."""
    blame: str
    """The pattern whose rewrite does it first, or the line of code."""
    details: str
    net: Net
    passes: Sequence[str]

    @property
    def key(self) -> str:
        """The same for what is probably the same defect."""
        return f"{self.what}-{self.blame}"


class Hang(Exception):
    """A compilation takes too long."""


@contextmanager
def limited(seconds: int) -> Generator[None]:
    """Raises `Hang` in a block that takes longer."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def attempt(
    case: Case, runtime: Runtime, folder: Path, others: int = OTHERS, batches: int = BATCHES
) -> Finding | bool:
    """What is wrong with a case; else whether anything was learnt from it."""
    try:
        with limited(SECONDS):
            return _attempt(case, runtime, folder, others, batches)
    except Exception as error:
        frames = extract_tb(error.__traceback__)
        ours = [f for f in frames if "site-packages" not in f.filename] or list(frames)
        place = f"{Path(ours[-1].filename).stem}-{ours[-1].name}"
        details = f"{error}\n{''.join(frames.format())}"
        return Finding(type(error).__name__, place, details, case.net, case.passes)


def _attempt(
    case: Case, runtime: Runtime, folder: Path, others: int, batches: int
) -> Finding | bool:
    trial = case.trial(runtime, folder, others, batches, LEAST)
    try:
        checked = trial.after(case.passes)
    except Mismatch as mismatch:
        what = "values" if "float32" in mismatch.where else "options"
        blame = blamed(trial, case.passes)
        return Finding(what, blame, str(mismatch), case.net, case.passes)
    if case.ends and not checked.is_stable():
        blame = "+".join(sorted(checked.fired)) or "nothing"
        return Finding("unstable", blame, checked.param.read_text(), case.net, case.passes)
    if case.apart is not None and (problem := apart(case, trial, folder)):
        return Finding("apart", "+".join(sorted(checked.fired)), problem, case.net, case.passes)
    return trial.is_evidence


def blamed(trial: Trial | DecoderTrial, passes: Sequence[str]) -> str:
    """The pattern whose rewrite, after all before it, makes the model a wrong one."""
    before: Mapping[str, int] = {}
    for limit in range(MOST_REWRITES):
        try:
            before = trial.after(passes, limit=limit).fired
        except Mismatch as mismatch:
            return "".join(Counter(mismatch.fired) - Counter(before)) or "no-pattern"
        if sum(before.values()) < limit:
            break
    return "not-again"


def apart(case: Case, trial: Trial | DecoderTrial, folder: Path) -> str:
    """What is other if passes run in two processes, with files between, than in one. (Files have
    Splits, and may get new ones.)"""
    assert case.apart is not None
    first, second = case.passes[: case.apart], ("eliminate-split", *case.passes[case.apart :])
    one = load(trial.param)
    run_passes(one, first)
    two = load(save(one, folder / "between.param"))
    for module in (one, two):
        run_passes(module, second)
    paths = save(one, folder / "one.param"), save(two, folder / "two.param")
    texts = [counted_anew(path.read_text()) for path in paths]
    weights = [path.with_suffix(".bin").read_bytes() for path in paths]
    if texts[0] == texts[1] and weights[0] == weights[1]:
        return ""
    return f"after {first}, then {second}:\n{texts[0]}\n{texts[1]}"


def counted_anew(param: str) -> str:
    """A `.param` in which the names that files give to layers without one (`reshape_3`) are numbers
    that count those that are left: layers that had got one by then may have gone, or may have been
    folded into a constant that keeps the name."""
    names: dict[str, str] = {}
    numbered = re.sub(
        r"\b[a-z0-9]+_\d+(?=\b|_splitncnn_)",
        lambda m: names.setdefault(m[0], f"#{len(names)}"),
        param,
    )
    return re.sub(r" +", " ", numbered)  # columns are as wide as the names
