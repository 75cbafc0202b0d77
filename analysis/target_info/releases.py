"""Releases of the ncnn runtime, and the features that each of them introduced.

`collect_releases.py` generates `releases.json` from ncnn's tagged sources. It lists the features
that are visible in a declaration. This module lists the others, with the commit that introduced
them. The first call of a function of this module reads the file.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

ATTRIBUTE = "ncnn.release"
"""The module attribute that names the oldest release which the model must run in."""

LATEST = "latest"
"""The name of the newest release."""

SPELLINGS = {"20260114": "20260113"}
"""Wheels whose date differs from the tag that they were built from: wheel to tag."""

STRINGS = "20250428"
"""Strings as parameter values (`src/paramdict.cpp`)."""

SHORT_STRINGS = "20260113"
"""Strings of at most `SHORT` characters without a comma before another parameter. Older releases
look for the closing quote behind it and skip what follows (`src/paramdict.cpp`)."""

SHORT = 13
"""The characters between quotes in the first 15 characters of a value."""

BLOCKS = "20261020"
"""Weights quantized in blocks: Gemm and MultiHeadAttention (ncnn #6814)."""

BYTES = "20261020"
"""MemoryData of bytes without a tag: load types 3, 4, 6 and 8 (ncnn #7006)."""

QUERY_DIMS = "20240820"
"""MultiHeadAttention whose query and output differ in width (ncnn #5519)."""

SECOND_HALVES = "20261020"
"""RotaryEmbed that reads the second halves of tables as wide as its input. Older releases read the
first halves twice."""

FOUR_DIMS: Mapping[str, str] = {
    "Softmax": "20250428",  # ncnn #5931
    "Softplus": "20260113",  # ncnn #6329
    # ncnn #6737
    **dict.fromkeys(
        (
            "AbsVal BNLL CumulativeSum Dequantize Dropout Erf Exp GLU HardSigmoid HardSwish "
            "InnerProduct InstanceNorm LayerNorm Log MVN Normalize PReLU Power Quantize Requantize "
            "RMSNorm Scale ShuffleChannel StatisticsPooling Threshold"
        ).split(),
        "20260526",
    ),
}
"""The first release in which a layer type supports blobs of four dimensions."""

Feature = tuple[str, ...]
"""As in `collect_releases.py`: `("layer", TYPE)`, `("parameter", TYPE, ID)`, …"""


@cache
def _table() -> Mapping[str, Sequence[Feature]]:
    path = Path(__file__).with_name("releases.json")
    rows = json.loads(path.read_text("utf-8"))
    return {release: [tuple(feature) for feature in new] for release, new in rows.items()}


@cache
def releases() -> tuple[str, ...]:
    """All supported releases, the oldest first."""
    return tuple(_table())


@cache
def features_of(layer: str) -> tuple[tuple[str, Feature], ...]:
    """The features of a layer type that the oldest release lacks, with their releases."""
    return tuple(
        (release, feature)
        for release, new in _table().items()
        for feature in new
        if feature[0] != "file" and feature[1] == layer
    )


def check_release(name: str) -> str:
    """Return the release for a user's name: `20240820`, `1.0.20240820` or `latest`. Raise
    `ValueError` with a list of the known releases for any other name."""
    release = releases()[-1] if name == LATEST else name.removeprefix("1.0.")
    release = SPELLINGS.get(release, release)
    if release not in releases():
        known = ", ".join(releases())
        raise ValueError(f"unknown ncnn release '{name}'; known are {known} and {LATEST}")
    return release
