"""Facts about IREE's code for the vector instructions of processors, on which the forms of
convolutions depend.

They were measured with IREE 3.13 on a Zen 4 core, for AVX-512 and AVX2. For NEON they were read off
the tiles that IREE chooses, and off its assembly.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class VectorUnit:
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
    tile: int | None = None
    """The vectors of sums in a tile of a matrix product by weights (`tiles.py`); `None` to leave
    the tiles to IREE."""

    def can_tile_row(self, width: int) -> bool:
        """Whether IREE has a fast tile for rows of this many pixels in a loop nest over windows."""
        return self.has_masks or width % 2 == 0


DEFAULT = "avx512"

PROCESSORS = {
    "avx512": VectorUnit(lanes=16, products=95.0, has_masks=True),
    "avx2": VectorUnit(lanes=8, products=80.0, has_masks=False, tile=12),
    "neon": VectorUnit(lanes=4, products=40.0, has_masks=False),
}
"""The processors by the name of their vector instructions."""
