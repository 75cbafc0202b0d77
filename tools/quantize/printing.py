"""Printing the steps and the result of a quantization."""

import argparse
import os
from collections.abc import Iterable

from ...quantization.evaluation import Evaluation
from ...quantization.steps import Observer, Step
from ...report.quantization import Bar, quantization_page
from ...targets.files import OutputFiles
from ...transforms.quantization.records import LayerRecord
from ..messages import print_result, say
from ..progress import Progress


class Printer(Observer):
    """Prints progress, steps and warnings on standard error, until the `with` block ends."""

    def __init__(self, prefix: str = "ncnn-quantize: ") -> None:
        self._prefix = prefix
        self._progress = Progress("", 0)

    def __enter__(self) -> "Printer":
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Erase the line of progress."""
        self._progress.clear()

    def on_progress(self, activity: str, done: int, total: int) -> None:
        if activity != self._progress.what or total != self._progress.total:
            self.clear()
            self._progress = Progress(activity, total)
        self._progress.update(done)

    def on_step(self, step: Step) -> None:
        self.clear()
        say(f"{self._prefix}{step}")

    def on_warning(self, message: str) -> None:
        self.clear()
        say(f"{self._prefix}warning: {message}")


def print_records(records: Iterable[LayerRecord], every: bool) -> None:
    """Print the decisions about layers that a user should see, or all."""
    for record in records:
        if record.is_notable or (every and record.outcome != "deferred"):
            say(f"remark: {record}")


def print_evaluation(evaluation: Evaluation, args: argparse.Namespace) -> None:
    """Print an evaluation, and write the files of `--json` and `--html`."""
    title = os.path.basename(args.model)  # the folder may be private
    if args.json is not None or args.html is not None:
        with OutputFiles() as files:
            if args.json is not None:
                files.create(args.json, "w").write(evaluation.as_json())
            if args.html is not None:
                files.create(args.html, "w").write(evaluation_page(title, evaluation))
    print_result(str(evaluation) if args.measure else "\n".join(evaluation.sentences()))


def evaluation_page(title: str, evaluation: Evaluation) -> str:
    """Return an evaluation as a page with a bar for each layer."""
    bars = [
        Bar(
            each.layer.label,
            each.kind,
            None if each.difference is None else each.difference.snr,
            (*each.cells(), *evaluation.time_cells(each)),
        )
        for each in evaluation.layers
    ]
    outputs, heads = evaluation.output_rows(), evaluation.time_heads
    return quantization_page(title, bars, outputs, evaluation.sentences(), heads)
