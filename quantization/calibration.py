"""Counting magnitudes in the blobs that layers read which could be int8, over samples."""

import time
from collections.abc import Callable, Sequence

from ..interpreters.errors import RunError
from .prepared import Prepared
from .samples import Samples
from .session import Session, Sessions
from .statistics import Statistics

CHECKPOINT = 5.0
"""Seconds of work that are lost at most if it is interrupted."""


def begin(prepared: Prepared, samples: Samples) -> Statistics:
    """Nothing counted yet."""
    return Statistics(prepared.fingerprint, samples.digest(), len(samples.names()))


def calibrate(
    prepared: Prepared,
    samples: Samples,
    found: Statistics,
    wanted: Sequence[int],
    *,
    jobs: int = 1,
    tell: Callable[[int], None] = lambda done: None,
    keep: Callable[[Statistics], None] = lambda found: None,
) -> None:
    """Counts these samples, but those that are counted already, in the ncnn runtime: `jobs`
    processes with one thread each. How many are done is told meanwhile; what is there to go on with
    is to keep every few seconds.

    Raises `RunError` that names the sample where the runtime does not come through, or something is
    not finite.
    """
    names = samples.names()
    blobs = prepared.in_order([c.bottom for c in prepared.candidates])
    missing = [i for i in wanted if i not in found.done]
    if not missing:
        return

    def count(session: Session, index: int) -> dict[str, int]:
        inputs = samples.load(index)
        try:
            return session.call("count", "float", inputs, blobs)
        except RunError as e:
            raise RunError(f"{names[index]}: {e}") from e

    done, size = len(wanted) - len(missing), jobs
    with Sessions(min(jobs, len(missing))) as sessions:
        sessions.call_all("load", "float", prepared.param, prepared.weights, True)
        while missing:
            chunk, missing = missing[:size], missing[size:]
            start = time.monotonic()
            for _, sizes in sessions.map(count, chunk):
                found.note_sizes(sizes)
                done += 1
                tell(done)
            for counts in sessions.call_all("take_counts"):
                found.add(counts)
            found.done.update(chunk)
            keep(found)
            if time.monotonic() - start < CHECKPOINT / 2:
                size *= 2
