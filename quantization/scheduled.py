"""Calibration over a dask.distributed scheduler: its workers count parts of the samples. The sum of
their histograms has the same bytes as a run on this machine."""

import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from uuid import uuid4

from ..interpreters.errors import RunError
from ..runtime.process import Process
from ..runtime.scheduler import asking, begin, connected
from ..samples.sources import Samples
from .collection import CHECKPOINT, Keep, OnProgress, bottoms_of, elements_per_sample
from .histograms import Array, Counts
from .prepared import RuntimeModel
from .sessions import start
from .statistics import Seen, Statistics

Part = Sequence[tuple[int, str, Mapping[str, Array]]]
"""Samples: the number, the name and the inputs of each."""
Counted = tuple[dict[str, Counts], dict[int, Seen]]
"""The histograms of blobs, and the other facts about each sample."""

LARGEST_PART = 16
"""The largest number of samples that go to a worker at once."""


def calibrate_over(
    address: str,
    prepared: RuntimeModel,
    samples: Samples,
    found: Statistics,
    wanted: Sequence[int],
    *,
    on_progress: OnProgress = lambda done: None,
    keep: Keep = lambda found: None,
) -> None:
    """Count samples as `calibrate` does, over the scheduler at this address. Samples are read on
    this machine; workers need ncnn-opt and the runtime, but no files.

    Raises `RunError`, also if there is no scheduler or it has no workers.
    """
    if prepared.custom_layers:
        raise RunError("custom layers are calibrated on this machine only: give no scheduler")
    missing = [i for i in wanted if i not in found.done]
    if not missing:
        return
    names, blobs, most = samples.names(), bottoms_of(prepared), elements_per_sample(found)
    done, kept, run = len(wanted) - len(missing), time.monotonic(), uuid4().hex
    with connected(address) as client:
        with asking(address):
            threads, running = begin(client, address)
            files = Path(prepared.param).read_bytes(), Path(prepared.weights).read_bytes()
            model = client.scatter(files, broadcast=True, hash=False)
        size = max(1, min(LARGEST_PART, len(missing) // (4 * threads)))
        parts = (missing[i : i + size] for i in range(0, len(missing), size))

        def submit(count: int) -> None:
            for indices in islice(parts, count):
                part = [(i, names[i], samples.load(i)) for i in indices]
                arguments = run, model, part, blobs, most
                with asking(address):
                    running.add(client.submit(count_part, *arguments, pure=False))

        try:
            submit(2 * threads)
            while not running.is_empty():
                with asking(address):
                    counts, seen = next(running).result()
                found.add(counts)
                for index, each in seen.items():
                    found.note(index, each)
                found.done.update(seen)
                done += len(seen)
                on_progress(done)
                submit(1)
                if time.monotonic() - kept >= CHECKPOINT:
                    keep(found)
                    kept = time.monotonic()
        finally:
            with suppress(Exception):
                client.run(forget, run)


_LOCK = threading.Lock()
_FREE: dict[str, list[Process]] = {}
"""The idle sessions of a worker that have loaded the model of a run, by run."""
_OVER: set[str] = set()
"""Runs that have ended. A part of one may still be in progress."""


def count_part(
    run: str, model: tuple[bytes, bytes], part: Part, blobs: Sequence[str], most: int
) -> Counted:
    """Count samples with a model, given as the content of its `.param` and `.bin`. Raises
    `RunError` with the name of the sample."""
    with _LOCK:
        free = _FREE.get(run)
        session = free.pop() if free else None
    session = _session_with(model) if session is None else session
    seen: dict[int, Seen] = {}
    try:
        for index, name, inputs in part:
            try:
                found = session.call("count", "float", inputs, blobs, index, most)
                seen[index] = Seen(**found)
            except RunError as e:
                raise RunError(f"{name}: {e}") from None
        found = session.call("take_counts")
        counts = {name: Counts(**each) for name, each in found.items()}
    except BaseException:
        session.kill()
        session.close()
        raise
    with _LOCK:
        _FREE.setdefault(run, []).append(session)
    if run in _OVER:
        forget(run)
    return counts, seen


def _session_with(model: tuple[bytes, bytes]) -> Process:
    """Return a process that has loaded a model."""
    with tempfile.TemporaryDirectory(prefix="ncnn-quantize-") as folder:
        paths = [str(Path(folder, name)) for name in ("model.param", "model.bin")]
        for path, content in zip(paths, model, strict=True):
            Path(path).write_bytes(content)
        session = start()
        try:
            session.call("load", "float", *paths)
        except BaseException:
            session.kill()
            session.close()
            raise
    return session


def forget(run: str) -> None:
    """End the processes of a run: idle ones now, others when they become idle."""
    with _LOCK:
        _OVER.add(run)
        free = _FREE.pop(run, [])
    for session in free:
        session.close()
