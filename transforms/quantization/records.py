"""The decisions of quantization passes about layers, as data."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from ..rewriting.remarks import Remark, remark

Outcome = Literal[
    "quantized", "refused", "excluded", "deferred", "zero channels", "fused", "stored"
]
"""`quantized`: the layer computes with integers. `refused`: it stays as it is for a reason.
`excluded`: the user named it. `deferred`: another pass quantizes such layers. `zero channels`: all
weights of some channels are 0. `fused`: it passes int8 on to the layers behind it. `stored`: a
float weight has another type."""


class LayerDecision(NamedTuple):
    """The decision of a pass about one layer."""

    remark: Remark
    outcome: Outcome

    @property
    def is_notable(self) -> bool:
        """Whether commands print it without `--remarks`."""
        return self.outcome in ("refused", "zero channels")

    def __str__(self) -> str:
        return str(self.remark)


def record(rewrite: str, layer: str, outcome: Outcome, note: str) -> LayerDecision:
    """Return the record of a pass about the layer with this label."""
    return LayerDecision(Remark(rewrite, (layer,), note), outcome)


def emit(records: Iterable[LayerDecision]) -> None:
    """Send records to the listener of the context as remarks."""
    for each in records:
        remark(each.remark.rewrite, *each.remark.layers, note=each.remark.note)
