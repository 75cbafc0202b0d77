"""The in-memory form of a `.param`, for both readers and the writers.

It mirrors the file, not the network: layers in file order, names as written, parameters in their
written form. The caller, who knows the layer, interprets parameters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from .errors import FormatError
from .numbers import INT_MAX, INT_MIN, float_to_word, round_to_float32, word_to_float

MAGIC = 7767517
"""The first number of every `.param` and `.param.bin` (src/net.cpp, `Net::load_param`)."""

PARAM_COUNT = 32
"""The number of parameter ids, 0 to 31 (NCNN_MAX_PARAM_COUNT in src/paramdict.h)."""

NET_LIMIT = 1_000_000
"""The maximum number of layers, of blobs, and of one layer's inputs or outputs (`max_net_count` in
src/net.cpp)."""

STRING_LIMIT = 255
"""The maximum number of bytes of a name or a string parameter, in UTF-8."""

SHAPE_HINT_ID = 30
FEATURE_MASK_ID = 31

TokenKind = Literal["int", "float", "array", "str", "word", "words"]
Wanted = Literal["int", "float", "ints", "floats", "str"]


@dataclass(frozen=True, slots=True)
class ParamValue:
    """A parameter's value and its kind in the file. Hashable.

    The accessors return the results of ncnn's typed `ParamDict::get` (src/paramdict.cpp,
    1.0.20261020): a value of the wrong kind counts as absent, so the caller's default is returned,
    but an int is converted to a float if needed. (Up to 1.0.20260526 kinds were ignored: `0=6` read
    as a float was the pattern 6, 8.4e-45.)

    Create values with the `of_…` constructors; the fields serve comparison and printing.
    """

    kind: TokenKind
    """`word` and `words` are a number and an array from a binary file, which has no kinds."""
    words: tuple[int, ...] = ()
    """32-bit patterns as signed ints: one of a scalar, all of an array."""
    float_flags: tuple[bool, ...] = ()
    """For an `array`, one flag per word: whether it was written as a float."""
    text: str = ""

    @staticmethod
    def of_int(value: int) -> ParamValue:
        """Return an int32 value. Raises `FormatError` if it does not fit."""
        return ParamValue("int", (_checked(value),))

    @staticmethod
    def of_float(value: float) -> ParamValue:
        """Return a float32 value; `value` is rounded."""
        return ParamValue("float", (float_to_word(value),))

    @staticmethod
    def of_ints(values: Iterable[int]) -> ParamValue:
        """Return an array of int32. Raises `FormatError` if an element does not fit."""
        words = tuple(_checked(value) for value in values)
        return ParamValue("array", words, (False,) * len(words))

    @staticmethod
    def of_floats(values: Iterable[float]) -> ParamValue:
        """Return an array of float32; `values` are rounded."""
        words = tuple(float_to_word(value) for value in values)
        return ParamValue("array", words, (True,) * len(words))

    @staticmethod
    def of_str(text: str) -> ParamValue:
        """Return a string value."""
        return ParamValue("str", text=text)

    @staticmethod
    def of_word(word: int) -> ParamValue:
        """Return a 32-bit pattern that may be an int or a float."""
        return ParamValue("word", (_checked(word),))

    @staticmethod
    def of_words(words: Iterable[int]) -> ParamValue:
        """Return an array of 32-bit patterns that may be ints or floats.

        An empty array has no ambiguity: it equals any other empty array.
        """
        checked = tuple(_checked(word) for word in words)
        return ParamValue("words" if checked else "array", checked)

    @property
    def is_array(self) -> bool:
        """Whether this is an array, possibly empty."""
        return self.kind in ("array", "words")

    @property
    def is_str(self) -> bool:
        """Whether this is a string, possibly empty."""
        return self.kind == "str"

    @property
    def is_int_array(self) -> bool:
        """Whether ncnn treats this as an array of ints; the last element decides."""
        return self.kind == "array" and bool(self.words) and not self.float_flags[-1]

    def as_int(self, default: int = 0) -> int:
        """Return an int32; `default` unless it was written as an int or its kind is unknown."""
        return self.words[0] if self.kind in ("int", "word") else default

    def as_float(self, default: float = 0.0) -> float:
        """Return a float32, converted from an int if needed; `default` for arrays and strings."""
        if self.kind == "int":
            return round_to_float32(float(self.words[0]))
        return word_to_float(self.words[0]) if self.kind in ("float", "word") else default

    def as_ints(self, default: tuple[int, ...] = ()) -> tuple[int, ...]:
        """Return the elements' patterns as int32; `default` for scalars and strings."""
        return self.words if self.is_array else default

    def as_floats(self, default: tuple[float, ...] = ()) -> tuple[float, ...]:
        """Return the elements as float32; `default` for scalars and strings.

        Layers that need floats convert an array of ints, all elements alike; they reinterpret the
        patterns of other arrays (`activation_params` in src/layer/convolution.cpp).
        """
        if not self.is_array:
            return default
        if self.is_int_array:
            return tuple(round_to_float32(float(word)) for word in self.words)
        return tuple(word_to_float(word) for word in self.words)

    def as_str(self, default: str = "") -> str:
        """Return the string; `default` for other kinds."""
        return self.text if self.kind == "str" else default

    def mismatch(self, wanted: Wanted) -> bool:
        """Whether ncnn, asked for `wanted`, returns something else than the author wrote.

        Then a warning is due. ncnn falls back to the layer's default (`0=2.0` for an int, a scalar
        for an array, anything but a string for a string), rounds (`0=16777217` for a float), or
        reinterprets an element (`-23300=2,1,0.5`). An empty array never mismatches; a number of
        unknown kind fits both kinds.
        """
        if self.kind == "word":
            return wanted not in ("int", "float")
        if self.kind == "words":
            return wanted not in ("ints", "floats")
        if self.is_array and not self.words:
            return False
        if wanted in ("int", "str"):
            return self.kind != wanted
        if wanted == "float":
            return self.kind != "float" and not (self.kind == "int" and _exact(self.words[0]))
        if self.kind != "array":
            return True
        if wanted == "ints":
            return any(self.float_flags)
        if self.is_int_array:
            return any(self.float_flags) or not all(map(_exact, self.words))
        # In an array of floats an int element is reinterpreted, and only 0 means 0.0.
        return any(word and not f for word, f in zip(self.words, self.float_flags, strict=True))


