"""Facts about IREE's code for the vector instructions of processors, on which the forms of
convolutions depend.

They were measured with IREE 3.13 on a Zen 4 core, for AVX-512 and AVX2. For NEON they were read off
the tiles that IREE chooses, and off its assembly.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Processor:
    """Processors with the same vector instructions."""

    lanes: int
    """The floats of a vector. The cost of a matrix product has whole tiles of so many pixels and
    outputs; IREE's tiles are as large with AVX-512 and AVX2, and twice as large with NEON."""
    products: float
    """Multiply-adds per nanosecond of a matrix product, or of a direct convolution of long rows,
    if 8 elements are copied in a nanosecond."""
    has_masks: bool
    """Whether vectors have masks. A loop nest then reads beyond a border by itself, and its tiles
    need not divide its rows."""
    summed: int | None = None
    """The greatest number of inputs that a tile of a direct convolution sums at once. IREE takes
    the greatest divisor of the inputs; from `MAX_SUMMED` on it makes the tile smaller, for lack of
    registers, and the convolution three to five times slower. `None`: no tile is smaller."""

    tile: int | None = None
    """The vectors of sums in a tile of a matrix product by weights (`tiles.py`); `None` to leave
    the tiles to IREE."""

    def inputs_of_direct(self, inputs: int) -> int:
        """Return the least number of inputs, of at least `inputs`, whose tiles are not smaller."""
        if self.summed is None:
            return inputs
        while max(n for n in range(1, self.summed + 1) if inputs % n == 0) > MAX_SUMMED:
            inputs += 1
        return inputs

    def can_tile_row(self, width: int) -> bool:
        """Whether IREE has a fast tile for rows of this many pixels in a loop nest over windows."""
        return self.has_masks or width % 2 == 0


MAX_SUMMED = 4
"""The inputs that a tile of a direct convolution can sum without becoming smaller."""

DEFAULT = "avx512"

PROCESSORS = {
    "avx512": Processor(lanes=16, products=95.0, has_masks=True),
    "avx2": Processor(lanes=8, products=80.0, has_masks=False, summed=8, tile=12),
    "neon": Processor(lanes=4, products=40.0, has_masks=False, summed=16),
}
"""The processors by the name of their vector instructions."""
