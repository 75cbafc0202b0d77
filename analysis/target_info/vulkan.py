"""The layer types that the ncnn runtime computes on a Vulkan device, for each release.

`collect_vulkan.py` generates `vulkan.json` from ncnn's sources. The first call of a function of
this module reads the file.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

Layers = Mapping[str, Sequence[str]]
"""By layer type, the C++ conditions under which such a layer runs on the CPU."""


@cache
def _table() -> Mapping[str, tuple[Layers, bool]]:
    changes: dict[str, Any] = json.loads(Path(__file__).with_name("vulkan.json").read_text("utf-8"))
    found: dict[str, tuple[Layers, bool]] = {}
    layers: dict[str, Sequence[str] | None] = {}
    int8 = False
    for release, change in changes.items():
        layers |= change.get("layers", {})
        int8 = change.get("int8", int8)
        found[release] = {k: tuple(v) for k, v in layers.items() if v is not None}, int8
    return found


def vulkan_layers(release: str) -> Layers:
    """Return the layer types with a Vulkan implementation in a release."""
    return _table()[release][0]


def allows_int8(release: str) -> bool:
    """Whether a model with an int8 layer may use Vulkan in a release. Before, one such layer turns
    Vulkan off for the whole model."""
    return _table()[release][1]