def _checked(value: int) -> int:
    if not INT_MIN <= value <= INT_MAX:
        raise FormatError("", f"{value} does not fit a 32-bit parameter")
    return value


def _exact(value: int) -> bool:
    return round_to_float32(float(value)) == value


@dataclass(slots=True)
class LayerRecord:
    """One layer in the file: blob names, and parameters by id in file order."""

    type: str
    name: str
    bottoms: tuple[str, ...] = ()
    tops: tuple[str, ...] = ()
    params: dict[int, ParamValue] = field(default_factory=dict[int, ParamValue])
    line: int | None = field(default=None, compare=False)
    """The line of the layer, 1-based; `None` if it does not come from a text file."""


@dataclass(slots=True)
class Graph:
    """A model's structure. Comparison ignores warnings and line numbers."""

    layers: list[LayerRecord] = field(default_factory=list[LayerRecord])
    warnings: list[str] = field(default_factory=list[str], compare=False)

    @property
    def blob_count(self) -> int:
        """The number of blobs, as ncnn counts them for the header."""
        tops = sum(len(layer.tops) for layer in self.layers)
        produced = {blob for layer in self.layers for blob in layer.tops}
        return tops + len({b for layer in self.layers for b in layer.bottoms} - produced)


class BlobTable:
    """The producer of each blob, filled layer by layer in file order."""

    def __init__(self) -> None:
        self._producers: dict[str, str] = {}

    def __len__(self) -> int:
        """Return the number of blobs so far."""
        return len(self._producers)

    def bottom_error(self, layer: str, blob: str) -> str | None:
        """Return the error in `layer` reading `blob`, if any."""
        if blob in self._producers:
            return None
        return f"layer '{layer}' reads blob '{blob}', which no earlier layer produces"

    def top_error(self, layer: str, blob: str) -> str | None:
        """Return the error in `layer` producing `blob`, if any; else register `blob`."""
        first = self._producers.get(blob)
        if first is None:
            self._producers[blob] = layer
            return None
        return f"layer '{layer}' produces blob '{blob}', which layer '{first}' already produces"


def check_graph(graph: Graph, path: str = "") -> None:
    """Raise `FormatError` unless every blob is produced once, and before any layer reads it.

    A blob with several readers is valid, though ncnn's own tools insert a Split. The readers check
    this themselves; this function is for graphs built or changed in memory.
    """
    table = BlobTable()
    for layer in graph.layers:
        for blob in layer.bottoms:
            if error := table.bottom_error(layer.name, blob):
                raise FormatError(path, error, layer.line)
        for blob in layer.tops:
            if error := table.top_error(layer.name, blob):
                raise FormatError(path, error, layer.line)


def reserved_param_error(params: dict[int, ParamValue], top_count: int) -> tuple[int, str] | None:
    """Return the id and error if ncnn's loader refuses one of the two parameters that it reads
    itself: the shape hints and the feature mask (`load_shape_hints` in src/net.cpp)."""
    mask = params.get(FEATURE_MASK_ID)
    if mask is not None and mask.kind not in ("int", "word"):
        return FEATURE_MASK_ID, "the feature mask is not an int"
    hints = params.get(SHAPE_HINT_ID)
    if hints is None:
        return None
    if not hints.is_array or (hints.words and hints.kind == "array" and not hints.is_int_array):
        return SHAPE_HINT_ID, "the shape hints are not an array of ints"
    if not hints.words or top_count == 0:
        return None
    step, rest = divmod(len(hints.words), top_count)
    if rest or step not in (4, 5):
        return (
            SHAPE_HINT_ID,
            f"{len(hints.words)} numbers cannot be the shape hints of {top_count} blobs",
        )
    for start in range(0, len(hints.words), step):
        if not _is_shape(hints.words[start : start + step]):
            return SHAPE_HINT_ID, f"shape hint {start // step + 1} is not a shape"
    return None


def _is_shape(hint: tuple[int, ...]) -> bool:
    """Whether this is `dims,w,h,c` or `dims,w,h,d,c` with a possible size."""
    dims, width = hint[:2]
    if not 0 <= dims <= 4 or (dims == 4 and len(hint) == 4):
        return False
    if dims == 0:
        return True
    height = hint[2] if dims >= 2 else 1
    depth = hint[3] if dims == 4 else 1
    channels = hint[-1] if dims >= 3 else 1
    if min(width, height, depth, channels) < 0:
        return False
    # ncnn counts float32 in 64 bits, with each channel padded to 16 bytes.
    channel = (width * height * depth * 4 + 15) // 16 * 16
    return channel * max(channels, 1) < 2**64
