"""The differences between the blobs of two engines or models, as rows of a table.

The rows have the order of the model, so the first large difference names the layer at fault.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import OpResult, SSAValue

from ..dialects.fused import FusedOp
from ..dialects.ncnn.attention import SDPAOp
from ..dialects.ncnn.function import output_names
from ..dialects.ncnn.layer import LayerOp
from ..formats.columns import aligned, printable
from ..interpreters.run import blobs_of
from .differences import relative_error
from .host import Array


@dataclass(frozen=True)
class BlobDifference:
    """The difference between a blob and its expected values."""

    blob: str
    layer: str
    shape: str
    largest: float
    """The largest magnitude of the finite expected values."""
    difference: float
    error: float | None
    """The largest difference relative to the largest value; `None` if the runtime stores the values
    in a format of its own, or one of the models as integers of 8 bits, or if the shapes differ and
    the outputs of the models agree."""
    overflows: bool = False
    """Whether one of the two engines has an element that is not finite, and the other has not."""
    resized: bool = False
    """Whether the shapes differ."""

    def exceeds(self, tolerance: float) -> bool:
        """Whether the error is larger than the tolerance."""
        return self.error is not None and not self.error <= tolerance


def compare(
    func: FuncOp, expected: Mapping[str, Array], actual: Mapping[str, Array]
) -> Iterator[BlobDifference]:
    """Yield a row for each expected blob, in the order of the model."""
    outputs = output_names(func)
    for name, value in blobs_of(func).items():
        if name not in expected:
            continue
        a, b = expected[name], actual[name]
        row = row_of(name, producer_of(value), a, b)
        is_quantized = (a.dtype == np.int8) != (b.dtype == np.int8) and name not in outputs
        yield replace(row, error=None) if is_quantized or _is_packed_cache(value) else row


def producer_of(value: SSAValue) -> str:
    """Return the label of the layer that writes a blob."""
    producer = value.owner
    return producer.label() if isinstance(producer, LayerOp | FusedOp) else "input"


def row_of(name: str, layer: str, expected: Array, actual: Array) -> BlobDifference:
    """Return the difference of a blob that this layer writes."""
    a, b = expected, actual
    if not a.size:
        a = a.reshape(b.shape) if not b.size else a  # the runtime returns no shape for it
    shape = _shape(a) if a.shape == b.shape else f"{_shape(a)}, not {_shape(b)}"
    largest = float(np.abs(a[np.isfinite(a)], dtype="f8").max(initial=0))
    overflows = bool(np.isfinite(a).all() != np.isfinite(b).all())
    error = relative_error(a, b)
    return BlobDifference(
        name, layer, shape, largest, _difference(a, b), error, overflows, a.shape != b.shape
    )


def _is_packed_cache(value: SSAValue) -> bool:
    """Whether a value is a cache of keys or values, which the runtime packs for the processor and
    its next run (src/layer/x86/sdpa_kvcache.h and similar files)."""
    if not isinstance(value, OpResult) or not isinstance(value.op, SDPAOp):
        return False
    return bool(value.op.kv_cache) and not value.op.int8_scale_term and value.index > 0


def _shape(value: Array) -> str:
    return "x".join(map(str, value.shape))


def _difference(a: Array, b: Array) -> float:
    if a.shape != b.shape:
        return float("inf")
    with np.errstate(invalid="ignore"):
        differences = np.abs(a.astype("f8") - b.astype("f8"))
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    return float(np.where(same, 0, np.nan_to_num(differences, nan=np.inf)).max(initial=0))


HEAD = ("blob", "layer", "shape", "largest", "difference", "relative")


def table(rows: Sequence[BlobDifference], tolerance: float) -> str:
    """Return the rows as text, with a mark at each error above the tolerance."""
    lines = [HEAD, *(tuple(map(printable, _cells(row))) for row in rows)]
    marks = ["", *("  <--" if row.exceeds(tolerance) else "" for row in rows)]
    return "\n".join(map(str.__add__, aligned(lines, 3), marks))


FEW = 12
"""The largest number of rows that is shown whole."""

WORST = 5
"""The number of rows with the largest errors in an excerpt."""


def excerpt(
    rows: Sequence[BlobDifference], tolerance: float, names: Collection[str] = ()
) -> list[BlobDifference]:
    """Return the rows that matter, in the order of the model: those of `names`, those with the
    largest errors, the first one above the tolerance and the first one that overflows. A few rows
    are returned whole."""
    if len(rows) <= FEW:
        return list(rows)
    compared = [row for row in rows if row.error is not None]
    chosen = {row.blob for row in sorted(compared, key=_error, reverse=True)[:WORST]}
    chosen |= {row.blob for row in [row for row in rows if row.exceeds(tolerance)][:1]}
    chosen |= {row.blob for row in [row for row in rows if row.overflows][:1]}
    return [row for row in rows if row.blob in chosen or row.blob in names]


def _error(row: BlobDifference) -> float:
    error = row.error or 0.0
    return error if error == error else float("inf")


def omitted(
    rows: Sequence[BlobDifference], shown: Sequence[BlobDifference], option: str
) -> list[str]:
    """Return a line about the rows that an excerpt omits, or none. `option` shows all rows."""
    if len(shown) == len(rows):
        return []
    return [f"{len(shown)} of {len(rows)} blobs, among them the worst; {option} shows all"]


def first_differences(rows: Sequence[BlobDifference], tolerance: float) -> list[str]:
    """Return a line about the first row, in the order of the model, whose error is larger than the
    tolerance, and one about the first row that overflows. Without such rows, there are no lines."""
    lines: list[str] = []
    if row := next((row for row in rows if row.exceeds(tolerance)), None):
        lines.append(f"first layer that differs: {row.layer}, blob '{row.blob}', {row.error:.3g}")
    if row := next((row for row in rows if row.overflows), None):
        lines.append(f"first layer that overflows: {row.layer}, blob '{row.blob}'")
    return lines


def _cells(row: BlobDifference) -> tuple[str, ...]:
    figures = "-", "-"
    if row.error is not None:
        figures = f"{row.difference:.3g}", f"{row.error:.3g}"
    return (row.blob, row.layer, row.shape, f"{row.largest:.3g}", *figures)
