"""Images as blobs, as in programs for ncnn: `Mat::from_pixels_resize`, then
`substract_mean_normalize`."""

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ..analysis.input_shapes import expected_input_shape
from ..dialects.ncnn.blob import extents_of
from ..formats.errors import UsageError

if TYPE_CHECKING:
    from PIL.Image import Image

Pixels = NDArray[np.uint8]
"""`h x w x 3`, red first."""

ORIENTATION = 0x0112
"""The tag of an image's orientation; above 4 height and width are swapped."""
BITS_PER_SAMPLE = 258
"""The tag of a TIFF for the bits of a grey value."""
WHOLE_RANGE = ("PNG", "PPM")
"""Formats whose 32-bit integers in Pillow range from 0 to 65535."""
COEFFICIENT_BITS = 11
"""The bits of the weights of two neighbouring pixels, in ncnn's resize_bilinear."""
GREY_WEIGHTS = (77, 150, 29)
"""The weights of red, green and blue in grey, in 256ths."""


@dataclass(frozen=True)
class Preprocessing:
    """The preprocessing of an image: `(x - mean) * norm`."""

    mean: Sequence[float] = ()
    """One value per channel, or one for all."""
    norm: Sequence[float] = ()
    """One value per channel, or one for all."""
    to_rgb: bool = False
    """Whether red is the first channel; otherwise blue, as in programs that use OpenCV."""
    alpha: bool = False
    """Whether a fourth channel of 255 follows, as in ncnn's conversion to RGBA and BGRA."""


def image_extents(arg: SSAValue) -> Sequence[int | None]:
    """Return the extents of an input that an image is for; if its type does not specify the
    channels, those that the weights of the first layer take."""
    extents: Sequence[int | None] = extents_of(arg.type) or (None, None, None)
    found = expected_input_shape(arg) if len(extents) == 3 and extents[0] is None else None
    if found is None or len(found[1]) != 3:
        return extents
    return (found[1][0], *extents[1:])


def read_image(path: str) -> Pixels:
    """Return the upright pixels of an image file. Raises `UsageError` for a missing Pillow or an
    unknown format, and `OSError`."""
    with _opened(path) as image:
        return _in_bytes(image, path)


def _in_bytes(image: "Image", path: str) -> Pixels:
    """Return the upright pixels of an image of any mode, with 8 bits per channel. Of 16 bits, use
    the upper 8, as OpenCV's `imread` and stb_image do; Pillow clips 16-bit grey values at 255.
    Raises `UsageError` for a mode with an unknown range of values."""
    from PIL import ImageOps

    upright = ImageOps.exif_transpose(image)
    if image.mode.startswith("I;16") or (image.mode == "I" and image.format in WHOLE_RANGE):
        if (bits := image.getexif().get(BITS_PER_SAMPLE, 16)) != 16:
            raise UsageError(f"{path}: grey values of {bits} bits: save the image with 8 or 16")
        grey = (np.asarray(upright) >> 8).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, 2)
    if image.mode in ("I", "F"):
        values = "32-bit integers" if image.mode == "I" else "floats"
        raise UsageError(
            f"{path}: the pixels are {values} (mode {image.mode}) of an unknown range: save the "
            "image with 8 or 16 bits, or its values as .npy"
        )
    return np.asarray(upright.convert("RGB"))


def image_size(path: str) -> tuple[int, int]:
    """Return the upright height and width of an image without reading its pixels. Raises the errors
    of `read_image`."""
    with _opened(path) as image:
        w, h = image.size
        return (w, h) if image.getexif().get(ORIENTATION, 1) > 4 else (h, w)


