"""Comparison of the outputs of two models for the same inputs."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from xdsl.dialects.builtin import BFloat16Type, Float16Type
from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import input_name, inputs_of, output_names
from ..dialects.shapes.tensors import element_of
from ..formats.columns import printable
from ..formats.displays import Displayed
from ..formats.verdicts import verdict
from ..interpreters.errors import RunError
from ..interpreters.run import blobs_of
from .blob_comparison import BlobDifference, compare, excerpt, omitted, row_of, table
from .differences import ROUNDING
from .finite_ancestors import FiniteAncestors, has_finite_value
from .process import Blobs

Run = Callable[[Sequence[str]], Blobs]
"""Runs a model on inputs that are fixed, and returns the blobs of these names."""


@dataclass(frozen=True, repr=False)
class Agreement(Displayed):
    """The result of a comparison. It is true if the outputs agree."""

    rows: Sequence[BlobDifference]
    """The blobs that both models have."""
    outputs: Collection[str]
    """The names of the outputs, which alone decide the result."""
    tolerance: float
    """The largest accepted error, relative to a blob's largest value."""
    silent: Sequence[str] = ()
    """Outputs without a finite value, of which nothing can be compared."""
    stand_ins: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """For outputs without a finite value, the nearest blobs that they are computed from and that
    have one: they decide the result, too."""
    inputs: str = ""
    """The inputs, if their shapes are not those in the files."""
    limit_for: str = ""
    """The reason for the tolerance, if it is not that of most models."""

    @property
    def worst(self) -> BlobDifference:
        """The output with the largest error."""
        decisive = self.decisive()
        return max(decisive, key=lambda row: row.error or 0)

    @property
    def first(self) -> BlobDifference | None:
        """The first blob, in the order of the model, whose error is above the tolerance."""
        return next((row for row in self.rows if row.exceeds(self.tolerance)), None)

    @property
    def error(self) -> float:
        """The largest error of an output, relative to its largest value."""
        return self.worst.error or 0.0

    def __bool__(self) -> bool:
        return not self.silent and not self.worst.exceeds(self.tolerance)

    def __str__(self) -> str:
        """Return a line for each blob, and a summary."""
        return self.text(self.rows)

    def excerpt(self, names: Collection[str], option: str) -> str:
        """Return a line for each output, each blob of `names` and the worst blobs, and a summary.
        `option` names the option that shows all blobs."""
        names = {*names, *(row.blob for row in self.decisive())}
        shown = excerpt(self.rows, self.tolerance, names)
        return self.text(shown, omitted(self.rows, shown, option))

    def text(self, rows: Sequence[BlobDifference], notes: Sequence[str] = ()) -> str:
        """Return a line for each of the rows, the notes, and a summary."""
        lines = [table(rows, self.tolerance), *notes]
        lines += map(printable, self.explanations())
        return "\n".join([*lines, printable(self.heading())])

    def explanations(self) -> list[str]:
        """Return lines about outputs without a finite value, and about the inputs."""
        lines: list[str] = []
        if self.silent:
            names = ", ".join(map(repr, self.silent))
            lines.append(f"nothing is compared of {names}: no finite value")
        for name, others in self.stand_ins.items():
            what = ", ".join(map(repr, others))
            lines.append(f"'{name}' has no finite value: compared {what}, behind it")
        if resized := [row.blob for row in self.rows if row.resized and row.error is None]:
            count = f"{len(resized)} blobs have" if len(resized) > 1 else "1 blob has"
            lines.append(f"{count} another shape in the second model: not compared")
        if self.inputs:
            lines.append(f"compared with {self.inputs}")
        return lines

    def heading(self) -> str:
        """Return the verdict."""
        error = f"largest error of an output: {self.error:.3g} at '{self.worst.blob}'"
        limit_for = f" ({self.limit_for})" if self.limit_for else ""
        reason = f"{error}, limit {self.tolerance:g}{limit_for}"
        if self.silent and not self.worst.exceeds(self.tolerance):
            reason = f"no finite value in {', '.join(map(repr, self.silent))}"
        return verdict(bool(self), reason)

    def decisive(self) -> list[BlobDifference]:
        """Return the rows that decide the result: outputs, and blobs behind silent ones."""
        names = {*self.outputs, *chain.from_iterable(self.stand_ins.values())}
        return [row for row in self.rows if row.blob in names]

    def table_rows(self) -> Sequence[Sequence[str]]:
        """Return the outputs, with the largest error first."""
        decisive = sorted(self.decisive(), key=lambda row: row.error or 0.0, reverse=True)
        cells = [
            (row.blob, row.shape, "" if row.error is None else f"{row.error:.3g}")
            for row in decisive
        ]
        return [("output", "shape", "error"), *cells]


