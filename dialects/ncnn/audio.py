"""Short-time Fourier transforms: Spectrogram and InverseSpectrogram."""

from abc import ABC
from collections.abc import Sequence

from ..shapes.terms import UNKNOWN, Extent, Extents
from ..shapes.windows import places
from .blob import static_shape_of
from .checks import check
from .cost import product
from .extents import known
from .layer import UnaryLayer, layer
from .params import Param, enum_param, int_param


class Fourier(UnaryLayer, ABC):
    """The window that both transforms slide along the samples."""

    n_fft = int_param(0)
    """Samples per frame."""
    hoplen = int_param(2, default=lambda p: p.n_fft // 4)
    """The distance between frames in samples."""
    winlen = int_param(3, default="n_fft")
    """The number of samples that the window covers in the middle of a frame."""
    window_type = enum_param(4, ("ones", "hann", "hamming"))
    center = int_param(5, default=1)
    """Whether the samples are padded by half a frame on both sides."""
    normalized = enum_param(7, ("no", "n_fft", "window"))
    """The divisor of the spectrum: none, sqrt(n_fft), or the window's L2 norm."""

    def verify_layer(self) -> None:
        fits = 0 < self.winlen <= self.n_fft
        check(self, fits, f"winlen {self.winlen} is not in 1 to n_fft {self.n_fft}")
        check(self, self.hoplen > 0, f"hoplen is {self.hoplen}, not positive")
        self.verify_word("window_type")
        self.verify_word("normalized")

    def verify_word(self, name: str) -> None:
        """Raise `VerifyException` if an enumeration's value has no keyword."""
        param, value = self.PARAMS[name], getattr(self, name)
        defined = not isinstance(param, Param) or 0 <= value < len(param.names)
        check(self, defined, f"{name} has the undefined value {value}")


@layer
class SpectrogramOp(Fourier):
    """Short-time Fourier transform: `y[f, t] = sum over k of window[k] * x[t * hoplen + k] *
    exp(-2πi f k / n_fft)`, divided according to `normalized`.

    Shapes: `n` -> `freqs x frames`, or `freqs x frames x 2` (real, imaginary) with power complex.
    freqs is n_fft / 2 + 1, or n_fft if not onesided.
    """

    power = enum_param(1, ("complex", "magnitude", "square"))
    """The output computed from the complex numbers."""
    pad_type = enum_param(6, ("constant", "replicate", "reflect"), default=2)
    """The mode that extends the samples."""
    onesided = int_param(8, default=1)
    """Whether only frequencies up to half the sampling rate are output."""

    def verify_layer(self) -> None:
        super().verify_layer()
        self.verify_word("power")
        if self.center == 1:
            self.verify_word("pad_type")

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0]
        frames: Extent = UNKNOWN
        if shape is not None and self.hoplen > 0:
            more = self.n_fft // 2 * 2 if self.center == 1 else 0
            frames = places(shape[-1] + more, self.n_fft, self.hoplen)
        freqs = self.n_fft // 2 + 1 if self.onesided else self.n_fft
        return [(freqs, frames, 2) if self.power == 0 else (freqs, frames)]

    def macs(self) -> int | None:
        # The runtime computes each frequency's real and imaginary part directly, without an FFT.
        shape = static_shape_of(self.output)
        frames = None if shape is None else shape[1]
        return product(2 * self.n_fft * (self.n_fft // 2 + 1), frames)


@layer
class InverseSpectrogramOp(Fourier):
    """Inverse of the short-time Fourier transform. Frames are transformed back, windowed, added
    where they overlap, and divided by the sum of the squared windows.

    Shapes: `freqs x frames x 2` (real, imaginary) -> `n x 2` for returns complex, otherwise `n`.
    """

    returns = enum_param(1, ("complex", "real", "imaginary"))
    """The output computed from the complex numbers."""

    def verify_layer(self) -> None:
        super().verify_layer()
        self.verify_word("returns")

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0]
        samples: Extent = UNKNOWN
        if shape is not None and len(shape) == 3:
            rest = self.n_fft % 2 if self.center else self.n_fft
            samples = known((shape[1] - 1) * self.hoplen + rest)
        return [(samples, 2) if self.returns == 0 else (samples,)]

    def macs(self) -> int | None:
        shape = static_shape_of(self.input)
        frames = None if shape is None or len(shape) != 3 else shape[1]
        return product(4 * self.n_fft**2, frames)
