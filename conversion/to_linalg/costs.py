"""What forms of a convolution cost, by its shapes.

The figures are of one thread of a processor with vectors of 512 bits (Zen 5), measured on single
layers through IREE; what matters is how they stand to each other. `benchmarks/native.py` measures
the models that come of it.
"""

from dataclasses import dataclass
from math import prod

from ..tracing import nodes
from .channels_last import static_shape

PRODUCTS = 95.0
"""Multiply-adds a nanosecond of a matrix product, or of a direct convolution of long rows."""

ROW = 28
"""From so many places a row on a direct convolution is as fast as a matrix product: it computes
places of one row at a time."""

COPIED = 8.0
"""Elements a nanosecond that are laid out as columns."""

TRANSFORMED = 5.5
"""Elements a nanosecond that a transform of Winograd's makes."""

READ = 8.0
"""Elements a nanosecond of weights that no cache holds between two runs."""

CACHED = 1 << 18
"""Elements of weights that a cache holds."""

SHALLOW = 32
"""Input channels with which the products of Winograd's tiles are at half their speed: each sum is
short then."""

LANES = 16
"""The outputs of a place that one vector holds."""

LAUNCHED = 2200.0
"""Nanoseconds that a convolution of its own for each group takes on top."""

THIN = 32
"""Outputs of a group with which products of matrices for all groups are at half their speed."""


@dataclass(frozen=True)
class Sizes:
    """The numbers that costs depend on."""

    outputs: int
    inputs: int
    kernel: tuple[int, int]
    h: int
    w: int

    @staticmethod
    def of(node: nodes.Convolve) -> "Sizes":
        """Those of a convolution of known extents, over two axes."""
        outputs, inputs, kh, kw = static_shape(node.weight.shape)
        _, h, w = static_shape(node.shape)
        return Sizes(outputs, inputs, (kh, kw), h, w)

    @property
    def products(self) -> int:
        """The multiply-adds of the definition."""
        return self.outputs * self.inputs * prod(self.kernel) * self.h * self.w


def _read(weights: int) -> float:
    return weights / READ if weights > CACHED else 0.0


def pointwise(node: nodes.Convolve) -> float:
    """Nanoseconds of a sum over channels."""
    return Sizes.of(node).products / PRODUCTS


def depthwise(node: nodes.Convolve) -> float:
    """Nanoseconds of a loop nest over what each place of the kernel sees."""
    return Sizes.of(node).products / COPIED


def direct(node: nodes.Convolve) -> float:
    """Nanoseconds of a direct convolution."""
    sizes = Sizes.of(node)
    share = min(1.0, (sizes.w + ROW / 4) / (ROW * 1.25))
    return sizes.products / (PRODUCTS * share)


def columns(node: nodes.Convolve) -> float:
    """Nanoseconds of a matrix product of the windows, laid out as columns."""
    sizes = Sizes.of(node)
    taps = prod(sizes.kernel)
    rows = _rounded(sizes.h * sizes.w, 16)
    laid = sizes.h * sizes.w * taps * sizes.inputs
    return rows * taps * sizes.inputs * sizes.outputs / PRODUCTS + laid / COPIED


def winograd(node: nodes.Convolve, tile: int) -> float:
    """Nanoseconds of Winograd's filtering by tiles of so many places along both axes."""
    sizes = Sizes.of(node)
    span = tile + 2
    th, tw = -(-sizes.h // tile), -(-sizes.w // tile)
    products = span * span * _rounded(th * tw, 4) * sizes.inputs * sizes.outputs
    speed = PRODUCTS * sizes.inputs / (sizes.inputs + SHALLOW)
    before = span * th * (tw * tile + 2) + span * span * th * tw
    after = th * tile * tw * (span + tile)
    made = before * sizes.inputs + after * sizes.outputs
    weights = span * span * sizes.inputs * sizes.outputs
    return max(products / speed, _read(weights)) + made / TRANSFORMED


def one_by_one(cost: float, node: nodes.Convolve) -> float:
    """Return the time of one convolution per group; each takes `cost` with full vectors."""
    outputs = Sizes.of(node).outputs // node.groups
    return node.groups * (cost * _rounded(outputs, LANES) / outputs + LAUNCHED)


def grouped(node: nodes.Convolve) -> float:
    """Nanoseconds of products of matrices for all groups, of windows laid out as columns."""
    sizes = Sizes.of(node)
    outputs = sizes.outputs // node.groups
    laid = sizes.h * sizes.w * prod(sizes.kernel) * sizes.inputs * node.groups
    return sizes.products / (PRODUCTS * outputs / (outputs + THIN)) + laid / COPIED


def _rounded(n: int, to: int) -> int:
    return -(-n // to) * to
