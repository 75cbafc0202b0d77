"""The types of facts in a table of runtime facts."""

from collections.abc import Mapping
from typing import NamedTuple


class FactSource(NamedTuple):
    """The source of a fact."""

    files: str
    """Files in ncnn's `src/`, and after a colon the relevant function or fact."""
    measured: str | None = None
    """The measured result and its benchmark; `None` for a fact that was only read."""


class Lanes(NamedTuple):
    """The numbers of channels that the runtime can pack together (`elempack`); rows in blobs of 2
    dimensions, elements in vectors. The runtime uses the largest number that divides the channels
    and that the processor supports."""

    needs: Mapping[int, str]
    """The processor feature that each number needs."""
    source: FactSource

    @property
    def least(self) -> int:
        """The smallest number. A number of channels that it does not divide is not packed."""
        return min(self.needs)


class HalfPrecision(NamedTuple):
    """The data that the runtime stores as float16 by default (its option `use_fp16_storage`)."""

    blobs: bool
    """Whether blobs between layers are float16. Layers without float16 support get float32
    copies."""
    weights: frozenset[str]
    """The layer types with float16 weights but float32 blobs."""
    needs: str
    """The processor feature that this needs."""
    source: FactSource


class Code(NamedTuple):
    """The implementation of a layer type."""

    vectors: bool
    """Whether the layer type has vector code. Otherwise it has only portable C++."""
    packs: bool
    """Whether it supports packed blobs (`support_packing`). The runtime unpacks blobs before a
    layer that does not, and packs them again behind it."""
    half: bool
    """Whether it supports float16 blobs (`support_fp16_storage`)."""
    source: FactSource


class HostLayer(NamedTuple):
    """The facts about a layer that determine the speed of its fused activation."""

    layer: str
    """The layer type."""
    packed: bool
    """Whether its channels, and its groups, are a multiple of `Lanes.least`."""
    rows: bool
    """Whether its output has, or may have, two dimensions."""


class SlowActivation(NamedTuple):
    """A fused activation that takes longer than a separate layer."""

    layers: frozenset[str]
    activations: frozenset[str]
    """ncnn's names for `activation_type`."""
    source: FactSource
    packed: bool | None = None
    """The required `HostLayer.packed`; `None` for any."""
    rows: bool | None = None
    """The required `HostLayer.rows`; `None` for any."""

    def applies_to(self, host: HostLayer, activation: str) -> bool:
        """Whether the fact applies to this layer and activation."""
        if host.layer not in self.layers or activation not in self.activations:
            return False
        return self.packed in (None, host.packed) and self.rows in (None, host.rows)


class Slower(NamedTuple):
    """The time of a layer type as a multiple of the time of the layer type that can replace it."""

    layer: str
    than: str
    least: float
    most: float
    source: FactSource


class FasterAttention(NamedTuple):
    """The faster form of attention: MultiHeadAttention, or SDPA between Gemms and Permutes."""

    layer: str
    """The layer type of the faster form."""
    features: range
    """The numbers of features per head for which this holds."""
    steps: range
    """The numbers of steps of query and keys for which this holds."""
    source: FactSource


class Padding(NamedTuple):
    """The conditions under which padding with channels of zeros is faster."""

    layers: frozenset[str]
    """The layer types that do not pack channels otherwise: depthwise layers."""
    pack_sizes: frozenset[int]
    """The pack sizes (see `Lanes`) for which padding is faster."""
    most: float
    """The largest ratio of padded channels to original channels."""
    windows: frozenset[tuple[int, int]] | None
    """Extent and stride, equal along both axes, for which padding is faster; `None` for all."""
    source: FactSource

    @property
    def least(self) -> int:
        """A multiple of this number of channels needs no padding."""
        return min(self.pack_sizes)


class Rates(NamedTuple):
    """Times of basic operations. The unit is one multiply-add in the fastest code, which is in
    Convolution: with AVX-512 about 0.01 ns. The estimates can rank two forms if one takes half the
    time of the other, but not if they differ by a tenth."""

    flop: float
    """Another operation in vector code. (Elementary functions count as one, but take longer.)"""
    byte: float
    """Reading or writing one byte of a blob or weight in vector code."""
    scalar_op: float
    """A multiply-add, or another operation, in portable C++."""
    scalar_byte: float
    """Reading or writing one byte in portable C++."""
    layer: float
    """The fixed cost of a layer."""
    source: FactSource


class Processor(NamedTuple):
    """A family of processors."""

    name: str
    lanes: Lanes
    half: HalfPrecision
    rates: Rates
    codes: Mapping[str, Code]
    """The implementation of each layer type that differs from portable, unpacked float32 C++."""
    portable: frozenset[str]
    """All other layer types: they have portable, unpacked float32 C++ only."""
    slow_activations: tuple[SlowActivation, ...]
    padding: Padding
    slower: tuple[Slower, ...] = ()
    attention: tuple[FasterAttention, ...] = ()
    slow_sdpa: FactSource | None = None
    """The source of the fact that an SDPA is slower than two MatMuls and a Softmax; `None` if it is
    not slower."""

    def code_of(self, layer: str) -> Code:
        """Return the implementation of a layer type."""
        plain = Code(False, False, False, _common(layer))
        return self.codes.get(layer, plain)

    def slow_activation(self, host: HostLayer, activation: str) -> SlowActivation | None:
        """Return the fact that an activation is slower when fused, if there is such a fact."""
        facts = (fact for fact in self.slow_activations if fact.applies_to(host, activation))
        return next(facts, None)


UNBOUNDED = 1 << 31
"""A bound that is larger than any extent."""

CURVES = frozenset({"sigmoid", "mish", "hardswish"})
"""Activations that are more expensive than a comparison and a product."""

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
"""Convolutions with portable C++ only."""


def codes(folder: str, packing: str, others: str, half: str) -> dict[str, Code]:
    """Return the layer types with code in `layer/FOLDER`: `packing` support packed blobs, `others`
    do not, and `half` support float16. Add the portable types that accept any layout."""
    table = {name: Code(False, True, False, _common(name)) for name in ("DeepCopy", "Input")}
    table |= {name: Code(False, True, True, _common(name)) for name in ("Noop", "Split")}
    halves = half.split()
    for names, packs in ((packing, True), (others, False)):
        for name in names.split():
            file = f"layer/{folder}/{name.lower()}_{folder}.cpp"
            table[name] = Code(True, packs, name in halves, FactSource(file))
    return table


def _common(name: str) -> FactSource:
    return FactSource(f"layer/{name.lower()}.cpp")
