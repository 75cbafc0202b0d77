"""Checks that folded weights and factors are stored at run time as precisely as before.

A `.bin` may contain float32, but by default (`use_fp16_storage`) the runtime stores these in
float16:

- the weight of InnerProduct with float32 blobs, on x86 with F16C
  (`src/layer/x86/innerproduct_x86.cpp`, `create_pipeline_fp16s`) and on arm with VFPv4 but without
  half-precision arithmetic (`src/layer/arm/innerproduct_arm.cpp`);
- weights, blobs and most factors on arm with half-precision arithmetic (`src/net.cpp`,
  `convert_layout`; `src/layer/arm/*_asimdhp.cpp`): Convolution, Convolution1D,
  ConvolutionDepthWise, Deconvolution, DeconvolutionDepthWise, InnerProduct and Gemm, the scale and
  shift of BatchNorm, the scalar of BinaryOp, slopes. Not in 3 dims, and not in DeformableConv2D and
  Scale; the weights of LayerNorm, RMSNorm, InstanceNorm and GroupNorm stay float32 there.

A model does not specify where it will run, so all models are checked. Float16 represents 2^-14 to
65504 with a relative error of 2^-11, smaller values with an absolute error of 2^-25, and no larger
values. In float32 the runtime flushes values below 2^-126 to 0 (`Option::flush_denormals`).
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.layer import LayerOp
from .rewriting import all_finite, scaled


class PreciseRange(NamedTuple):
    """The magnitudes that a type represents with a constant relative error."""

    least: float
    above: float
    """From here on values are infinite."""

    def keeps(self, factors: Any, *before: Any) -> bool:
        """Whether products are represented as precisely as their factors `before`. Only the largest
        magnitude of each array counts, because it determines the largest elements of the blob."""
        largest, others = _max_magnitude(factors), [_max_magnitude(each) for each in before]
        if largest < FLOAT32.least:
            return largest == 0
        if largest < self.least:
            return largest >= min(others)
        return largest < self.above or max(others) >= self.above


FLOAT16 = PreciseRange(2.0**-14, 65520.0)
FLOAT32 = PreciseRange(2.0**-126, 2.0**128)


def overflows_float16(made: Iterable[Any], gone: Callable[[], Iterable[Any]]) -> bool:
    """Whether a bias or another vector of `made` has finite values that are infinite in float16,
    while no value of `gone` is (which is called only if necessary). Where the runtime computes in
    float16, such a rewrite would make outputs infinite that are not (a bias of 100 before a factor
    of 1000). `scaled_weight` and `PreciseRange.keeps` check matrices and kernels."""
    vectors = (values for values in made if values.size == max(values.shape, default=1))
    if all(_max_magnitude(values) < FLOAT16.above for values in vectors):
        return False
    return all(_max_magnitude(values) < FLOAT16.above for values in gone())


def _max_magnitude(values: Any) -> float:
    import numpy as np

    values = np.asarray(values)
    return float(max(values.max(initial=0.0), -values.min(initial=0.0)))


def only_weights_are_float16(layer: LayerOp) -> bool:
    """Whether the runtime may store a layer's weight in float16 while its blobs are float32. The
    error of the result is then the weight's error times the blob's elements. These must not become
    larger, as they would if a shift that made them small were folded into the bias."""
    return isinstance(layer, InnerProductOp)


def scaled_weight(weight: Any, factors: Any, axis: int, layer: LayerOp) -> Any:
    """Return a layer's weight times factors, rounded once to float32; `None` unless float16
    represents the product as precisely as the weight. The factors have the rank of the weight; each
    of their extents is 1 or the weight's. `axis` is the axis of output channels.

    The error bound of a channel is the error of its weights, in units of the weights before,
    relative to their root mean square, as if the factors were a separate layer. For values that are
    normal in float16 the bound is 2^-11. It may grow by sqrt(2), which happens if some values below
    2^-14 are among larger ones. A bound that was larger already may not grow.

    Where blobs are float16 too (see the module), this holds for the channel of the largest weights;
    other channels lose less than the blobs do. Thus a channel that training has switched off (with
    factors like 1e-13) does not prevent the fold of a BatchNorm into a convolution.
    """
    product = scaled(weight, factors)
    largest = _max_magnitude(product)
    if not largest < FLOAT32.above:  # also true for NaN
        return None
    if largest >= FLOAT16.above > _max_magnitude(weight):
        return None
    sizes = abs(factors[factors != 0])
    if sizes.size == 0 or sizes.min() >= 1:
        return product
    if only_weights_are_float16(layer):
        return product if _all_channels_hold(weight, factors, axis) else None
    rows = _rows(product, axis)
    # Usually the first channel is normal.
    return product if any(map(_is_normal, rows)) or not rows.any() else None


def fits_float16(weight: Any, axis: int = 0) -> bool:
    """Whether float16 represents a weight about as precisely as float32: see `scaled_weight`."""
    import numpy as np

    if not all_finite((weight,)) or _max_magnitude(weight) >= FLOAT16.above:
        return False
    rows = _rows(weight, axis)
    return _all_rows_hold(rows, np.ones((1, 1)), worse=False)


def _is_normal(row: Any) -> bool:
    """Whether the weights of a channel have a normal root mean square."""
    import numpy as np

    count = np.count_nonzero(row)
    return bool(count and _squares(row[None])[0] >= count * FLOAT16.least**2)


def _all_channels_hold(weight: Any, factors: Any, axis: int) -> bool:
    import numpy as np

    by = np.moveaxis(factors, axis, 0)
    if by[:1].size > 1:  # factors per input: may broadcast along later axes
        by = np.broadcast_to(by, (len(by), *np.moveaxis(weight, axis, 0).shape[1:]))
    return _all_rows_hold(_rows(weight, axis), by.reshape(len(by), -1), worse=True)


def _all_rows_hold(rows: Any, factors: Any, worse: bool) -> bool:
    """Whether the error bound of each row times factors is allowed. If `worse`, it may be as large
    as the bound of the row itself. The factors have 1 row or one per row, and 1 column or one per
    column."""
    import numpy as np

    least = abs(factors).min(axis=1)
    with np.errstate(divide="ignore", over="ignore"):
        enough = rows.shape[1] * (FLOAT16.least / least) ** 2
    doubtful = _squares(rows) < enough  # usually empty
    return all(
        _row_holds(rows[i], factors[i if len(factors) > 1 else 0], worse)
        for i in np.flatnonzero(doubtful)
    )


def _row_holds(row: Any, factors: Any, worse: bool) -> bool:
    import numpy as np

    squares = row.astype("f8") ** 2
    matters = (squares != 0) & (factors != 0)
    with np.errstate(divide="ignore"):
        steps = np.where(matters, (FLOAT16.least / factors) ** 2, 0)
    after = np.where(matters, np.maximum(squares, steps), 0).sum()
    allowed = 2 * squares.sum()
    if worse:
        own = np.where(squares != 0, np.maximum(squares, FLOAT16.least**2), 0).sum()
        allowed = max(allowed, own)
    return bool(after <= allowed)


def _rows(weight: Any, axis: int) -> Any:
    """Return the weights of each output channel as a row."""
    import numpy as np

    return np.moveaxis(weight, axis, 0).reshape(weight.shape[axis], -1)


def _squares(rows: Any) -> Any:
    """Return the sum of squares of each row, in float32."""
    import numpy as np

    rows = rows.astype("f4", copy=False)
    return np.einsum("ij,ij->i", rows, rows)
