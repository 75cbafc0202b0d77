"""Damage to files of any kind: truncated, flipped bits, other content, huge counts."""

import re
from collections.abc import Iterator
from random import Random

HUGE = (b"99999999999999999999", b"2147483647", b"-1", b"1e999", b"nan")
OTHERS = {
    "text": "naïve text, of several\nlines\n".encode(),
    "an archive": b"PK\3\4" + bytes(60),
    "no array": b"\x93NUMPY\1\0v\0{'descr': 'O', 'shape': (3,), }" + bytes(100),
    "an endless array": b"\x93NUMPY\1\0v\0"
    + b"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999), }".ljust(117)
    + b"\n"
    + bytes(40),
    "an open header": b"\x93NUMPY\1\0v\0" + b"{'descr': ((((".ljust(117) + b"\n",
    "an image": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff\x08\2\0\0\0",
    "a number": b"5",
    "a list": b"[]",
    "an object": b"{}",
    "nested lists": b"[" * 100_000,
    "nested operations": b"func.func @f() {" * 5_000,
}
"""Content of another kind."""


def damaged(content: bytes, random: Random, flips: int) -> Iterator[tuple[str, bytes]]:
    """Yield damaged forms of a file's content, each with its name."""
    yield "empty", b""
    for part in (1, 4, 7):
        yield f"{part} eighths", content[: len(content) * part // 8]
    yield "short of a byte", content[:-1]
    yield "a byte more", content + b"\0"
    yield "twice", content * 2
    for name, byte in (("NUL", b"\0"), ("not UTF-8", b"\xff\x80"), ("a control", b"\x0b")):
        place = random.randrange(len(content))
        yield f"{name} at {place}", content[:place] + byte + content[place:]
        yield f"{name} in the last line", _in_last_line(content, byte)
    for index in range(flips):
        changed = bytearray(content)
        for _ in range(1 + index % 3):
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
        yield f"flips {index}", bytes(changed)
    numbers = [*re.finditer(rb"[0-9]+", content)]
    for index, huge in enumerate(HUGE):
        if numbers:
            found = random.choice(numbers)
            yield f"huge {index}", content[: found.start()] + huge + content[found.end() :]
        place = random.randrange(len(content))
        yield f"words {index}", content[:place] + b"\xff\xff\xff\x7f" + content[place + 4 :]
    yield from OTHERS.items()


def _in_last_line(content: bytes, byte: bytes) -> bytes:
    text = content.rstrip()
    place = (text.rfind(b"\n") + 1 + len(text)) // 2
    return content[:place] + byte + content[place:]
