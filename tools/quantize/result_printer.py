"""Printing the steps and the result of a quantization.

`quantization/` reports steps to an observer and prints nothing. The observer of the commands is
here.
"""

import argparse
import os
from collections.abc import Iterable

from ...driver.int8_files import save_evaluation
from ...driver.messages import print_note, print_result
from ...driver.progress import Progress
from ...quantization.int8_figures import Evaluation
from ...quantization.step_records import QuantizationObserver, QuantizationStep
from ...transforms.quantization.records import LayerDecision


class Printer(QuantizationObserver):
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

    def on_step(self, step: QuantizationStep) -> None:
        self.clear()
        print_note(f"{self._prefix}{step}", step.figures())

    def on_warning(self, message: str) -> None:
        self.clear()
        print_note(f"{self._prefix}warning: {message}")


def print_records(records: Iterable[LayerDecision], every: bool) -> None:
    """Print the decisions about layers that a user should see, or all."""
    for record in records:
        if record.is_notable or (every and record.outcome != "deferred"):
            print_note(f"remark: {record}")


def print_evaluation(evaluation: Evaluation, args: argparse.Namespace, limit: float | None) -> None:
    """Print an evaluation, and write the files of `--json` and `--html`. `limit` is the largest
    allowed error of the outputs."""
    title = os.path.basename(args.model)  # the folder may be private
    save_evaluation(evaluation, title, args.json, args.html, limit)
    print_result(str(evaluation) if args.measure else "\n".join(evaluation.sentences()))
