"""The oldest release of the ncnn runtime that supports a layer or a model, and the reason.

`analysis/target_info/releases.py` and `analysis/release_changes.py` hold the facts.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple, cast

from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import PassFailedException

from ..dialects.ncnn.blob import rank_of, static_shape_of
from ..dialects.ncnn.constant import BYTE_TYPES, ConstantOp
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.params import Param, ParamKind
from ..dialects.ncnn.weights import storage_of
from .module_attributes import module_attribute
from .release_changes import CHANGES, changes_of
from .target_info.releases import (
    ATTRIBUTE,
    BLOCKS,
    BYTES,
    FOUR_DIMS,
    QUERY_DIMS,
    SHORT,
    SHORT_STRINGS,
    STRINGS,
    features_of,
    releases,
)

OTHER_WIDTH = "a query whose width differs from the width of all heads together"
"""The feature of a MultiHeadAttention (see `QUERY_DIMS`)."""


class Requirement(NamedTuple):
    """A release, and the feature of a layer that first exists there."""

    release: str
    layer: str
    """The layer's type and name."""
    feature: str

    def __str__(self) -> str:
        return f"ncnn {self.release}: {self.layer}, {self.feature}"


def requirements_of(op: LayerOp) -> Iterator[Requirement]:
    """Yield the features of a layer that the oldest supported release lacks."""
    yield from requirements_but_weights(op)
    for storage in dict.fromkeys(map(storage_of, _stored_elements(op))):
        if storage is not None and storage.since is not None:
            yield Requirement(storage.since, op.label(), f"weights stored as {storage.word}")
    if op.LAYER_TYPE == "MultiHeadAttention":
        from ..dialects.ncnn.attention import MultiHeadAttentionOp

        attention = cast(MultiHeadAttentionOp, op)
        weight = static_shape_of(attention.q_weight)
        if weight is not None and weight[-1] != attention.embed_dim:
            yield Requirement(QUERY_DIMS, op.label(), OTHER_WIDTH)


def _stored_elements(op: LayerOp) -> Iterator[Attribute]:
    """Yield the element types of the weights of a layer."""
    weights = [op.output] if isinstance(op, ConstantOp) and op.is_layer() else []
    for value in (*weights, *op.weight_operands().values()):
        type_ = None if value is None else value.type
        if isinstance(type_, TensorType):
            yield cast(TensorType[Attribute], type_).element_type


def requirements_but_weights(op: LayerOp) -> Iterator[Requirement]:
    """Yield the features of the type, the parameters and the blobs of a layer that the oldest
    supported release lacks. The layer may still lack its weights."""
    for release, feature in _needed(op):
        yield Requirement(release, op.label(), feature)


def _needed(op: LayerOp) -> Iterator[tuple[str, str]]:
    for release, feature in features_of(op.LAYER_TYPE):
        match feature:
            case ("layer", layer):
                yield release, f"layer type {layer}"
            case ("parameter", _, number) if _is_set(op, int(number)):
                yield release, f"parameter {number}"
            case ("value", _, number, value) if _value(op, int(number)) == int(value):
                yield release, f"parameter {number}={value}"
            case _:
                pass
    for change in changes_of(op):
        yield change.release, change.feature
    if isinstance(op, ConstantOp) and op.load_type in BYTE_TYPES:
        yield BYTES, f"load type {op.load_type}"
    strings = [name for name in _strings(type(op)) if name in op.properties]
    if strings:
        yield STRINGS, "a string as the value of a parameter"
    if any(_hides_parameters(op, name) for name in strings):
        yield SHORT_STRINGS, "a short string without a comma before another parameter"
    if term := cast(int, getattr(op, "quantize_term", 0)):
        from ..dialects.ncnn.quantization import block_quantization

        if block_quantization(term) is not None:
            yield BLOCKS, "weights quantized in blocks"
    if op.LAYER_TYPE in FOUR_DIMS and any(rank_of(v) == 4 for v in op.data_operands()):
        yield FOUR_DIMS[op.LAYER_TYPE], "a blob of 4 dims"


@cache
def may_require(cls: type[LayerOp]) -> bool:
    """Whether some layers of a type require more than the oldest release."""
    layer = cls.LAYER_TYPE
    if layer in FOUR_DIMS or layer in CHANGES or cls is ConstantOp:
        return True
    return bool(features_of(layer)) or bool(_strings(cls))


def release_of_param(cls: type[LayerOp], name: str) -> str:
    """Return the first release in which a layer type has a parameter of this name."""
    number = str(cls.PARAMS[name].id)
    needed = [
        release
        for release, feature in features_of(cls.LAYER_TYPE)
        if feature[0] == "layer" or feature[0] == "parameter" and feature[2] == number
    ]
    return max(needed, default=releases()[0])


@cache
def _strings(cls: type[LayerOp]) -> Sequence[str]:
    """Return the names of the string parameters of a layer type."""
    params = cls.PARAMS.items()
    return [name for name, p in params if isinstance(p, Param) and p.kind is ParamKind.STR]


def _hides_parameters(op: LayerOp, name: str) -> bool:
    """Whether releases before `SHORT_STRINGS` skip the parameters behind a string."""
    text = str(getattr(op, name))
    if len(text) > SHORT or "," in text:
        return False
    last = max(number for number in op.PARAMS_BY_ID if _is_set(op, number))
    return op.PARAMS[name].id < last


def _is_set(op: LayerOp, number: int) -> bool:
    name, _ = op.PARAMS_BY_ID.get(number, (None, None))
    return name is not None and name in op.properties


def _value(op: LayerOp, number: int) -> object:
    name, _ = op.PARAMS_BY_ID[number]
    return getattr(op, name)


def requirement_of(module: ModuleOp) -> Requirement | None:
    """Return the requirement with the newest release, the first one in program order; `None` for a
    model that the oldest supported release runs."""
    found = (r for op in module.walk() if isinstance(op, LayerOp) for r in requirements_of(op))
    return max(found, key=lambda requirement: requirement.release, default=None)


def oldest_release(module: ModuleOp) -> str:
    """Return the oldest supported release that runs a model."""
    requirement = requirement_of(module)
    return releases()[0] if requirement is None else requirement.release


def release_for(op: Operation) -> str | None:
    """Return the oldest release that the module of `op` must run in, `None` if the module has no
    such attribute. Raises `PassFailedException` for an unknown release."""
    match module_attribute(op, ATTRIBUTE):
        case None:
            return None
        case StringAttr(data=name) if name in releases():
            return name
        case other:
            known = ", ".join(releases())
            raise PassFailedException(
                f"{ATTRIBUTE} of a module must be one of {known}, not {other}"
            )
