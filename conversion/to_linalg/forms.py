"""The channels-last forms of convolutions: which convolutions each form is for, its cost, its
writer, and the choice of a form.

Costs are estimated from shapes. The constants were measured on single layers through IREE, on one
thread of a processor with 512-bit vectors (Zen 5); `processors.py` has those that depend on the
vector instructions. Only their ratios matter. `benchmarks/native.py` measures the resulting models.

Example: a 3x3 convolution with 64 inputs, 64 outputs and 56 x 56 pixels, on AVX-512. Its definition
has 64 * 64 * 9 * 3,136 = 115.6 million products. At 95 per nanosecond they take 1,217 us: the time
of `direct`, since rows are long. `columns` computes as many and lays out 1.8 million elements,
which takes 226 us more. `winograd` with 4 x 4 pixels has 196 tiles of 36 * 64 * 64 products, 28.9
million; with only 64 inputs, they run at 2/3 of the speed and take 456 us. Its transforms compute
1.27 million elements in 230 us. The sum, 686 us, is the least, so this form is chosen.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from ..tracing.nodes import Convolve, Input, is_static
from . import convolutions as writers
from .channels_last import MAX_TAPS, sliced_elements, static_shape
from .kernels import LinalgWriter
from .processors import VectorUnit
from .winograd import POINTS, is_exact, winograd

FORM_ATTRIBUTE = "ncnn.form"
"""The attribute of a layer, or of a fused operation, that names the form of its convolution."""

FORMER_NAMES = {
    "places": "conv1x1_nhwc",
    "flat": "conv1x1_gemm",
    "windows": "depthwise_loop",
    "taps": "depthwise_unrolled",
}
"""The names of forms in IR of earlier versions, with the present names."""


@dataclass(frozen=True)
class ConvolutionForm:
    """A way to write some convolutions."""

    name: str
    applies: Callable[[Convolve], bool]
    cost: Callable[[Convolve, VectorUnit], float]
    """Estimates the time in nanoseconds by the shapes and the processor (`CostSizes`)."""
    write: Callable[[LinalgWriter, Convolve], SSAValue]
    """Writes the channels-last copy of the result."""
    is_dynamic: bool = False
    """Whether `write` accepts dynamic extents of h and w."""


# -- conditions


def _is_pointwise(node: Convolve) -> bool:
    return node.weight.shape[2:] == (1, 1) and not _has_one_input(node)


def _is_windowed(node: Convolve) -> bool:
    """Whether windows have more than one element, along two axes, and groups are no channels."""
    return len(node.strides) == 2 and not (_has_one_input(node) or node.weight.shape[2:] == (1, 1))


def _has_rows(node: Convolve) -> bool:
    """Whether a float result without groups has several rows: for one row IREE's direct convolution
    takes ten times as long as columns."""
    return node.groups == 1 and node.dtype.kind == "f" and _is_windowed(node) and node.shape[1] != 1


def _is_depthwise(node: Convolve) -> bool:
    """Whether groups have one output channel, and one input or few products."""
    products = prod(n for n in node.weight.shape[1:] if isinstance(n, int))
    few = node.weight.shape[1] == 1 or products <= MAX_TAPS
    return len(node.strides) == 2 and few and 1 < node.groups == node.shape[0]


def _has_one_input(node: Convolve) -> bool:
    """Whether groups have one input and one output channel."""
    return _is_depthwise(node) and node.weight.shape[1] == 1


def _is_3x3(node: Convolve, tile: int) -> bool:
    """Whether windows are 3x3, with stride and dilation 1. Of int8, sums must be exact."""
    _, channels, *kernel = node.weight.shape
    steps = (*node.strides, *node.dilations)
    if not _is_windowed(node) or (*kernel, *steps) != (3, 3, 1, 1, 1, 1):
        return False
    narrow = node.x.dtype == node.weight.dtype == np.int8
    exact = narrow and isinstance(channels, int) and is_exact(channels, tile)
    return node.dtype.kind == "f" or exact


# -- costs

ROW = 28
"""A direct convolution of rows of at least this length is as fast as a matrix product. It computes
pixels of one row at a time."""

MAX_SUMMED = 4
"""The inputs that a tile of a direct convolution can sum at once without becoming smaller, for lack
of registers. IREE chooses the greatest divisor up to 8 or 16. (With masks there are enough.)"""

SMALL = 4.0
"""How many times as long a convolution in smaller tiles takes."""

PIXELS = 8
"""The greatest number of pixels of a tile of a sum over channels."""

LOADED = 2.5
"""The number of pixels of a tile whose products take as long as loading the tile's weights."""

COPIED = 8.0
"""Elements per nanosecond that are laid out as columns."""

SLICED = 16
"""The cost of an element of a copied slice relative to an element that is laid out: it is copied by
a slow kernel and read again. The copies are also a loss where IREE would merge the pixels of a sum
over channels by itself, which nothing here predicts."""

