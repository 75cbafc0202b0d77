"""Changes to an input that know a little of its format: lines, words, numbers, tags."""

import re
import struct
from collections.abc import Callable, Sequence
from random import Random

from ncnn_opt.dialects.ncnn import FAMILIES
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.param_binary import read_param_binary

from .graphs import GraphMutator, parse, render
from .readers import SEPARATOR
from .seeds import as_ir, binary, seeds, with_weights

NUMBERS = (
    *("0", "1", "-1", "2", "3", "4", "7", "8", "16", "-2", "-233", "-234", "100", "255", "256"),
    *("0.5", "-0.0", "1e-3", "1e38", "1e39", "nan", "inf", "3.0", "1000", "65536", "1000000"),
    *("2147483647", "-2147483648", "4294967296", "99999999999999999999", "16777217", "0x7f"),
)
WORDS = (0, 1, -1, 2, 3, 4, 16, 100, 255, 256, 65536, 0x7FFFFFFF, -0x80000000, -233, -23300, -23310)
TAGS = (0x00000000, 0x0002C056, 0x01306B47, 0x01348B83, 0x000D4B38, 0x00000001)
TYPES = (
    *(b"tensor<f32>", b"tensor<0xf32>", b"tensor<1x1x1x1x1xf32>", b"tensor<?x?x?xf32>"),
    *(b"tensor<*xf32>", b"tensor<4xi8>", b"tensor<3x4x5xf64>", b"vector<4xf32>", b"f32", b"index"),
)
FLOATS = (0.0, 1.0, -1.0, 1e38, -1e38, 1e-38, float("nan"), float("inf"))

_NUMBER = re.compile(rb"-?\d+(\.\d*)?([eE][+-]?\d+)?")
_TYPE = re.compile(rb"tensor<[^>]*>")
_TOKEN = re.compile(rb"[A-Za-z_.]+|[%@#!^]\w+|-?\d[\w.+-]*|\"[^\"]*\"|[^\w\s]")


