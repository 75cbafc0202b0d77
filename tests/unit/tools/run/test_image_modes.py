"""The pixels of images of 16 bits a channel, and of other modes than 8-bit colours."""

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.driver.errors import UsageError
from ncnn_opt.samples.images import read_image
from numpy.typing import NDArray

Image = pytest.importorskip("PIL.Image")

VALUES = np.random.default_rng(0).integers(0, 1 << 16, (5, 7, 4)).astype("u2")
GREY, GREY_ALPHA, RGB, RGBA = 0, 4, 2, 6


def png(values: NDArray[np.uint16], colours: int) -> bytes:
    """A PNG of 16 bits, which Pillow cannot write."""

    def chunk(tag: bytes, data: bytes) -> bytes:
        crc = zlib.crc32(tag + data)
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", crc)

    h, w = values.shape[:2]
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    head = struct.pack(">IIBBBBB", w, h, 16, colours, 0, 0, 0)
    chunks = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def tiff(data: bytes, w: int, h: int, bits: int, order: str = "<") -> bytes:
    """An uncompressed TIFF of grey values, which reach up from 0 for black."""
    tags = [(256, w), (257, h), (258, bits), (259, 1), (262, 1), (273, 8), (277, 1), (278, h)]
    tags.append((279, len(data)))
    entries = b"".join(struct.pack(order + "HHIHH", tag, 3, 1, v, 0) for tag, v in tags)
    magic = b"II" if order == "<" else b"MM"
    head = magic + struct.pack(order + "HI", 42, 8 + len(data))
    return head + data + struct.pack(order + "H", len(tags)) + entries + bytes(4)


@pytest.mark.parametrize(
    ("colours", "channels"), [(GREY, [0, 0, 0]), (GREY_ALPHA, [0, 0, 0]), (RGB, [0, 1, 2])]
)
def test_png_of_16_bits(colours: int, channels: list[int], tmp_path: Path) -> None:
    """The upper 8 bits, as OpenCV's `imread` has them; an alpha channel is left out."""
    count = {GREY: 1, GREY_ALPHA: 2, RGB: 3}[colours]
    (tmp_path / "x.png").write_bytes(png(VALUES[:, :, :count], colours))
    found = read_image(str(tmp_path / "x.png"))
    assert found.dtype == np.uint8
    assert (found == VALUES[:, :, channels] >> 8).all()


def test_png_of_16_bits_and_alpha(tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(png(VALUES, RGBA))
    assert (read_image(str(tmp_path / "x.png")) == VALUES[:, :, :3] >> 8).all()


def test_8_bits_in_16(tmp_path: Path) -> None:
    """An image of 8 bits that was saved with 16, each value times 257, is the same image."""
    bytes_ = np.arange(256, dtype="u2").reshape(16, 16, 1)
    (tmp_path / "x.png").write_bytes(png(bytes_ * 257, GREY))
    assert (read_image(str(tmp_path / "x.png"))[:, :, :1] == bytes_).all()


@pytest.mark.parametrize("order", ["<", ">"])
def test_tiff_of_16_bits(order: str, tmp_path: Path) -> None:
    grey = VALUES[:, :, 0]
    data = grey.astype(order + "u2").tobytes()
    (tmp_path / "x.tif").write_bytes(tiff(data, 7, 5, 16, order))
    assert (read_image(str(tmp_path / "x.tif"))[:, :, 1] == grey >> 8).all()


def test_pgm_of_16_bits(tmp_path: Path) -> None:
    """Pillow has it as integers of 32 bits."""
    grey = VALUES[:, :, 0]
    (tmp_path / "x.pgm").write_bytes(b"P5 7 5 65535\n" + grey.astype(">u2").tobytes())
    assert (read_image(str(tmp_path / "x.pgm"))[:, :, 1] == grey >> 8).all()


def test_modes_of_8_bits(tmp_path: Path) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (5, 7, 3), np.uint8)
    colours = Image.fromarray(pixels)
    for mode, wanted in (
        ("RGB", pixels),
        ("L", np.asarray(colours.convert("L"))[:, :, None]),
        ("1", np.asarray(colours.convert("1"))[:, :, None] * np.uint8(255)),
        ("P", np.asarray(colours.convert("P").convert("RGB"))),
        ("LA", np.asarray(colours.convert("L"))[:, :, None]),
        ("RGBA", pixels),
    ):
        colours.convert(mode).save(tmp_path / "x.png")
        found = read_image(str(tmp_path / "x.png"))
        assert found.shape == (5, 7, 3)
        assert (found == wanted).all(), mode


def test_values_of_an_unknown_range(tmp_path: Path) -> None:
    for kind, mode, words in (("i4", "I", "32-bit integers"), ("f4", "F", "floats")):
        path = str(tmp_path / f"{mode}.tif")
        Image.fromarray(VALUES[:, :, 0].astype(kind)).save(path)
        with pytest.raises(UsageError) as caught:
            read_image(path)
        assert str(caught.value) == (
            f"{path}: the pixels are {words} (mode {mode}) of an unknown range: save the image "
            "with 8 or 16 bits, or its values as .npy"
        )


def test_tiff_of_12_bits(tmp_path: Path) -> None:
    """Pillow has its values as they are, up to 4095."""
    path = tmp_path / "x.tif"
    path.write_bytes(tiff(bytes(range(6)), 2, 2, 12))
    with pytest.raises(UsageError, match="grey values of 12 bits: save the image with 8 or 16"):
        read_image(str(path))
