"""The layers that ncnn computes on a GPU (Vulkan), by release.

`collect_vulkan.py` generates `vulkan.json` from ncnn's tagged sources. The first call of a function
of this module reads the file.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.quantization import blocks_of
from .releases import releases

Fact = tuple[str, ...]
"""As in `collect_vulkan.py`: `("layer", TYPE)`, `("cpu", TYPE, CONDITION)`, `("refused", …)`."""


def _int8(op: Any) -> bool:
    return bool(getattr(op, "int8_scale_term", 0) or getattr(op, "quantize_term", 0))


CONDITIONS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "dynamic_weight": ("weights that are blobs", lambda op: op.weights_are_dynamic()),
    "int8_scale_term": ("int8 or quantized weights", _int8),
    "int8_scale_term && pad_value != 0.f": (
        "int8 with a padding of other values than 0",
        lambda op: _int8(op) and op.pad_value != 0,
    ),
    "weight_block_quantize": (
        "weights quantized in blocks",
        lambda op: blocks_of(op) is not None,
    ),
}
"""By condition in the source: its name in messages, and a predicate on a layer."""


@cache
def facts_of(release: str | None = None) -> frozenset[Fact]:
    """The facts of a release, by default of the newest one."""
    path = Path(__file__).with_name("vulkan.json")
    known: set[Fact] = set()
    for name, new in json.loads(path.read_text("utf-8")).items():
        for kind, *rest in new:
            fact = (kind.removeprefix("-"), *rest)
            (known.discard if kind.startswith("-") else known.add)(fact)
        if name == (release or releases()[-1]):
            break
    return frozenset(known)


def has_implementation(layer: str, release: str | None = None) -> bool:
    """Whether a layer type has a GPU implementation."""
    return ("layer", layer) in facts_of(release)


def reason_for_cpu(op: LayerOp, release: str | None = None) -> str | None:
    """Return the reason why a layer runs on the CPU although the device is a GPU: its type, its
    parameters, or its feature mask. `None` for a layer that runs on the GPU."""
    if not has_implementation(op.LAYER_TYPE, release):
        return "the type has no GPU implementation"
    if op.featmask & NO_VULKAN:
        return "its feature mask excludes Vulkan"
    return _fulfilled(op, "cpu", release)


def refusal(op: LayerOp, release: str | None = None) -> str | None:
    """Return the reason why the runtime does not load a model with this layer on a GPU, if any."""
    if reason_for_cpu(op, release) is not None:
        return None
    return _fulfilled(op, "refused", release)


NO_VULKAN = 1 << 4
"""The bit of a feature mask that makes a layer run on the CPU."""


def _fulfilled(op: LayerOp, kind: str, release: str | None) -> str | None:
    for fact in sorted(facts_of(release)):
        if fact[:2] == (kind, op.LAYER_TYPE):
            words, holds = CONDITIONS[fact[2]]
            if holds(op):
                return words
    return None
