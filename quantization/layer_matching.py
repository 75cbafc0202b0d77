"""Matching the layers of a float model with those of its int8 model, by layer name.

An int8 model from another tool, or one that passes have rewritten, may lack layers of the float
model, and may name blobs differently. Only matched layers can be compared.
"""

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.assembly import names_of
from .int8_models import integers_of, named_layers
from .prepared import Candidate, RuntimeModel

ABSENT = "absent"
"""The kind of a layer that the int8 model does not have."""


@dataclass(frozen=True)
class MatchedLayer:
    """A layer of the float model, of the int8 model, or of both."""

    layer: Candidate
    kind: str
    """The arithmetic in the int8 model: `int8`, `4 bits`, …, `float`, or `ABSENT`."""
    blob: str | None
    """The blob of the float model to compare; `None` if there is none."""
    theirs: str
    """The name of that blob in the int8 model."""


def match_layers(prepared: RuntimeModel, module: ModuleOp) -> list[MatchedLayer]:
    """Match the layers of a float model that can be int8 with the layers of its int8 model. Add the
    integer layers that only the int8 model has.

    Passes may fuse an activation into a layer, whose blob then has the name of the activation's: so
    the blob of that name in the float model is compared. If the float model has no blob
    of that name, the layer's own blob is, if both layers have the same activation.
    """
    layers, ours = named_layers(module), named_layers(prepared.module)
    integers = integers_of(module)
    found: list[MatchedLayer] = []
    candidates = prepared.watched(module)
    for candidate in candidates:
        other = layers.get(candidate.name)
        if other is None:
            found.append(MatchedLayer(candidate, ABSENT, None, ""))
            continue
        kind, blob = integers.get(candidate.name, "float"), names_of(other)[0]
        same = blob
        if blob is not None and blob not in prepared.blobs:
            own = ours[candidate.name]
            activations = {getattr(op, "activation_type", 0) for op in (own, other)}
            is_same = type(own) is type(other) and len(activations) == 1
            same = candidate.top if is_same else None
        found.append(MatchedLayer(candidate, kind, same, blob or ""))
    known = {candidate.name for candidate in candidates}
    for name, kind in integers.items():
        if name not in known:
            op = layers[name]
            found.append(
                MatchedLayer(Candidate(name, op.label(), "", "", op.macs()), kind, None, "")
            )
    return found
