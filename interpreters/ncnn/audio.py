"""Reference semantics of the layers in `dialects/ncnn/audio.py`."""

import numpy as np

from ...dialects.ncnn.audio import Fourier, InverseSpectrogramOp, SpectrogramOp
from .semantics import Array, Inputs, Weights, semantics

_PADS = ("constant", "edge", "reflect")


def _window(op: Fourier) -> Array:
    """Return the window, centered in a frame."""
    angles = 2 * np.pi * np.arange(op.winlen) / op.winlen
    match op.window_type:
        case 0:
            window = np.ones(op.winlen)
        case 1:
            window = 0.5 - 0.5 * np.cos(angles)
        case _:
            window = 0.54 - 0.46 * np.cos(angles)
    before = (op.n_fft - op.winlen) // 2
    return np.pad(window.astype("f4"), (before, op.n_fft - op.winlen - before))


def _norm(op: Fourier, window: Array) -> float:
    """Return the divisor of the spectrum."""
    match op.normalized:
        case 0:
            return 1.0
        case 1:
            return op.n_fft**0.5
        case _:
            return float(np.square(window, dtype="f8").sum() ** 0.5)


def _circle(rows: int, n: int) -> tuple[Array, Array]:
    """Return the cosines and sines of a discrete Fourier transform of n samples. The runtime uses
    angles in float32; for large n its results differ much from a fast transform's."""
    turns = 2 * np.pi * np.arange(rows)[:, None] * np.arange(n) / n
    angles = turns.astype("f4")
    return np.cos(angles), np.sin(angles)


@semantics(SpectrogramOp)
def spectrogram(op: SpectrogramOp, inputs: Inputs, weights: Weights) -> Array:
    samples = inputs[0].reshape(-1, inputs[0].shape[-1])[0]
    if op.center == 1:
        half = op.n_fft // 2
        samples = np.pad(samples, [(half, half)], _PADS[op.pad_type])
    window = _window(op)
    count = (len(samples) - op.n_fft) // op.hoplen + 1
    if count < 1:
        raise ValueError(
            f"{op.label()}: {len(samples)} samples are fewer than a frame of {op.n_fft}"
        )
    places = np.arange(count)[:, None] * op.hoplen + np.arange(op.n_fft)
    frames = np.take(samples, places, 0) * window
    cosines, sines = _circle(op.n_fft // 2 + 1, op.n_fft)
    norm = np.float32(1 / _norm(op, window))
    real, imaginary = cosines @ frames.T * norm, -(sines @ frames.T) * norm
    if not op.onesided:
        real = np.concatenate([real, _mirrored(real, op.n_fft)])
        imaginary = np.concatenate([imaginary, -_mirrored(imaginary, op.n_fft)])
    if op.power == 0:
        return np.stack([real, imaginary], -1)
    square = np.square(real) + np.square(imaginary)
    return np.sqrt(square) if op.power == 1 else square


def _mirrored(spectrum: Array, n: int) -> Array:
    """Return the frequencies above half the sampling rate, mirrored from the lower ones."""
    return np.flip(spectrum[1 : n - n // 2], 0)


@semantics(InverseSpectrogramOp)
def inverse_spectrogram(op: InverseSpectrogramOp, inputs: Inputs, weights: Weights) -> Array:
    (x,), n, window = inputs, op.n_fft, _window(op)
    real, imaginary = np.moveaxis(x, -1, 0) * np.float32(_norm(op, window))
    if len(x) == n // 2 + 1:
        real = np.concatenate([real, _mirrored(real, n)])
        imaginary = np.concatenate([imaginary, -_mirrored(imaginary, n)])
    cosines, sines = _circle(n, n)
    values = np.stack([cosines @ real - sines @ imaginary, sines @ real + cosines @ imaginary], -1)
    frames = values * (window / np.float32(n))[:, None, None]  # sample x frame x real, imaginary
    count: int = frames.shape[1]
    size = (count - 1) * op.hoplen + (n % 2 if op.center else n)
    before = n // 2 if op.center == 1 else 0
    starts = np.arange(count) * op.hoplen - before
    places = starts + np.arange(n)[:, None]
    inside = (places >= 0) & (places < size)
    sums, squares = np.zeros((size, 2), "f4"), np.zeros(size, "f4")
    np.add.at(sums, places[inside], frames[inside])
    shares = np.broadcast_to(np.square(window)[:, None], places.shape)
    np.add.at(squares, places[inside], shares[inside])
    sums /= np.where(squares == 0, np.float32(1), squares)[:, None]
    return sums if op.returns == 0 else sums[:, op.returns - 1]
