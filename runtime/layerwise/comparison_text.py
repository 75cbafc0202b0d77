"""The text of a comparison with a source model: the first operator that differs, and the layers at
fault."""

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING

from ...formats.verdicts import verdict
from .differences import OperatorDifference

if TYPE_CHECKING:
    from .comparison import SourceAgreement


MOST_LAYERS = 4
"""The number of layers that a line names."""


def lines_of(found: "SourceAgreement") -> Iterator[str]:
    """Yield lines about the first difference, the further ones, and a summary."""
    for i, each in enumerate(found.differences):
        if i == 0:
            yield from _first(found, each)
        else:
            yield f"further difference: {_short(found, each)}"
    if found.failure:
        yield f"{found.model} does not run to its end: {found.failure}"
    for each in found.unknown:
        place = f"the comparison goes on with blob '{each.blob}'"
        yield (
            f"not compared: {each.step.label()}: {each.reason}; "
            + (place if each.blob is not None else "nothing behind it is compared")
        )
    for name in found.lost_outputs:
        yield f"not compared: the output '{name}' of {found.source}"
    limit = f"limit {found.tolerance:g}"
    counted = f"compared: {found.compared} of {found.operands} operands"
    rest = "; the others are within layers that are several operators"
    yield counted + (rest if found.compared < found.operands else "")
    if not found.differences:
        yield f"largest error of an operator: {found.worst:.3g}, {limit}"
    for blob, error in found.errors.items():
        yield f"output '{blob}' of the whole model: error {error:.3g}{_explanation(found, blob)}"
    if found.inputs:
        yield f"compared with {found.inputs}"
    if found:
        error = max(found.errors.values(), default=found.worst)
        yield verdict(True, f"no operator differs; largest error of an output: {error:.3g}")
    else:
        yield verdict(False, f"{reason_of_disagreement(found)}, {limit}")


def _explanation(found: "SourceAgreement", blob: str) -> str:
    """Return the part of an output's error that no operator has."""
    if blob in found.unrounded:
        rest = found.unrounded[blob]
        return f", {rest:.3g} without the rounding of weights to float16"
    if found.differences or found.errors[blob] <= found.tolerance:
        return ""
    if found.unknown:
        return f"; {found.unknown[0].step.label()} is not compared"
    return "; the rounding errors of all operators add up to it"


def reason_of_disagreement(found: "SourceAgreement") -> str:
    """Return the reason why a model differs from its source model."""
    if found.differences:
        return f"the first difference: {_short(found, found.differences[0])}"
    if found.failure:
        return f"the model does not run to its end: {found.failure}"
    if found.lost_outputs:
        behind = "".join(f" behind {each.step.label()}" for each in found.unknown[:1])
        return f"the output '{found.lost_outputs[0]}'{behind} cannot be compared"
    blob = found.wrong_outputs()[0]
    return (
        f"output '{blob}' differs (error {found.errors[blob]:.3g}, limit {found.tolerance:g})"
        f"{_explanation(found, blob)}"
    )


def _first(found: "SourceAgreement", each: OperatorDifference) -> Iterator[str]:
    shape = "x".join(map(str, each.shape))
    yield f"the first difference: {_short(found, each)}"
    yield f"  PyTorch  {each.step.label()}: operand '{each.operand}', {shape}"
    for layer in each.layers:
        blobs = ", ".join(f"'{name}'" for name in layer.outputs)
        yield f"  ncnn     {layer.label}: blob {blobs}{_shape(found, each, layer.outputs)}"
    if each.kind != "exchanged":
        reads = ", ".join(f"'{name}'" for name in each.step.inputs)
        yield f"  its inputs agree: {reads}" if reads else "  it has no inputs"
    if each.value is not None and found.differences[-1] is each:
        yield "  all operators behind it agree with the model's blobs"
    elif each.value is None and found.differences[-1] is each:
        yield "  nothing behind it is compared"


def _shape(found: "SourceAgreement", each: OperatorDifference, blobs: tuple[str, ...]) -> str:
    if each.blob not in blobs or each.blob not in found.arrays:
        return ""
    return f", {'x'.join(map(str, found.arrays[each.blob].shape))}"


def _names(each: OperatorDifference) -> str:
    """Return the layers of a difference, the last ones of many."""
    names = [*dict.fromkeys(layer.label for layer in each.layers)]
    if len(names) > MOST_LAYERS:
        names = [f"{len(names) - MOST_LAYERS} others", *names[-MOST_LAYERS:]]
    return ", ".join(names)


def _short(found: "SourceAgreement", each: OperatorDifference) -> str:
    labels = _names(each)
    match each.kind:
        case "absent":
            behind = f" behind {labels}" if labels else ""
            return f"no layer{behind} computes {each.step.label()}"
        case "fails":
            return f"{labels} does not run; it computes {each.step.label()}"
        case "exchanged":
            return f"{labels} are in each other's place"
        case _:
            error = f"error {each.error:.3g}"
            if each.error == float("inf"):
                sizes = found.arrays[each.blob or ""].size, prod(each.shape)
                other = f"{sizes[0]} values, not {sizes[1]}"
                error = other if sizes[0] != sizes[1] else "infinities, NaNs, or only zeros"
            several = "one of " if len(each.layers) > 1 else ""
            return f"{several}{labels or 'the model'} differs from {each.step.label()} ({error})"
