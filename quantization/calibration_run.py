"""Histograms of the magnitudes in the inputs of layers that can be int8, over samples."""

import time
from collections.abc import Callable, Sequence

from ..formats.errors import prefixed
from ..interpreters.errors import RunError
from ..runtime.process import Process
from ..samples.sources import Samples
from .histograms import Counts
from .prepared import RuntimeModel
from .sessions import Sessions
from .statistics import Seen, Statistics

CHECKPOINT = 10.0
"""Seconds between two saves of the statistics. An interruption loses about this time."""

MAX_ELEMENTS = 1 << 21
"""The approximate number of elements of a blob that are counted, in all samples together. (The
largest magnitude is that of all elements.) Counting every element would take half as long as
computing it."""


OnProgress = Callable[[int], None]
"""Is called with the number of samples done."""
Keep = Callable[[Statistics], None]
"""Is called to save statistics."""


def bottoms_of(prepared: RuntimeModel) -> list[str]:
    """Return the blobs in which magnitudes are counted."""
    return prepared.in_order([c.bottom for c in prepared.candidates])


def elements_per_sample(found: Statistics) -> int:
    """Return how many elements of a blob are counted at most in each sample."""
    return max(1, MAX_ELEMENTS // found.total)


def calibrate(
    prepared: RuntimeModel,
    samples: Samples,
    found: Statistics,
    wanted: Sequence[int],
    *,
    jobs: int | None = 1,
    on_progress: OnProgress = lambda done: None,
    keep: Keep = lambda found: None,
) -> None:
    """Count the samples of `wanted` that are not counted yet, in the ncnn runtime: `jobs` processes
    with one thread each. `keep` is called every `CHECKPOINT` seconds.

    Raises `RunError` with the name of the sample if the runtime fails or a value is not finite.
    """
    names, blobs, most = samples.names(), bottoms_of(prepared), elements_per_sample(found)
    missing = [i for i in wanted if i not in found.done]
    if not missing:
        return

    def count(session: Process, index: int) -> Seen:
        inputs = samples.load(index)
        with prefixed(RunError, names[index]):
            return Seen(**session.call("count", "float", inputs, blobs, index, most))

    done, kept = len(wanted) - len(missing), time.monotonic()
    with Sessions(jobs, len(missing)) as sessions:
        size = len(sessions.sessions)
        files = prepared.param, prepared.weights
        sessions.call_all("load", "float", *files, prepared.custom_layers)
        while missing:
            chunk, missing = missing[:size], missing[size:]
            start = time.monotonic()
            for index, seen in sessions.map(count, chunk):
                found.note(index, seen)
                done += 1
                on_progress(done)
            for counts in sessions.call_all("take_counts"):
                found.add({name: Counts(**each) for name, each in counts.items()})
            found.done.update(chunk)
            now = time.monotonic()
            if now - kept >= CHECKPOINT:
                keep(found)
                kept = time.monotonic()
            if now - start < CHECKPOINT / 2:
                size *= 2
