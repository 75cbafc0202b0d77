"""What a table of runtime facts is made of."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Source(NamedTuple):
    """Where a fact is from."""

    files: str
    """In ncnn's sources, below `src/`; behind a colon what is there."""
    measured: str | None = None
    """What was measured, with which benchmark; `None` for what was only read."""


class Lanes(NamedTuple):
    """How many channels (rows of blobs of 2 dims, elements of vectors) the runtime keeps together,
    its `elempack`: the largest number that divides them and that the processor has."""

    needs: Mapping[int, str]
    """What of the processor each number needs."""
    source: Source

    @property
    def least(self) -> int:
        """What is not divided by this is kept an element at a time."""
        return min(self.needs)


class HalfPrecision(NamedTuple):
    """What the runtime keeps as float16 by default (its option `use_fp16_storage`)."""

    blobs: bool
    """Whether blobs between layers. Layers that take no such ones get copies in float32."""
    weights: frozenset[str]
    """The layer types whose weights are kept so although their blobs are not."""
    needs: str
    """What of the processor that needs."""
    source: Source


class Code(NamedTuple):
    """How a layer type is computed."""

    vectors: bool
    """Whether there is code for the vectors of the processor, or only the C++ for all of them."""
    packs: bool
    """Whether it takes blobs with several channels kept together (`support_packing`). Before a
    layer that does not they are unpacked, and packed again behind it."""
    half: bool
    """Whether it takes blobs of float16 (`support_fp16_storage`)."""
    source: Source


class Host(NamedTuple):
    """What of a layer decides how fast its own activation is."""

    layer: str
    """The layer type."""
    packed: bool
    """Whether its channels, and its groups, are a multiple of the least number kept together."""
    rows: bool
    """Whether what it gives is rows, or may be."""


class SlowActivation(NamedTuple):
    """That the runtime takes longer for an activation in a layer than for both apart."""

    layers: frozenset[str]
    activations: frozenset[str]
    """By ncnn's words for `activation_type`."""
    source: Source
    packed: bool | None = None
    """Only where `Host.packed` is this."""
    rows: bool | None = None
    """Only where `Host.rows` is this."""

    def is_of(self, host: Host, activation: str) -> bool:
        """Whether it is about such a layer and activation."""
        if host.layer not in self.layers or activation not in self.activations:
            return False
        return self.packed in (None, host.packed) and self.rows in (None, host.rows)


class Slower(NamedTuple):
    """How long a layer type takes, as a multiple of another that could do the same work."""

    layer: str
    than: str
    least: float
    most: float
    source: Source


class FasterAttention(NamedTuple):
    """That one form of attention takes less time than the other: a MultiHeadAttention, or an SDPA
    between Gemms and Permutes."""

    layer: str
    """The layer type of the faster form."""
    features: range
    """Of a head."""
    steps: range
    """Of the query, and of the keys."""
    source: Source


class Padding(NamedTuple):
    """Where channels of zeros pay, with which all channels are kept together."""

    layers: frozenset[str]
    """That have their channels apart otherwise, in groups of one."""
    together: frozenset[int]
    """How many of them kept together pay (see `Lanes`)."""
    most: float
    """So many times as many channels at most."""
    windows: frozenset[tuple[int, int]] | None
    """Extent and stride along both axes, of those for which it pays; `None` for all."""
    source: Source

    @property
    def least(self) -> int:
        """Channels that this divides are well as they are."""
        return min(self.together)


class Rates(NamedTuple):
    """What takes how long. One unit is a multiplication with its addition in the fastest code there
    is, that of a Convolution: with AVX-512 about a hundredth of a nanosecond. They are good for
    saying which of two forms is faster if one takes half the time, not if it takes a tenth less."""

    flop: float
    """Another operation, in code for vectors. (Elementary functions count as one and take long.)"""
    byte: float
    """Reading or writing a byte of a blob or weight, in code for vectors."""
    plain: float
    """A multiplication with its addition, or another operation, in C++ for all processors."""
    plain_byte: float
    """A byte there."""
    layer: float
    """That there is a layer at all."""
    source: Source


class Processor(NamedTuple):
    """A family of processors."""

    name: str
    lanes: Lanes
    half: HalfPrecision
    rates: Rates
    codes: Mapping[str, Code]
    """Of the layer types that are not computed as C++ does it, one element of float32 after the
    other."""
    slow_activations: tuple[SlowActivation, ...]
    padding: Padding
    slower: tuple[Slower, ...] = ()
    attention: tuple[FasterAttention, ...] = ()
    slow_sdpa: Source | None = None
    """Where it is from that an SDPA takes longer than the two MatMuls and the Softmax that it
    stands for, if it does."""

    def code_of(self, layer: str) -> Code:
        """How a layer type is computed."""
        plain = Code(False, False, False, Source(f"layer/{layer.lower()}.cpp"))
        return self.codes.get(layer, plain)

    def slow_activation(self, host: Host, activation: str) -> SlowActivation | None:
        """The fact that an activation is slower in a layer than by itself, if it is one."""
        return next((fact for fact in self.slow_activations if fact.is_of(host, activation)), None)

    def sources(self) -> Iterator[Source]:
        """That of each row."""
        yield from (self.lanes.source, self.half.source, self.rates.source, self.padding.source)
        for rows in (self.codes.values(), self.slow_activations, self.slower, self.attention):
            yield from (row.source for row in rows)
        if self.slow_sdpa is not None:
            yield self.slow_sdpa

    def layers(self) -> frozenset[str]:
        """All layer types of which something is said."""
        found = {*self.codes, *self.half.weights, *self.padding.layers}
        for fact in self.slow_activations:
            found |= fact.layers
        for fact in self.slower:
            found |= {fact.layer, fact.than}
        found |= {fact.layer for fact in self.attention}
        return frozenset(found)


ANY = 1 << 31
"""More than any extent is."""

CURVES = frozenset({"sigmoid", "mish", "hardswish"})
"""Activations that cost more than a comparison and a product."""

NO_CODE = frozenset(
    {
        "Convolution3D",
        "ConvolutionDepthWise1D",
        "ConvolutionDepthWise3D",
        "Deconvolution1D",
        "Deconvolution3D",
        "DeconvolutionDepthWise1D",
        "DeconvolutionDepthWise3D",
    }
)
"""Convolutions of which ncnn has one implementation, for all processors."""


def codes(folder: str, packing: str, others: str, half: str) -> dict[str, Code]:
    """The layer types with code in `layer/FOLDER`: those that take packed blobs, and the others;
    which of them take float16. And those for all processors that take blobs as they come."""
    table = {name: Code(False, True, False, _common(name)) for name in ("DeepCopy", "Input")}
    table |= {name: Code(False, True, True, _common(name)) for name in ("Noop", "Split")}
    halves = half.split()
    for names, packs in ((packing, True), (others, False)):
        for name in names.split():
            file = f"layer/{folder}/{name.lower()}_{folder}.cpp"
            table[name] = Code(True, packs, name in halves, Source(file))
    return table


def _common(name: str) -> Source:
    return Source(f"layer/{name.lower()}.cpp")
