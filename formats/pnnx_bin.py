"""The weights of PNNX's own IR, `.pnnx.bin`: a zip archive with an uncompressed member per weight,
named `OPERATOR.KEY` (`StoreZipReader` and `StoreZipWriter` in PNNX's src/storezip.cpp).

Members are slices of the file. Nothing is decompressed, so a small archive uses little memory.
Names are looked up and never used as paths.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import IO
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import crc32

from .errors import FormatError
from .pnnx_graph import DTYPES, PnnxGraph, TensorShape, member_name

_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII")
_EXTRA = struct.Struct("<HHQQQI")
_END64 = struct.Struct("<4sQHHIIQQQQ")
_LOCATOR = struct.Struct("<4sIQI")
_END = struct.Struct("<4sHHHHIIH")
_ABSENT16, _ABSENT32 = 0xFFFF, 0xFFFFFFFF

CHUNK = 1 << 20
"""The bytes copied at a time."""


@dataclass(frozen=True)
class Member:
    """The location of a weight's values."""

    offset: int
    size: int
    crc: int


def read_members(file: IO[bytes], path: str) -> dict[str, Member]:
    """Return the members of an archive by name. Raises `FormatError` for other files, and for
    members that are compressed, encrypted, beyond the end, overlapping, or named as paths outside
    the archive."""
    size = file.seek(0, 2)
    try:
        with ZipFile(file) as archive:
            infos = archive.infolist()
    except (BadZipFile, ValueError, struct.error, EOFError, OverflowError, RuntimeError) as e:
        # A UnicodeDecodeError is a ValueError, a NotImplementedError a RuntimeError.
        raise FormatError(path, f"this is not a .pnnx.bin (a zip archive): {e}") from e
    members: dict[str, Member] = {}
    end = 0
    for info in sorted(infos, key=lambda i: i.header_offset):
        name = _name(info)
        if name in members:
            raise FormatError(path, f"there are two members '{_shown(name)}'")
        if name.startswith("/") or ".." in name.replace("\\", "/").split("/") or "\0" in name:
            raise FormatError(
                path, f"member '{_shown(name)}' has a name that is a path outside the archive"
            )
        if info.header_offset < end:
            raise FormatError(path, f"member '{_shown(name)}' overlaps another")
        member = _member(file, info, name, size, path)
        end = member.offset + member.size
        members[name] = member
    return members


def _shown(name: str) -> str:
    """Return the beginning of a name, in one line, for messages."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name[:80])


def _name(info: ZipInfo) -> str:
    """Return the name in the file. PNNX writes UTF-8 without setting the flag."""
    if info.flag_bits & 0x800:
        return info.orig_filename
    return info.orig_filename.encode("cp437", "replace").decode("utf-8", "replace")


def _member(file: IO[bytes], info: ZipInfo, name: str, size: int, path: str) -> Member:
    what = f"member '{_shown(name)}'"
    if info.compress_type != ZIP_STORED or info.compress_size != info.file_size:
        raise FormatError(path, f"{what} is compressed; PNNX stores members uncompressed")
    if info.flag_bits & 1:
        raise FormatError(path, f"{what} is encrypted")
    file.seek(info.header_offset)
    header = file.read(_LOCAL.size)
    if len(header) < _LOCAL.size or header[:4] != b"PK\x03\x04":
        raise FormatError(path, f"{what}: byte {info.header_offset} has no member header")
    *_, name_size, extra_size = _LOCAL.unpack(header)
    offset = info.header_offset + _LOCAL.size + name_size + extra_size
    if offset + info.file_size > size:
        raise FormatError(
            path,
            f"{what}: the file ends at byte {size}, but the member at {offset + info.file_size}",
        )
    return Member(offset, info.file_size, info.CRC)


def check_members(graph: PnnxGraph, members: dict[str, Member], path: str) -> None:
    """Raise `FormatError` unless each weight of the graph has a member of its size."""
    for op in graph.operators:
        for key, shape in op.weights.items():
            name = member_name(op.name, key)
            member = members.get(name)
            if member is None:
                raise FormatError(path, f"the member '{_shown(name)}' is missing")
            if member.size != byte_size(shape):
                raise FormatError(
                    path,
                    f"member '{_shown(name)}' has {member.size} bytes, but its shape needs "
                    f"{byte_size(shape)}",
                )


def byte_size(shape: TensorShape) -> int:
    """Return the bytes of a tensor with static extents."""
    return prod(n or 0 for n in shape.extents) * DTYPES[shape.dtype]


def read_chunks(file: IO[bytes], member: Member, name: str, path: str) -> Iterator[bytes]:
    """Yield the bytes of a member in chunks. Raises `FormatError` if they do not match the
    checksum."""
    file.seek(member.offset)
    crc = 0
    for start in range(0, member.size, CHUNK):
        chunk = file.read(min(CHUNK, member.size - start))
        crc = crc32(chunk, crc)
        yield chunk
    if crc != member.crc:
        raise FormatError(path, f"member '{_shown(name)}' is damaged: its checksum does not match")


def write_members(out: IO[bytes], members: Iterable[tuple[str, Iterable[bytes]]]) -> None:
    """Write an archive in PNNX's layout (64-bit sizes everywhere, no dates) to an empty, readable
    and seekable file."""
    directory: list[tuple[bytes, int, int, int]] = []
    for text, chunks in members:
        name, start = text.encode(), out.tell()
        out.write(_local(name, 0, 0))
        size = crc = 0
        for chunk in chunks:
            size, crc = size + len(chunk), crc32(chunk, crc)
            out.write(chunk)
        end = out.tell()
        out.seek(start)
        out.write(_local(name, size, crc))
        out.seek(end)
        directory.append((name, size, crc, start))
    start = out.tell()
    for name, size, crc, offset in directory:
        out.write(
            _CENTRAL.pack(
                b"PK\x01\x02",
                *(0, 0, 0, 0, 0, 0),
                crc,
                *(_ABSENT32, _ABSENT32),
                *(len(name), _EXTRA.size, 0, _ABSENT16),
                *(0, 0, _ABSENT32),
            )
        )
        out.write(name + _EXTRA.pack(1, _EXTRA.size - 4, size, size, offset, 0))
    end, count = out.tell(), len(directory)
    size64 = _END64.size - 12
    out.write(_END64.pack(b"PK\x06\x06", size64, 0, 0, 0, 0, count, count, end - start, start))
    out.write(_LOCATOR.pack(b"PK\x06\x07", 0, end, 1))
    out.write(_END.pack(b"PK\x05\x06", *[_ABSENT16] * 4, *[_ABSENT32] * 2, 0))


def _local(name: bytes, size: int, crc: int) -> bytes:
    """Return the header before a member."""
    head = _LOCAL.pack(
        b"PK\x03\x04", 0, 0, 0, 0, 0, crc, _ABSENT32, _ABSENT32, len(name), _EXTRA.size
    )
    return head + name + _EXTRA.pack(1, _EXTRA.size - 4, size, size, 0, 0)
