"""Releases of the ncnn runtime: the oldest one that runs a layer or a model, and the reason.

The facts are in `processors/releases.json`, which `target_info/collect_releases.py` makes from
ncnn's tagged sources. Changes that leave no trace in a declaration are listed here with the commit
that made them.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, cast

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.blob import rank_of
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Kind, Param
from ...dialects.ncnn.quantization import block_quantization

ATTRIBUTE = "ncnn.release"
"""The module attribute that names the oldest release which the model must run in."""

STRINGS = "20250428"
"""Strings as parameter values (`src/paramdict.cpp`)."""

BLOCKS = "20261020"
"""Weights quantized in blocks: Gemm and MultiHeadAttention (ncnn #6814)."""

FOUR_DIMS = {
    "Softmax": "20250428",  # ncnn #5931
    # ncnn #6737
    **dict.fromkeys(
        (
            "AbsVal BNLL CumulativeSum Dequantize Dropout Erf Exp GLU HardSigmoid HardSwish "
            "InnerProduct InstanceNorm LayerNorm Log MVN Normalize PReLU Power Quantize Requantize "
            "RMSNorm Scale ShuffleChannel StatisticsPooling"
        ).split(),
        "20260526",
    ),
}
"""The release in which a layer type first takes blobs of four dims."""


class Requirement(NamedTuple):
    """A release, and the feature of a layer that first exists there."""

    release: str
    layer: str
    """The layer's type and name."""
    feature: str


@cache
def _features() -> dict[str, list[list[str]]]:
    path = Path(__file__).parents[2] / "processors" / "releases.json"
    return json.loads(path.read_text("utf-8"))


@cache
def releases() -> tuple[str, ...]:
    """All supported releases, the oldest first."""
    return tuple(_features())


@cache
def _of_type(layer: str) -> tuple[tuple[str, list[str]], ...]:
    """The features of a layer type that the oldest release lacks, with their releases."""
    return tuple(
        (release, feature)
        for release, new in _features().items()
        for feature in new
        if feature[0] != "file" and feature[1] == layer
    )


def check_release(name: str) -> str:
    """Return the release that a user names: `20240820`, `1.0.20240820` or `latest`.

    Raises `ValueError` that lists the known releases.
    """
    release = releases()[-1] if name == "latest" else name.removeprefix("1.0.")
    # A wheel may be a day younger than the tag that it was built from.
    release = {"20260114": "20260113"}.get(release, release)
    if release not in releases():
        raise ValueError(f"unknown release '{name}'; known are {', '.join(releases())} and latest")
    return release


def requirements_of(op: LayerOp) -> Iterator[Requirement]:
    """Yield what a layer requires beyond the oldest release."""
    layer = f"{op.LAYER_TYPE} '{op.layer_name.data if op.layer_name else ''}'"
    for release, feature in _of_type(op.LAYER_TYPE):
        match feature:
            case ["layer", _]:
                yield Requirement(release, layer, f"layer type {op.LAYER_TYPE}")
            case ["parameter", _, number] if _is_set(op, int(number)):
                yield Requirement(release, layer, f"parameter {number}")
            case ["value", _, number, value] if _value(op, int(number)) == int(value):
                yield Requirement(release, layer, f"parameter {number}={value}")
            case _:
                pass
    if any(param.kind is Kind.STR and name in op.properties for name, param in _params(op)):
        yield Requirement(STRINGS, layer, "a string as a parameter")
    term = cast(int, getattr(op, "quantize_term", 0))
    if block_quantization(term) is not None:
        yield Requirement(BLOCKS, layer, "weights quantized in blocks")
    if op.LAYER_TYPE in FOUR_DIMS and any(rank_of(v) == 4 for v in op.data_operands()):
        yield Requirement(FOUR_DIMS[op.LAYER_TYPE], layer, "a blob of 4 dims")


def _params(op: LayerOp) -> Iterator[tuple[str, Param]]:
    return ((n, p) for n, p in op.PARAMS.items() if isinstance(p, Param))


def _is_set(op: LayerOp, number: int) -> bool:
    name, _ = op.PARAMS_BY_ID.get(number, (None, None))
    return name is not None and name in op.properties


def _value(op: LayerOp, number: int) -> object:
    name, _ = op.PARAMS_BY_ID[number]
    return getattr(op, name)


def requirement_of(module: ModuleOp) -> Requirement | None:
    """Return the requirement with the newest release, the first one in program order; `None` for a
    model that the oldest supported release runs."""
    found = [r for op in module.walk() if isinstance(op, LayerOp) for r in requirements_of(op)]
    return max(found, key=lambda requirement: requirement.release, default=None)


def release_for(op: Operation) -> str:
    """Return the oldest release that the module of `op` must run in: its attribute, or the newest
    one without. Raises `PassFailedException` for an unknown release."""
    module = op
    while (parent := module.parent_op()) is not None:
        module = parent
    match module.attributes.get(ATTRIBUTE):
        case None:
            return releases()[-1]
        case StringAttr(data=name) if name in releases():
            return name
        case other:
            known = ", ".join(releases())
            raise PassFailedException(f"{ATTRIBUTE} of a module is one of {known}, not {other}")


def allows(op: Operation, *layers: str) -> bool:
    """Whether layers of these types exist in the release that the module of `op` is made for."""
    release = release_for(op)
    return all(
        first <= release
        for layer in layers
        for first, feature in _of_type(layer)
        if feature[0] == "layer"
    )


def allows_layer(op: Operation, new: LayerOp) -> bool:
    """Whether a new layer exists, with its parameters, in the release that the module of `op` is
    made for."""
    release = release_for(op)
    return all(requirement.release <= release for requirement in requirements_of(new))
