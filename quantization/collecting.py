"""Collecting the statistics of samples, here or over a scheduler, with a file to resume from."""

import os
from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.lookup import model_of
from ..formats.errors import FormatError
from ..formats.scale_table import ScaleTable
from ..interpreters.errors import RunError
from ..runtime.custom_layers import CustomLayers
from ..runtime.engines import check_runtime
from ..samples.reader import Data, samples_in
from ..samples.sources import Samples
from ..targets.files import write_file
from .calibration_run import calibrate
from .prepared import RuntimeModel
from .recipe import TableMethod, WeightMethod
from .sample_warnings import warn_of_samples
from .scales import WEIGHT_METHODS, make_table
from .scheduled import calibrate_over
from .statistics import Statistics
from .steps import Note, QuantizationObserver, Warner
from .thresholds import METHODS

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
        calibrate_over(
            scheduler, prepared, samples, found, wanted, on_progress=on_progress, keep=keep
        )
    if partial is not None and os.path.exists(partial):
        os.remove(partial)
    if part is None:
        warn_of_samples(prepared, samples.names(), found, observer)
    return found


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