@contextmanager
def _opened(path: str) -> "Generator[Image]":
    """Open an image file. Raises `UsageError` for its defects, also within the block."""
    os.stat(path)  # a missing file is reported before a missing Pillow
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as e:
        raise UsageError(
            f"'{path}' is read with Pillow, which is not installed: pip install 'ncnn-opt[image]'"
        ) from e
    try:
        with Image.open(path) as image:
            yield image
    except UnidentifiedImageError as e:
        raise UsageError(f"'{path}' is neither .npy, .npz nor an image") from e
    except (SyntaxError, ValueError, Image.DecompressionBombError) as e:
        raise UsageError(f"{path}: {e}") from e
    except OSError as e:
        if e.errno is not None:
            raise
        raise UsageError(f"{path}: {e}") from e  # truncated


def image_blob(
    pixels: Pixels, shape: Sequence[int | None], how: Preprocessing, name: str
) -> NDArray[Any]:
    """Return the blob of an image, `c x h x w`, float32. `None` extents become the image's own, and
    3 channels. Raises `UsageError` if an input of this name and shape takes no image."""
    if len(shape) != 3 or shape[0] not in ((None, 4) if how.alpha else (None, 1, 3)):
        extents = "x".join("?" if n is None else str(n) for n in shape)
        channels = "4 channels with alpha" if how.alpha else "3 channels or 1"
        raise UsageError(f"input '{name}' is {extents}: an image has 3 dims and {channels}")
    channels, h, w = shape
    pixels = resized(pixels, h or pixels.shape[0], w or pixels.shape[1])
    if channels == 1:
        grey = (pixels.astype(np.uint32) * np.array(GREY_WEIGHTS, np.uint32)).sum(2) >> 8
        planes = grey[None]
    else:
        planes = pixels.transpose(2, 0, 1)[:: 1 if how.to_rgb else -1]
    blob = planes.astype(np.float32)
    if how.alpha:
        blob = np.concatenate([blob, np.full_like(blob[:1], 255)])
    if how.mean:
        blob -= _per_channel(how.mean, len(blob), "--mean")
    if how.norm:
        blob *= _per_channel(how.norm, len(blob), "--norm")
    return np.ascontiguousarray(blob)


def _per_channel(values: Sequence[float], channels: int, option: str) -> NDArray[np.float32]:
    if len(values) not in (1, channels):
        raise UsageError(f"{option} has {len(values)} values, the image {channels} channels")
    return np.array(values, np.float32)[:, None, None]


def resized(pixels: Pixels, h: int, w: int) -> Pixels:
    """Return an image of this size by bilinear interpolation, with the integer arithmetic and the
    values of ncnn's `resize_bilinear_c3`."""
    if pixels.shape[:2] == (h, w):
        return pixels
    if min(pixels.shape[:2]) < 2:  # each pixel needs a neighbour
        missing = [(0, max(2 - n, 0)) for n in pixels.shape[:2]]
        pixels = np.pad(pixels, [*missing, (0, 0)], mode="edge")
    left, along_w = _neighbours(pixels.shape[1], w)
    top, along_h = _neighbours(pixels.shape[0], h)
    wide = pixels.astype(np.int32)
    rows = wide[:, left] * along_w[0][:, None] + wide[:, left + 1] * along_w[1][:, None] >> 4
    upper = rows[top] * along_h[0][:, None, None] >> 16
    lower = rows[top + 1] * along_h[1][:, None, None] >> 16
    return np.clip(upper + lower + 2 >> 2, 0, 255).astype(np.uint8)


def _neighbours(extent: int, wanted: int) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Return the index of the first of the two source pixels for each pixel along an axis, and the
    weights of both."""
    place = ((np.arange(wanted) + 0.5) * (extent / wanted) - 0.5).astype(np.float32)
    first = np.floor(place).astype(np.intp)
    part = np.where(first < 0, np.float32(0), place - first.astype(np.float32))
    part = np.where(first >= extent - 1, np.float32(1), part)
    weights = np.stack([1 - part, part]) * np.float32(1 << COEFFICIENT_BITS)
    return np.clip(first, 0, extent - 2), np.floor(weights + np.float32(0.5)).astype(np.int32)
