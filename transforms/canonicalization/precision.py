"""What a fold may make of weights and factors: nothing that the runtime holds worse than before.

A `.bin` may say float32, but by default (`use_fp16_storage`) the runtime holds in float16

- the weight of InnerProduct, against blobs in float32: on x86 with F16C
  (`src/layer/x86/innerproduct_x86.cpp`, `create_pipeline_fp16s`) and on arm with VFPv4 but no half
  precision arithmetic (`src/layer/arm/innerproduct_arm.cpp`);
- weights, blobs and most factors on arm with half precision arithmetic (`src/net.cpp`,
  `convert_layout`; `src/layer/arm/*_asimdhp.cpp`): Convolution, Convolution1D,
  ConvolutionDepthWise, Deconvolution, DeconvolutionDepthWise, InnerProduct and Gemm, the scale and
  shift of BatchNorm, the scalar of BinaryOp, slopes. Nothing in 3 dims, no DeformableConv2D and no
  Scale; the weights of LayerNorm, RMSNorm, InstanceNorm and GroupNorm stay float32 there.

A model does not say where it will run, so all are treated so. Float16 holds 2^-14 to 65504 within a
relative 2^-11; below that within 2^-25, and nothing above. In float32 the runtime flushes what is
below 2^-126 to 0 (`Option::flush_denormals`).
"""

from typing import Any, NamedTuple

from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.layer import LayerOp
from .rewriting import all_finite, scaled


class Range(NamedTuple):
    """The magnitudes that a type holds within a constant relative error."""

    least: float
    above: float
    """From here on there are infinities."""

    def keeps(self, factors: Any, *before: Any) -> bool:
        """Whether factors, or one, are held as well as those before, whose products they are.
        The largest one of each counts: it decides on what the blob's largest elements are."""
        most, others = _largest(factors), [_largest(each) for each in before]
        if most < FLOAT32.least:
            return most == 0
        if most < self.least:
            return most >= min(others)
        return most < self.above or max(others) >= self.above


FLOAT16 = Range(2.0**-14, 65520.0)
FLOAT32 = Range(2.0**-126, 2.0**128)


def _largest(values: Any) -> float:
    import numpy as np

    values = np.asarray(values)
    return float(max(values.max(initial=0.0), -values.min(initial=0.0)))


def weights_alone_are_short(layer: LayerOp) -> bool:
    """Whether the runtime may hold a layer's weight in float16 where its blobs are float32. The
    error of a weight is then what it makes of the blob's elements: these must not become larger
    than they were, as they do where a shift that made them small is folded into the bias."""
    return isinstance(layer, InnerProductOp)


def product_held(weight: Any, factors: Any, axis: int, layer: LayerOp) -> Any:
    """A weight of a layer times factors, rounded once to float32; `None` unless float16 holds it
    as well as the weight. The factors have as many dims as the weight, and 1 or as many elements
    along each; `axis` is that of the output channels.

    The error bound of a channel is that of its weights, in units of the weights before, against
    their root mean square: as if the factors were a layer apart. For values that are normal in
    float16 that is 2^-11; it may become larger by sqrt(2), which some values below 2^-14 among
    larger ones make of it, and where it was worse already it may not become larger.

    Where blobs are float16 as well (see above), that holds for the channel of the largest weights:
    what others lose is less than what the blobs do. A channel that training has switched off
    (factors of 1e-13 are found) does not keep a BatchNorm out of a convolution.
    """
    product = scaled(weight, factors)
    most = _largest(product)
    if not most < FLOAT32.above:  # a NaN is below nothing
        return None
    if most >= FLOAT16.above > _largest(weight):
        return None
    sizes = abs(factors[factors != 0])
    if sizes.size == 0 or sizes.min() >= 1:
        return product
    if weights_alone_are_short(layer):
        return product if _all_channels_hold(weight, factors, axis) else None
    return product if _largest_channel_holds(_rows(product, axis)) else None


def is_held(weight: Any, axis: int = 0) -> bool:
    """Whether float16 holds a weight about as well as float32: see `product_held`."""
    import numpy as np

    if not all_finite((weight,)) or _largest(weight) >= FLOAT16.above:
        return False
    rows = _rows(weight, axis)
    return _all_rows_hold(rows, np.ones((1, 1)), worse=False)


def _largest_channel_holds(rows: Any) -> bool:
    """Whether the weights of some channel are normal on the whole, or all are 0."""
    return any(map(_is_normal, rows)) or not rows.any()  # as a rule the first channel's are


def _is_normal(row: Any) -> bool:
    import numpy as np

    count = np.count_nonzero(row)
    return bool(count and _squares(row[None])[0] >= count * FLOAT16.least**2)


def _all_channels_hold(weight: Any, factors: Any, axis: int) -> bool:
    import numpy as np

    by = np.moveaxis(factors, axis, 0)
    if by[:1].size > 1:  # one for each input, perhaps not along all axes that come after it
        by = np.broadcast_to(by, (len(by), *np.moveaxis(weight, axis, 0).shape[1:]))
    return _all_rows_hold(_rows(weight, axis), by.reshape(len(by), -1), worse=True)


def _all_rows_hold(rows: Any, factors: Any, worse: bool) -> bool:
    """Whether the error bound of each row, times factors, is one that is allowed. It may be as bad
    as that of the row itself if `worse` says so. The factors have as many rows, or 1, and as many
    columns, or 1."""
    import numpy as np

    least = abs(factors).min(axis=1)
    with np.errstate(divide="ignore", over="ignore"):
        enough = rows.shape[1] * (FLOAT16.least / least) ** 2
    doubtful = _squares(rows) < enough  # as a rule none
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
    """The weights of an output channel in a row."""
    import numpy as np

    return np.moveaxis(weight, axis, 0).reshape(weight.shape[axis], -1)


def _squares(rows: Any) -> Any:
    """The sum of the squares of each row, in float32."""
    import numpy as np

    rows = rows.astype("f4", copy=False)
    return np.einsum("ij,ij->i", rows, rows)