def check_comparable(first: FuncOp, second: FuncOp, path: str) -> None:
    """Raise `RunError` unless the second model (in file `path`) has all outputs of the first model
    and only inputs of the first model."""
    theirs = list(inputs_of(first))
    for i in range(len(second.args)):
        if (name := input_name(second, i)) not in theirs:
            known = ", ".join(f"'{n}'" for n in theirs[:6])
            raise RunError(f"{path}: the first model has no input '{name}'; it has {known}")
    outputs = output_names(second)
    for name in output_names(first):
        if name not in outputs:
            known = ", ".join(f"'{n}'" for n in outputs[:6])
            raise RunError(
                f"{path}: the first model's output '{name}' is missing; the second has {known}"
            )


def common_blobs(first: FuncOp, second: FuncOp) -> list[str]:
    """Return the blobs that both models have, in the order of the first, without inputs."""
    theirs = blobs_of(second).keys()
    inputs = {input_name(first, i) for i in range(len(first.args))}
    return [name for name in blobs_of(first) if name in theirs and name not in inputs]


def has_16_bit_weights(func: FuncOp) -> bool:
    """Whether a weight of a model is float16 or bfloat16."""
    constants = (op for op in func.body.block.ops if isinstance(op, ConstantOp))
    return any(isinstance(element_of(op.output), Float16Type | BFloat16Type) for op in constants)


def compare_models(
    first: FuncOp,
    second: FuncOp,
    run_first: Run,
    run_second: Run,
    tolerance: float,
    *,
    inputs: str = "",
    all_blobs: bool = False,
    by_default: bool = False,
) -> Agreement:
    """Compare two models that run on the same inputs: their outputs, and for an output without a
    finite value (a detector without a box) the blobs that it is computed from; with `all_blobs`,
    every blob that both have. If nobody chose the tolerance (`by_default`), it is at least
    `ROUNDING` where only one of the models has 16-bit weights. Raises the errors of the runs."""
    names = outputs = output_names(first)
    expected: Blobs = {} if all_blobs else run_first(outputs)
    if all_blobs or not all(has_finite_value(expected[name]) for name in outputs):
        names = common_blobs(first, second)
        expected = run_first(names)
    rounds = by_default and has_16_bit_weights(first) != has_16_bit_weights(second)
    limit = max(tolerance, ROUNDING) if rounds else tolerance
    found = agreement(first, expected, run_second(names), limit, inputs)
    found = replace(found, limit_for="16-bit weights" if limit > tolerance else "")
    return found if all_blobs else replace(found, rows=found.decisive())


def agreement(
    func: FuncOp, expected: Blobs, actual: Blobs, tolerance: float, inputs: str = ""
) -> Agreement:
    """Compare the blobs of a model with the blobs of another model, by name."""
    outputs = output_names(func)
    silent = [name for name in outputs if not has_finite_value(expected[name])]
    stand_ins = {name: found for name in silent if (found := _behind(func, name, expected, actual))}
    silent = [name for name in silent if name not in stand_ins]
    rows = list(compare(func, expected, actual))
    found = Agreement(rows, outputs, tolerance, silent, stand_ins, inputs)
    if not found:
        return found  # another shape may be the reason
    decisive = {row.blob for row in found.decisive()}
    kept = [
        replace(row, error=None) if row.resized and row.blob not in decisive else row
        for row in rows
    ]
    return replace(found, rows=kept)


def _behind(func: FuncOp, output: str, expected: Blobs, actual: Blobs) -> list[str]:
    """Return the nearest blobs with a finite value in both models that an output is computed
    from."""
    found: list[str] = []
    places = FiniteAncestors(func, output)
    while names := places.next():
        shared = [n for n in names if n is not None and n in expected and n in actual]
        there = [name for name in shared if has_finite_value(expected[name])]
        found += there
        places.continue_behind([name not in there for name in names])
    return found


def compare_outputs(
    producers: Mapping[str, str],
    expected: Blobs,
    actual: Blobs,
    tolerance: float,
    inputs: str = "",
) -> Agreement:
    """Compare outputs by name. `producers` are the labels of the layers that write them."""
    silent = [name for name in producers if not has_finite_value(expected[name])]
    rows = [row_of(name, label, expected[name], actual[name]) for name, label in producers.items()]
    return Agreement(rows, list(producers), tolerance, silent, inputs=inputs)
