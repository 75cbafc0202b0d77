"""Counting magnitudes in the blobs that layers read which could be int8, over samples."""

import time
from collections.abc import Callable, Sequence

from ..interpreters.errors import RunError
from .calibration_data import Samples
from .prepared import Prepared
from .session import Session, Sessions
from .statistics import Seen, Statistics

CHECKPOINT = 10.0
"""Seconds after which what was counted is kept: about as many are lost if it is interrupted."""

MOST = 1 << 21
"""Of a blob that has more elements than this in all samples together, about so many are counted,
and the largest of all: counting every one would take half as long as computing them."""


Tell = Callable[[int], None]
Keep = Callable[[Statistics], None]


def begin(prepared: Prepared, samples: Samples) -> Statistics:
    """Nothing counted yet."""
    return Statistics(prepared.fingerprint, samples.digest(), len(samples.names()))


def bottoms_of(prepared: Prepared) -> list[str]:
    """The blobs in which magnitudes are counted."""
    return prepared.in_order([c.bottom for c in prepared.candidates])


def most_of(found: Statistics) -> int:
    """How many elements of a blob are counted at most in each sample."""
    return max(1, MOST // found.total)


def calibrate(
    prepared: Prepared,
    samples: Samples,
    found: Statistics,
    wanted: Sequence[int],
    *,
    jobs: int = 1,
    tell: Tell = lambda done: None,
    keep: Keep = lambda found: None,
) -> None:
    """Counts these samples, but those that are counted already, in the ncnn runtime: `jobs`
    processes with one thread each. How many are done is told meanwhile; what is there to go on with
    is to keep every `CHECKPOINT` seconds.

    Raises `RunError` that names the sample where the runtime does not come through, or something is
    not finite.
    """
    names, blobs, most = samples.names(), bottoms_of(prepared), most_of(found)
    missing = [i for i in wanted if i not in found.done]
    if not missing:
        return

    def count(session: Session, index: int) -> Seen:
        inputs = samples.load(index)
        try:
            return session.call("count", "float", inputs, blobs, index, most)
        except RunError as e:
            raise RunError(f"{names[index]}: {e}") from e

    done, size, kept = len(wanted) - len(missing), jobs, time.monotonic()
    with Sessions(min(jobs, len(missing))) as sessions:
        sessions.call_all("load", "float", prepared.param, prepared.weights, True)
        while missing:
            chunk, missing = missing[:size], missing[size:]
            start = time.monotonic()
            for index, seen in sessions.map(count, chunk):
                found.note(index, seen)
                done += 1
                tell(done)
            for counts in sessions.call_all("take_counts"):
                found.add(counts)
            found.done.update(chunk)
            now = time.monotonic()
            if now - kept >= CHECKPOINT:
                keep(found)
                kept = time.monotonic()
            if now - start < CHECKPOINT / 2:
                size *= 2
