"""The difference of a blob from the expected blob, as sums.

The sums of samples add up to the sums of all samples. So processes compute them apart, and send a
few numbers instead of blobs.
"""

from dataclasses import dataclass
from math import inf, log10, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class BlobError:
    """Sums over the elements of a blob, of one sample or of several."""

    signal: float = 0.0
    """The sum of squares of the expected elements."""
    noise: float = 0.0
    """The sum of squares of the differences."""
    product: float = 0.0
    """The sum of products of expected and actual elements."""
    power: float = 0.0
    """The sum of squares of the actual elements."""
    largest: float = 0.0
    """The largest difference."""
    top: float = 0.0
    """The largest expected magnitude."""
    ranked: int = 0
    """The number of places with several scores."""
    same: int = 0
    """The number of these places at which the same score is the largest."""

    @staticmethod
    def of(expected: Array, actual: Array) -> "BlobError":
        """Return the difference of one blob; infinite for elements that are not finite and for
        another size."""
        if expected.size != actual.size:
            return BlobError(signal=1.0, noise=inf, largest=inf)
        a = np.asarray(expected, "f4").reshape(-1)
        b = np.asarray(actual, "f4").reshape(-1)
        if not (np.isfinite(a).all() and np.isfinite(b).all()):
            same = bool(((a == b) | (np.isnan(a) & np.isnan(b))).all())
            return BlobError() if same else BlobError(signal=1.0, noise=inf, largest=inf)
        d = b - a
        return BlobError(
            signal=_dot(a, a),
            noise=_dot(d, d),
            product=_dot(a, b),
            power=_dot(b, b),
            largest=float(np.abs(d).max(initial=0)),
            top=float(np.abs(a).max(initial=0)),
        )

    def __add__(self, other: "BlobError") -> "BlobError":
        return BlobError(
            self.signal + other.signal,
            self.noise + other.noise,
            self.product + other.product,
            self.power + other.power,
            max(self.largest, other.largest),
            max(self.top, other.top),
            self.ranked + other.ranked,
            self.same + other.same,
        )

    @property
    def error(self) -> float:
        """The energy of the noise relative to the energy of the signal."""
        if self.noise == 0:
            return 0.0
        return self.noise / self.signal if self.signal else inf

    @property
    def snr(self) -> float:
        """The same in dB, with the other sign: 0.01 is 20 dB."""
        return snr_of(self.error)

    @property
    def cosine(self) -> float:
        """The cosine of the angle between the actual and the expected blob."""
        if self.noise == 0:
            return 1.0
        length = sqrt(self.signal) * sqrt(self.power)
        return self.product / length if 0 < length < inf and self.noise < inf else 0.0


def _dot(a: Array, b: Array) -> float:
    return float(np.dot(a.astype("f8"), b))


def snr_of(error: float) -> float:
    """Return the signal-to-noise ratio in dB of an error, a ratio of energies."""
    return inf if error == 0 else -inf if error == inf else -10 * log10(error)