TRANSFORMED = 5.5
"""Elements per nanosecond that a Winograd transform computes."""

READ = 8.0
"""Elements per nanosecond of weights that no cache holds between two runs."""

CACHED = 1 << 18
"""The number of weight elements that a cache holds."""

SHALLOW = 32
"""The number of input channels at which the products of Winograd tiles run at half speed: sums are
short."""

TILED_SHALLOW = 12
"""The same for products in tiles of registers (`tiles.py`)."""

TILED_SPEED = 1.5
"""The speed of such a product, relative to a direct convolution of long rows."""

STARTED = 1000.0
"""The nanoseconds to start a kernel, which such products are fast enough to show."""

WINOGRAD_KERNELS = 5
"""The kernels of a Winograd convolution besides the products."""

WINDOWS = 16.0
"""Multiply-adds per nanosecond of a loop nest over windows, if it has a fast tile for its rows."""

UNTILED = 1.0
"""The same without such a tile."""

THIN = 32
"""The number of outputs per group at which IREE's matrix products of all groups run at half
speed."""

TYPICAL = 32
"""The assumed number of pixels along an axis of dynamic extent."""


@dataclass(frozen=True)
class CostSizes:
    """The numbers that costs depend on."""

    outputs: int
    inputs: int
    """The inputs of a group."""
    kernel: tuple[int, int]
    h: int
    w: int
    groups: int

    @staticmethod
    def of(node: Convolve) -> "CostSizes":
        """Return the numbers of a convolution along two axes."""
        outputs, inputs, kh, kw = static_shape(node.weight.shape)
        h, w = (n if isinstance(n, int) else TYPICAL for n in node.shape[1:])
        return CostSizes(outputs, inputs, (kh, kw), h, w, node.groups)

    @property
    def products(self) -> int:
        """The multiply-adds of the definition."""
        return self.outputs * self.inputs * prod(self.kernel) * self.h * self.w

    def whole_outputs(self, lanes: int) -> int:
        """The outputs of all groups in whole vectors."""
        return self.groups * _rounded(self.outputs // self.groups, lanes)


def conv1x1_nhwc_cost(node: Convolve, processor: VectorUnit) -> float:
    """Return the time of a sum over channels in nanoseconds. IREE computes tiles of pixels of a row
    and outputs whose extents divide the whole extents."""
    sizes = CostSizes.of(node)
    pixels = max(n for n in range(1, PIXELS + 1) if sizes.w % n == 0)
    share = pixels / (pixels + LOADED)
    filled = next(n for n in (1, 2, 4) if n == 4 or sizes.outputs * n % processor.lanes == 0)
    return sizes.products / (processor.products * share / filled)


def conv1x1_gemm_cost(node: Convolve, processor: VectorUnit) -> float:
    """Return the time of a matrix product of all pixels. IREE lays out both matrices in tiles. It
    merges the pixels in all operations that compute the input, and copies the slices that their
    windows read. In tiles of registers, pixels are not laid out."""
    sizes = CostSizes.of(node)
    pixels = sizes.h * sizes.w
    products, speed = sizes.whole_outputs(processor.lanes) * sizes.inputs, _speed(node, processor)
    if _is_tiled(node, processor):
        return pixels * products / speed
    channels = sizes.inputs * sizes.groups + sizes.outputs
    copied = pixels * channels + SLICED * sliced_elements(node.x)
    return _rounded(pixels, processor.lanes) * products / speed + copied / COPIED


def depthwise_loop_cost(node: Convolve, processor: VectorUnit) -> float:
    """Return the time of a loop nest over the elements of depthwise windows."""
    sizes = CostSizes.of(node)
    return sizes.products / (WINDOWS if processor.can_tile_row(sizes.w) else UNTILED)


def depthwise_unrolled_cost(node: Convolve, processor: VectorUnit) -> float:
    """Return the time of an element-wise kernel over the slices that depthwise windows read."""
    return CostSizes.of(node).products / COPIED


def direct_cost(node: Convolve, processor: VectorUnit) -> float:
    """Return the time of a direct convolution."""
    sizes = CostSizes.of(node)
    share = min(1.0, (sizes.w + ROW / 4) / (ROW * 1.25))
    slower = TILED_SPEED if _is_tiled(node, processor) else 1.0
    summed = max(n for n in range(1, 17) if sizes.inputs % n == 0)
    if summed > MAX_SUMMED and not processor.has_masks:
        slower *= SMALL
    return slower * sizes.products / (processor.products * share)


def columns_cost(node: Convolve, processor: VectorUnit) -> float:
    """Return the time of a matrix product of the windows laid out as columns."""
    sizes = CostSizes.of(node)
    taps = prod(sizes.kernel)
    rows = _rounded(sizes.h * sizes.w, 16)
    laid = sizes.h * sizes.w * taps * sizes.inputs * sizes.groups
    products = rows * taps * sizes.inputs * sizes.whole_outputs(processor.lanes)
    started = sum(sizes.kernel) * STARTED if _is_tiled(node, processor) else 0.0
    return products / _speed(node, processor) + laid / COPIED + started


def winograd_cost(node: Convolve, processor: VectorUnit, tile: int) -> float:
    """Return the time of Winograd's filtering with tiles of `tile x tile` pixels."""
    sizes = CostSizes.of(node)
    span = tile + 2
    th, tw = -(-sizes.h // tile), -(-sizes.w // tile)
    products = (
        span * span * _rounded(th * tw, 4) * sizes.inputs * sizes.whole_outputs(processor.lanes)
    )
    is_tiled = _is_tiled(node, processor)
    shallow = TILED_SHALLOW if is_tiled else SHALLOW
    speed = _speed(node, processor) * sizes.inputs / (sizes.inputs + shallow)
    before = span * th * (tw * tile + 2) + span * span * th * tw
    after = th * tile * tw * (span + tile)
    made = before * sizes.inputs * sizes.groups + after * sizes.outputs
    weights = span * span * sizes.inputs * sizes.outputs
    read = weights / READ if weights > CACHED else 0.0
    started = WINOGRAD_KERNELS * STARTED if is_tiled else 0.0
    return max(products / speed, read) + made / TRANSFORMED + started


def _speed(node: Convolve, processor: VectorUnit) -> float:
    """Return the multiply-adds per nanosecond of the matrix products of a convolution."""
    sizes = CostSizes.of(node)
    outputs = sizes.outputs // sizes.groups
    thin = sizes.groups > 1 and not _is_tiled(node, processor)
    return processor.products * (outputs / (outputs + THIN) if thin else 1.0)


def _is_tiled(node: Convolve, processor: VectorUnit) -> bool:
    """Whether the products of a convolution are computed in tiles of registers."""
    return processor.tile is not None and node.dtype.kind == "f"


def _rounded(n: int, to: int) -> int:
    return -(-n // to) * to


# -- the choice

FORMS = (
    ConvolutionForm(
        "conv1x1_nhwc",
        lambda n: n.groups == 1 and _is_pointwise(n),
        conv1x1_nhwc_cost,
        writers.pointwise,
    ),
    ConvolutionForm(
        "conv1x1_gemm",
        _is_pointwise,
        conv1x1_gemm_cost,
        partial(writers.pointwise, is_flat=True),
        True,
    ),
    ConvolutionForm("direct", _has_rows, direct_cost, writers.direct),
    ConvolutionForm("columns", _is_windowed, columns_cost, writers.columns, True),
    *(
        ConvolutionForm(
            f"winograd{tile}",
            partial(_is_3x3, tile=tile),
            partial(winograd_cost, tile=tile),
            partial(winograd, tile=tile),
        )
        for tile in POINTS
    ),
    ConvolutionForm(
        "depthwise_loop", _has_one_input, depthwise_loop_cost, writers.depthwise_loop, True
    ),
    ConvolutionForm(
        "depthwise_unrolled", _is_depthwise, depthwise_unrolled_cost, writers.depthwise_unrolled
    ),
)
"""All forms; among forms of equal cost the first is chosen."""


def costs_of(node: Convolve, processor: VectorUnit) -> dict[str, float]:
    """Return the costs of the forms that apply to a convolution by name, in ascending order. The
    result is empty if the number of channels is not statically known."""
    if not is_static(node.weight) or not isinstance(node.x.shape[0], int):
        return {}
    static = is_static(node.x)
    forms = [form for form in FORMS if (static or form.is_dynamic) and form.applies(node)]
    found = {form.name: form.cost(node, processor) for form in forms}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def form_of(kernels: LinalgWriter, node: Convolve) -> ConvolutionForm | None:
    """Return the form of a convolution: the form that `kernels` wants, else the cheapest one;
    `None` if no form applies. Raises `ValueError` if the wanted one does not apply."""
    if len(node.shape) < 3:
        return None
    # The input as it is written, whatever it is computed from.
    x = Input(node.x.shape, node.x.dtype, kernels.value(node.x))
    wanted = kernels.forms.get(node)
    names = list(costs_of(replace(node, x=x), kernels.processor))
    if wanted is not None and wanted not in names:
        raise ValueError(
            f"form '{wanted}' does not apply; use one of {', '.join(names)}"
            if names
            else f"form '{wanted}' does not apply, and no other form does; remove {FORM_ATTRIBUTE}"
        )
    if not names:
        return None
    return next(form for form in FORMS if form.name == (wanted or names[0]))


def named_form(op: Operation) -> str | None:
    """Return the form that an operation's attribute names, perhaps by its former name."""
    attr: Any = op.attributes.get(FORM_ATTRIBUTE)
    return FORMER_NAMES.get(attr.data, attr.data) if isinstance(attr, StringAttr) else None
