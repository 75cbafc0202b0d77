"""The tables of runtime facts: each row says where it is from, and is about something there is."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from ncnn_opt.analysis.target_info import ARM, PROCESSORS, X86, HostLayer, Processor
from ncnn_opt.analysis.target_info.facts import NO_CODE, FactSource
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.interfaces import ACTIVATIONS, ActivationHost

PAGE = Path(__file__).parents[4] / "docs" / "processors.md"

FAMILIES = [pytest.param(processor, id=name) for name, processor in PROCESSORS.items()]

FILE = r"(layer/((x86|arm)/)?[a-z0-9_]+|net|option)\.(cpp|h)"


def sources_of(processor: Processor) -> Iterator[FactSource]:
    yield processor.lanes.source
    yield processor.half.source
    yield processor.rates.source
    yield processor.padding.source
    tables = processor.codes.values(), processor.slow_activations
    for rows in (*tables, processor.slower, processor.attention):
        yield from (row.source for row in rows)
    if processor.slow_sdpa is not None:
        yield processor.slow_sdpa


def layers_of(processor: Processor) -> set[str]:
    """All layer types with a fact."""
    found = {*processor.codes, *processor.half.weights, *processor.padding.layers}
    for fact in processor.slow_activations:
        found |= fact.layers
    for fact in processor.slower:
        found |= {fact.layer, fact.than}
    return found | {fact.layer for fact in processor.attention}


@pytest.mark.parametrize("processor", FAMILIES)
def test_every_row_names_its_source(processor: Processor) -> None:
    sources = list(sources_of(processor))
    assert len(sources) == 4 + (processor.slow_sdpa is not None) + sum(
        map(
            len,
            (
                processor.codes,
                processor.slow_activations,
                processor.slower,
                processor.attention,
            ),
        )
    )
    for source in sources:
        files = re.split(r"[,;] (?=layer/|net|option)", source.files)
        assert files
        for file in files:
            assert re.fullmatch(rf"{FILE}(: .+)?", file), source


@pytest.mark.parametrize("processor", FAMILIES)
def test_source_is_of_the_family_or_of_all(processor: Processor) -> None:
    others = "|".join(name for name in PROCESSORS if name != processor.name)
    assert not [s for s in sources_of(processor) if re.search(rf"layer/({others})/", s.files)]


@pytest.mark.parametrize("processor", FAMILIES)
def test_what_is_fast_was_measured(processor: Processor) -> None:
    facts = (*processor.slow_activations, *processor.slower, *processor.attention)
    assert all(fact.source.measured for fact in (*facts, processor.padding, processor.rates))


@pytest.mark.parametrize("processor", FAMILIES)
def test_layer_types_and_activations_exist(processor: Processor) -> None:
    assert layers_of(processor) <= BY_TYPE.keys()
    for fact in processor.slow_activations:
        assert fact.activations <= set(ACTIVATIONS)
        assert all(issubclass(BY_TYPE[name], ActivationHost) for name in fact.layers)
    assert all(1 <= fact.least <= fact.most for fact in processor.slower)


@pytest.mark.parametrize("processor", FAMILIES)
@pytest.mark.parametrize(
    "layer", ["Permute", "Reduction", "Tile", "GLU", "Einsum", "ExpandDims", *sorted(NO_CODE)]
)
def test_layers_without_code_of_their_own(processor: Processor, layer: str) -> None:
    code = processor.code_of(layer)
    assert not code.vectors
    assert not code.packs
    assert not code.half
    assert code.source.files == f"layer/{layer.lower()}.cpp"


def test_code_of_a_family() -> None:
    both = [(p.code_of("Convolution"), p.name) for p in (X86, ARM)]
    assert [(c.vectors, c.packs, c.half) for c, _ in both] == [(True, True, False), (True,) * 3]
    assert both[1][0].source.files == "layer/arm/convolution_arm.cpp"
    assert X86.code_of("DeformableConv2D").vectors
    assert not ARM.code_of("DeformableConv2D").vectors
    assert ARM.code_of("GRU").vectors
    assert not X86.code_of("GRU").vectors
    assert ARM.code_of("PixelShuffle").packs
    assert not X86.code_of("PixelShuffle").packs
    assert X86.code_of("PixelShuffle").vectors
    # What hands blobs on takes them as they are.
    assert X86.code_of("Split").packs
    assert not X86.code_of("Split").vectors


def test_channels_kept_together() -> None:
    assert sorted(X86.lanes.needs) == [4, 8, 16]
    assert sorted(ARM.lanes.needs) == [4, 8]
    assert X86.lanes.least == ARM.lanes.least == 4


def test_padded_channels_are_kept_together() -> None:
    assert sorted(X86.padding.pack_sizes) == [4, 8, 16]
    assert sorted(ARM.padding.pack_sizes) == [8]
    for processor in PROCESSORS.values():
        assert processor.padding.pack_sizes <= processor.lanes.needs.keys()


def test_blobs_of_float16_by_default() -> None:
    assert ARM.half.blobs
    assert not X86.half.blobs
    assert X86.half.weights == {"InnerProduct"}


@pytest.mark.parametrize(
    ("layer", "packed", "rows", "word", "x86", "arm"),
    [
        ("ConvolutionDepthWise1D", True, False, "sigmoid", True, True),
        ("ConvolutionDepthWise1D", True, False, "relu", False, False),
        ("ConvolutionDepthWise", True, False, "mish", False, False),
        ("ConvolutionDepthWise", False, False, "mish", True, True),
        ("ConvolutionDepthWise", False, False, "clip", False, False),
        ("DeconvolutionDepthWise", True, False, "mish", True, False),
        ("DeconvolutionDepthWise", True, False, "sigmoid", False, False),
        ("Convolution", False, False, "mish", False, False),
        ("Convolution1D", True, False, "mish", True, False),
        ("Convolution1D", False, False, "sigmoid", True, False),
        ("Convolution1D", True, False, "sigmoid", False, False),
        ("DeformableConv2D", True, False, "hardswish", False, True),
        ("InnerProduct", False, False, "mish", False, False),
        ("InnerProduct", False, True, "hardswish", True, True),
        ("InnerProduct", True, True, "hardswish", False, False),
        ("InnerProduct", True, True, "sigmoid", True, False),
    ],
)
def test_slow_activations(
    layer: str, packed: bool, rows: bool, word: str, x86: bool, arm: bool
) -> None:
    host = HostLayer(layer, packed, rows)
    assert (X86.slow_activation(host, word) is not None) is x86
    assert (ARM.slow_activation(host, word) is not None) is arm


def test_the_page_says_which_layers_have_code() -> None:
    """The rows of its table are all there is to tell apart."""
    rows = re.findall(r"(?m)^\| ([^`|]+?) \| ([^`|]+?) \| (`.+`) \|$", PAGE.read_text())
    said = {(x86, arm): set(re.findall(r"`(\w+)`", layers)) for x86, arm, layers in rows}
    wanted: dict[tuple[str, str], set[str]] = {}
    for name in X86.codes.keys() | ARM.codes.keys():
        key = _words(X86, name), _words(ARM, name)
        if key != ("-", "-"):
            wanted.setdefault(key, set()).add(name)
    assert said == wanted


def _words(processor: Processor, name: str) -> str:
    code = processor.code_of(name)
    if not code.vectors:
        return "-"
    words = ["vectors", *(["packed"] if code.packs else []), *(["float16"] if code.half else [])]
    return ", ".join(words)


def test_the_page_says_what_is_slow() -> None:
    text = PAGE.read_text()
    for processor in PROCESSORS.values():
        for fact in processor.slow_activations:
            for name in fact.layers:
                assert f"`{name}`" in text, name
    for on_x86, on_arm in zip(X86.slower, ARM.slower, strict=True):
        assert (on_x86.layer, on_x86.than) == (on_arm.layer, on_arm.than)
        ratios = [f"{fact.least:g} to {fact.most:g}" for fact in (on_x86, on_arm)]
        cells = [f"`{on_x86.layer}`", f"`{on_x86.than}`", *ratios]
        assert f"| {' | '.join(cells)} |" in text


@pytest.mark.parametrize("processor", FAMILIES)
def test_no_form_of_attention_is_faster_and_slower(processor: Processor) -> None:
    """Else one rewrite would undo the other for ever."""
    facts = processor.attention
    for one, other in itertools.combinations(facts, 2):
        features = max(one.features.start, other.features.start)
        steps = max(one.steps.start, other.steps.start)
        meet = features < min(one.features.stop, other.features.stop)
        meet = meet and steps < min(one.steps.stop, other.steps.stop)
        assert not meet or one.layer == other.layer


def test_the_page_has_the_forms_of_attention() -> None:
    text = PAGE.read_text()
    for fact in (*X86.attention, *ARM.attention):
        assert f"| `{fact.layer}` | " in text
        ratio = (fact.source.measured or "").partition(" times")[0]
        assert f"| {ratio} |" in text


def test_the_page_has_the_rates() -> None:
    names = ("flop", "byte", "scalar_op", "scalar_byte", "layer")
    found = [f"| {getattr(X86.rates, n):,} | {getattr(ARM.rates, n):,} |" for n in names]
    text = PAGE.read_text()
    _, _, table = text.partition("| | x86 | arm |\n| --- | --- | --- |\n")
    rows = table.split("\n\n")[0].splitlines()
    assert [row[row.index(" | ") + 1 :] for row in rows] == found