class Mutator:
    """Makes an input of an input; the same for the same state of the generator."""

    def __init__(self, reader: str, corpus: Sequence[bytes], random: Random) -> None:
        self.reader = reader
        self.corpus = corpus
        self.random = random
        self.graphs = GraphMutator(corpus if reader == "param" else seeds("param"), random)
        self.tokens = sorted({t for seed in corpus for t in _TOKEN.findall(seed) if len(t) < 40})

    def mutate(self, data: bytes, most: int = 1 << 16) -> bytes:
        """Changes to the model, or one to four to its bytes, seldom to both; of at most that many
        bytes in all."""
        draw = self.random.random()
        if draw < 0.35 and (changed := self.change_model(data)) is not None:
            if draw < 0.3:
                return changed[:most]
            data = changed
        for _ in range(self.random.choice((1, 1, 1, 2, 3, 4))):
            data = self.change(data)
        return data[:most]

    def change_model(self, data: bytes) -> bytes | None:
        """Another model, as the reader reads it; `None` if these bytes are none."""
        graphs = self.graphs
        if self.reader == "param.bin":
            try:
                graph = read_param_binary(data, "seed", list(FAMILIES))
            except FormatError:
                return None
            return binary(graphs.mutate(graph))
        if self.reader == "mlir":
            if self.random.random() < 0.3:
                return self.change_all(data)
            data = self.random.choice(graphs.corpus)
        text, _, old = data.partition(SEPARATOR)
        graph = parse(text)
        changed = None if graph is None else render(graphs.mutate(graph))
        if changed is None or self.reader == "param":
            return changed
        style = self.random.randrange(30)
        if self.reader == "mlir":
            return as_ir(changed, style)
        made = None
        if style >= 6:
            made = with_weights(changed, half=style % 3 == 0)
        if made is None:
            return changed + SEPARATOR + old
        text, separator, values = made.partition(SEPARATOR)
        for _ in range(self.random.choice((0, 0, 1, 2, 6))):
            values = self.change_word(values, TAGS)
        return text + separator + values

    def change_all(self, data: bytes) -> bytes:
        """Another type or number wherever one stands."""
        found = [*{m for m in _TYPE.findall(data)}] if self.random.random() < 0.7 else []
        if found:
            old = self.random.choice(sorted(found))
            new = self.random.choice((*sorted(found), *TYPES))
            if self.random.random() < 0.5:
                new = self.change_number(old)
            return data.replace(old, new)
        old = self.random.choice([*_NUMBER.finditer(data)] or [None])
        if old is None:
            return data
        new = self.change_number(old.group())
        return re.sub(rb"(?<![\w.])%s(?![\w.])" % re.escape(old.group()), new, data)

    def change(self, data: bytes) -> bytes:
        """One change."""
        if self.reader == "weights":
            text, separator, weights = data.partition(SEPARATOR)
            if self.random.random() < 0.4:
                return text + separator + self.change_words(weights, TAGS)
            return self.change_text(text) + separator + weights
        if self.reader == "param.bin":
            return self.change_words(data, WORDS)
        return self.change_text(data)

    def change_text(self, data: bytes) -> bytes:
        """A change of a text's lines, tokens, numbers or bytes."""
        kinds: list[Callable[[bytes], bytes]] = [
            self.change_number,
            self.change_number,
            self.change_token,
            self.change_token,
            self.change_lines,
            self.change_lines,
            self.change_bytes,
            self.repeat,
        ]
        return self.random.choice(kinds)(data)

    def change_number(self, data: bytes) -> bytes:
        """Another number in place of one."""
        found = list(_NUMBER.finditer(data))
        if not found:
            return self.change_bytes(data)
        at = self.random.choice(found)
        new = self.random.choice(NUMBERS)
        if self.random.random() < 0.3 and at.group().lstrip(b"-").isdigit() and len(at[0]) < 10:
            new = str(int(at.group()) + self.random.choice((-1, 1)))
        return data[: at.start()] + new.encode() + data[at.end() :]

    def change_token(self, data: bytes) -> bytes:
        """A token left out, doubled, or another in its place."""
        found = list(_TOKEN.finditer(data))
        if not found:
            return self.change_bytes(data)
        at = self.random.choice(found)
        match self.random.randrange(4):
            case 0:
                new = b""
            case 1:
                new = at.group() + b" " + at.group()
            case 2:
                new = self.random.choice(self.tokens)
            case _:
                new = self.random.choice(found).group()
        return data[: at.start()] + new + data[at.end() :]

    def change_lines(self, data: bytes) -> bytes:
        """Lines left out, doubled, moved, or taken from another input."""
        lines = data.split(b"\n")
        i, j = self.random.randrange(len(lines)), self.random.randrange(len(lines))
        match self.random.randrange(5):
            case 0:
                del lines[i]
            case 1:
                lines.insert(j, lines[i])
            case 2:
                lines[i], lines[j] = lines[j], lines[i]
            case 3:
                other = self.random.choice(self.corpus).partition(SEPARATOR)[0].split(b"\n")
                lines.insert(i, self.random.choice(other))
            case _:
                other = self.random.choice(self.corpus).partition(SEPARATOR)[0].split(b"\n")
                lines[i] = self.random.choice(other)
        return b"\n".join(lines)

    def repeat(self, data: bytes) -> bytes:
        """A piece many times over: nesting, long lists, long names."""
        start = self.random.randrange(len(data) + 1)
        piece = data[start : start + self.random.randint(1, 12)]
        times = self.random.choice((2, 3, 10, 300, 2000))
        return data[:start] + piece * times + data[start:]

    def change_bytes(self, data: bytes) -> bytes:
        """Bytes left out, others put in, one bit turned, or the end cut off."""
        start = self.random.randrange(len(data) + 1)
        end = min(len(data), start + self.random.choice((0, 1, 1, 2, 4, 8, 40)))
        match self.random.randrange(4):
            case 0:
                return data[:start] + data[end:]
            case 1:
                return data[:start] + self.random.randbytes(end - start) + data[end:]
            case 2 if start < len(data):
                turned = data[start] ^ (1 << self.random.randrange(8))
                return data[:start] + bytes([turned]) + data[start + 1 :]
            case 2:
                return data + self.random.randbytes(1)
            case _:
                return data[:start]

    def change_words(self, data: bytes, words: Sequence[int]) -> bytes:
        """A change of a sequence of 32-bit words."""
        if len(data) < 4 or self.random.random() < 0.15:
            return self.change_bytes(data)
        return self.change_word(data, words)

    def change_word(self, data: bytes, words: Sequence[int]) -> bytes:
        """A change of one of a sequence of 32-bit words."""
        if len(data) < 4:
            return data
        at = 4 * self.random.randrange(len(data) // 4)
        (old,) = struct.unpack_from("<i", data, at)
        match self.random.randrange(6):
            case 0:
                new = struct.pack("<i", self.random.choice(words))
            case 1:
                new = struct.pack(
                    "<i", min(max(old + self.random.choice((-1, 1)), -(2**31)), 2**31 - 1)
                )
            case 2:
                new = struct.pack("<f", self.random.choice(FLOATS))
            case 3:
                new = b""
            case 4:
                new = struct.pack("<2i", old, self.random.choice(words))
            case _:
                other = self.random.choice(self.corpus)
                start = 4 * self.random.randrange(len(other) // 4 + 1)
                new = other[start : start + 4 * self.random.randint(1, 8)]
        return data[:at] + new + data[at + 4 :]
