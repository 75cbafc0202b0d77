"""A `.bin` that goes wrong while it is read."""

import errno
import os
from pathlib import Path
from typing import NoReturn

import pytest
from ncnn_opt.formats.bin import BinReader
from ncnn_opt.formats.errors import FormatError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "m.bin"
    path.write_bytes(bytes(4 + 4 * 10))
    return path


def test_one_that_becomes_shorter(path: Path) -> None:
    with BinReader(str(path)) as reader:
        os.truncate(path, 2)
        with pytest.raises(FormatError, match="was truncated while it was read"):
            reader.take(10, "tagged", "a weight")


def test_one_that_cannot_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> NoReturn:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "pread", fail)
    with BinReader(str(path)) as reader, pytest.raises(OSError, match="m.bin") as caught:
        reader.take(10, "tagged", "a weight")
    assert caught.value.filename == str(path)
