"""The report of a model as a value: the costs, and plots of them.

It is a dictionary with the members of `ncnn-report --print-json`, so that a script reads both in
the same way.
"""

import os
from typing import TYPE_CHECKING, Annotated, Any, Literal

from .arguments import PATH, Expected, Positive, sampled_arrays, validate_arguments
from .values import NcnnOptError, reporting

if TYPE_CHECKING:
    from ncnn_opt.quantization.int8_figures import Evaluation

    from .loaded_model import Model

PlotKind = Literal["weights", "ranges", "snr", "time"]


def _is_evaluation(value: object) -> bool:
    return hasattr(value, "as_json") or PATH.accepts(value)


Measurements = Annotated[
    "Evaluation | str | os.PathLike[str]",
    Expected("an Evaluation or the name of a file of ncnn-quantize --json", _is_evaluation),
]
"""The measurements of an int8 model."""


def evaluation_bytes(given: "Evaluation | str | os.PathLike[str] | None") -> bytes | None:
    """Return an evaluation as the content of a file of `ncnn-quantize --json`. Raises
    `OSError`."""
    if given is None:
        return None
    if isinstance(given, str | os.PathLike):
        with open(given, "rb") as f:
            return f.read()
    return given.as_json().encode()


class Report(dict[str, Any]):
    """The costs of a model, with the structure of `ncnn-report --print-json` (docs/report.md)."""

    @validate_arguments
    def plot(self, kind: PlotKind, axes: Any = None, most: Positive = 30) -> Any:
        """Draw a plot of the layers with matplotlib (`pip install 'ncnn-opt[plot]'`), and return
        its axes: `"weights"` (the bytes of the largest weights), `"ranges"` (the ranges of all
        layers against float16's limits), `"snr"` (the layers with the most noise of int8, in dB) or
        `"time"` (the slowest layers, in milliseconds). `axes` are matplotlib's, by default those of
        a new figure; `most` is the largest number of layers. Raises `NcnnOptError` without
        matplotlib, and for figures that the report does not contain."""
        from ncnn_opt.report.plots import PlotError, plot

        try:
            return plot(self, kind, axes, most)
        except PlotError as e:
            raise NcnnOptError(str(e)) from e


def report_of(
    model: "Model", shapes: Any, data: Any, evaluation: Any, repeat: int | None
) -> Report:
    """Return the report of a model; see `Model.report`."""
    from ncnn_opt.driver.api_pipelines import shapes_in_ir

    with reporting(model.path):
        facts = model.module, model.path, model.warnings, shapes_in_ir(shapes)
        if data is None and evaluation is None and repeat is None:
            from ncnn_opt.report.report_files import facts_of
            from ncnn_opt.report.structured import model_json

            return Report(model_json(facts_of(*facts)))
        from ncnn_opt.driver.api_reports import measured_json

        samples = None if data is None else sampled_arrays(data)
        return Report(measured_json(*facts, samples, evaluation_bytes(evaluation), repeat))
