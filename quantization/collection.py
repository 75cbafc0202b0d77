"""Collecting the statistics of samples: the histograms of the magnitudes in the inputs of layers
that can be int8, with a file to resume from. It warns of samples that give poor scales: too few
samples, equal samples, constant blobs."""

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.lookup import model_of
from ..formats.errors import FormatError, prefixed
from ..formats.scale_table import ScaleTable
from ..interpreters.errors import RunError
from ..runtime.custom_layers import CustomLayers
from ..runtime.engines import check_runtime
from ..runtime.process import Process
from ..samples.reader import Data, samples_in
from ..samples.sources import Samples
from ..targets.atomic_files import write_file
from .histograms import Counts
from .prepared import RuntimeModel
from .recipe import TableMethod, WeightMethod
from .scales import METHODS, WEIGHT_METHODS, make_table
from .sessions import Sessions
from .statistics import VARIES, Seen, Statistics
from .step_records import Note, QuantizationObserver, Warner

PARTIAL = ".partial"
"""The suffix of the file with the statistics of an interrupted run."""


def collect_statistics(
    prepared: RuntimeModel,
    samples: Samples,
    observer: QuantizationObserver,
    *,
    jobs: int | None,
    part: Sequence[int] | None = None,
    scheduler: str | None = None,
    partial: str | None = None,
) -> Statistics:
    """Return the statistics of a part of the samples, or of all; then warn of samples that give
    poor scales. A file `partial` keeps them meanwhile, and the next run on the same model and
    samples continues from it."""
    total = len(samples.names())
    found = Statistics(prepared.fingerprint, samples.digest(), total)
    wanted = range(total) if part is None else part
    if partial is not None:
        found = _resumed(partial, found, wanted, observer)

    def keep(found: Statistics) -> None:
        if partial is not None:  # compression would take as long as the samples
            write_file(partial, found.to_bytes(compress=False))

    def on_progress(done: int) -> None:
        observer.on_progress(f"calibrating on {len(wanted)} samples", done, len(wanted))

    if scheduler is None:
        calibrate(prepared, samples, found, wanted, jobs=jobs, on_progress=on_progress, keep=keep)
    else:
        from .scheduled import calibrate_over

        calibrate_over(
            scheduler, prepared, samples, found, wanted, on_progress=on_progress, keep=keep
        )
    if partial is not None and os.path.exists(partial):
        os.remove(partial)
    if part is None:
        warn_of_samples(prepared, samples.names(), found, observer)
    return found


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


NAMED = 3
"""The number of names in a warning."""


def warn_of_samples(
    prepared: RuntimeModel, names: Sequence[str], found: Statistics, observer: QuantizationObserver
) -> None:
    """Pass the warnings of these statistics to an observer."""
    for message in warnings_of(prepared, names, found):
        observer.on_warning(message)


def warnings_of(prepared: RuntimeModel, names: Sequence[str], found: Statistics) -> list[str]:
    """Return warnings of one sample, of equal samples, and of blobs with one value everywhere or
    the same values in all samples. `names` has the names of all samples."""
    warnings: list[str] = []
    done = sorted(found.done)
    copies = _copies(found)
    all_equal = len(copies) == len(done) - 1
    if len(done) == 1:
        warnings.append(f"'{names[done[0]]}' is the only sample: the scales fit nothing else")
    elif all_equal:
        listed = _listed([f"'{names[i]}'" for i in done])
        warnings.append(f"all {len(done)} samples are equal: {listed}")
    elif copies:
        listed = _listed([f"'{names[i]}' is '{names[first]}'" for i, first in copies.items()])
        warnings.append(f"{len(copies)} of {len(done)} samples are copies of others: {listed}")
    readers: dict[str, str] = {}
    for candidate in prepared.candidates:
        readers.setdefault(candidate.bottom, candidate.label)
    still: list[str] = []
    for blob in prepared.in_order(list(readers)):
        text = found.prints[blob]
        if text.startswith("="):
            still.append(f"'{blob}' (input of {readers[blob]}) is {text[1:] or 'empty'} everywhere")
        elif text != VARIES and not all_equal:
            still.append(f"'{blob}' (input of {readers[blob]}) is the same in all samples")
    if still:
        warnings.append(f"blobs that do not vary: {_listed(still)}")
    return warnings


def _copies(found: Statistics) -> dict[int, int]:
    """Return the samples with the inputs of an earlier sample, with that sample."""
    first: dict[str, int] = {}
    copies: dict[int, int] = {}
    for index in sorted(found.done):
        earlier = first.setdefault(found.inputs[index], index)
        if earlier != index:
            copies[index] = earlier
    return copies


def _listed(words: Sequence[str]) -> str:
    others = len(words) - NAMED
    return ", ".join(words[:NAMED]) + (f" and {others} more" if others > 0 else "")


ENOUGH_FOR_KL = 100
"""The number of samples from which no warning is given for the method `kl`."""


def few_samples_for(method: str, count: int) -> str:
    """Return a warning if a method is chosen, without an evaluation, for fewer samples than it
    needs; else an empty text."""
    if method != "kl" or count >= ENOUGH_FOR_KL:
        return ""
    are_few = "1 sample is" if count == 1 else f"{count} samples are"
    return (
        f"method kl compares histograms, for which {are_few} few: its scales may clip too much; "
        "method mse needs fewer, and ncnn-quantize tries all methods"
    )


def calibrate_table(
    module: ModuleOp,
    samples: Samples,
    path: str,
    observer: QuantizationObserver,
    method: str,
    weight_method: str,
    *,
    jobs: int | None,
    partial: str | None = None,
    custom_layers: CustomLayers | None = None,
) -> ScaleTable:
    """Return the scales of a model by these methods, calibrated on samples. `path` names the model
    in messages. Raises `RunError`."""
    check_runtime()  # before all the work
    with RuntimeModel(module, custom_layers) as prepared:
        prepared.check_candidates(path)
        if words := few_samples_for(method, len(samples.names())):
            observer.on_warning(words)
        found = collect_statistics(prepared, samples, observer, jobs=jobs, partial=partial)
        return make_table(prepared, found, method, weight_method)


def calibrated_table(
    module: ModuleOp,
    data: Data,
    method: TableMethod,
    weight_method: WeightMethod,
    jobs: int,
    custom_layers: CustomLayers,
) -> ScaleTable:
    """Return the scales of a model, calibrated on arrays. Raises one of `USER_ERRORS`."""
    for name, known in ((method, METHODS), (weight_method, WEIGHT_METHODS)):
        if name not in known:
            raise RunError(f"there is no method '{name}', but {', '.join(known)}")
    check_runtime()
    warner, methods = Warner(), (method, weight_method)
    samples = samples_in(model_of(module), data, warner.on_warning)
    how: dict[str, Any] = {"jobs": jobs, "custom_layers": custom_layers}
    return calibrate_table(module, samples, "the model", warner, *methods, **how)


def _resumed(
    partial: str, fresh: Statistics, wanted: Sequence[int], observer: QuantizationObserver
) -> Statistics:
    """Return the statistics of an interrupted run, if it was on the same model and samples."""
    try:
        with open(partial, "rb") as f:
            found = Statistics.from_bytes(f.read(), partial)
    except (FileNotFoundError, FormatError):
        return fresh
    if not found.of_same_run(fresh) or not found.done <= set(wanted):
        return fresh
    observer.on_step(Note(f"{len(found.done)} samples are counted in {partial}"))
    return found
