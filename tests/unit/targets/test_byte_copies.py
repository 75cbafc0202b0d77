"""Bytes go from file to file, whatever the system can do."""

import errno
import os
import random
from pathlib import Path

import pytest
from ncnn_opt.targets.byte_copies import TooShort, copy_range

DATA = random.Random(0).randbytes(3_000_000)
RANGES = [(0, 0), (0, 10), (4095, 4098), (100, 2_500_000), (0, len(DATA)), (len(DATA), 0)]


def refuse(*_: object, **__: object) -> int:
    raise OSError(errno.EXDEV, "not here")


def halting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call moves a part only, and after two of them nothing any more."""
    copy, send = os.copy_file_range, os.sendfile
    left = {"copy": 2, "send": 2}

    def at_most(call: str, count: int) -> int:
        left[call] -= 1
        return min(count, 70_000) if left[call] >= 0 else 0

    def slow_copy(source: int, target: int, count: int, offset: int) -> int:
        return copy(source, target, count, offset) if (count := at_most("copy", count)) else 0

    def slow_send(target: int, source: int, offset: int, count: int) -> int:
        return send(target, source, offset, count) if (count := at_most("send", count)) else 0

    monkeypatch.setattr(os, "copy_file_range", slow_copy)
    monkeypatch.setattr(os, "sendfile", slow_send)


@pytest.fixture(params=["all", "no copy_file_range", "nothing", "halting", "none there"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "copy_file_range") or not hasattr(os, "sendfile"):
        if request.param != "all":
            pytest.skip("a system without these calls")
        return
    match request.param:
        case "no copy_file_range":
            monkeypatch.setattr(os, "copy_file_range", refuse)
        case "nothing":
            monkeypatch.setattr(os, "copy_file_range", refuse)
            monkeypatch.setattr(os, "sendfile", refuse)
        case "halting":
            halting(monkeypatch)
        case "none there":
            monkeypatch.delattr(os, "copy_file_range")
            monkeypatch.delattr(os, "sendfile")
        case _:
            pass


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize(("offset", "count"), RANGES)
def test_copies(tmp_path: Path, offset: int, count: int) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(DATA)
    with source.open("rb") as read, target.open("wb") as out:
        out.write(b"before")
        copy_range(read.fileno(), out, offset, count)
        out.write(b"behind")
    assert target.read_bytes() == b"before" + DATA[offset : offset + count] + b"behind"


@pytest.mark.usefixtures("system")
def test_a_source_that_is_too_short(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(DATA)
    with source.open("rb") as read, (tmp_path / "target").open("wb") as out:
        with pytest.raises(TooShort):
            copy_range(read.fileno(), out, 10, len(DATA))


@pytest.mark.usefixtures("system")
def test_to_a_pipe(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(DATA)
    reading, writing = os.pipe()
    with source.open("rb") as read, open(reading, "rb") as received, open(writing, "wb") as out:
        copy_range(read.fileno(), out, 5, 30_000)
        out.close()
        assert received.read() == DATA[5:30_005]


@pytest.mark.usefixtures("system")
def test_holes_stay_holes(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    with source.open("wb") as f:
        for at, data in ((1 << 20, b"first"), (5 << 20, DATA)):
            f.seek(at)
            f.write(data)
        f.truncate(40 << 20)
    if source.stat().st_blocks * 512 > 10 << 20:
        pytest.skip("a file system without holes")
    with source.open("rb") as read, target.open("wb") as out:
        out.write(b"before")
        copy_range(read.fileno(), out, 100, (40 << 20) - 100)
        out.write(b"behind")
    whole = source.read_bytes()
    assert target.read_bytes() == b"before" + whole[100:] + b"behind"
    assert target.stat().st_blocks * 512 < 10 << 20


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("copy_file_range", "sendfile"):
        monkeypatch.setattr(os, name, refuse, raising=False)
    source = tmp_path / "source"
    source.write_bytes(DATA)

    class Full:
        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        def flush(self) -> None:
            pass

        def fileno(self) -> int:
            return target.fileno()

    with source.open("rb") as read, (tmp_path / "target").open("wb") as target:
        with pytest.raises(OSError, match="No space left"):
            copy_range(read.fileno(), Full(), 0, 100)  # pyright: ignore[reportArgumentType]
