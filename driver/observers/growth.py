"""The numbers of rewrites that the limit on the growth of weights forbids, and that it allows for
speed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from xdsl.passes import ModulePass

from ...dialects.ncnn.convolution import ConvolutionDepthWiseOp
from ...transforms.rewriting.growth import still_applicable
from ...transforms.rewriting.missed import BeyondGrowth, Missed
from ...transforms.rewriting.remarks import Remark
from .run_observer import RunObserver

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


PADDING = "pad-channels"
"""The pass that makes weights larger, so that layers are faster."""


def channels_of(module: "ModuleOp") -> Mapping[ConvolutionDepthWiseOp, int]:
    """Return the numbers of channels of depthwise convolutions."""
    found = (op for op in module.walk() if isinstance(op, ConvolutionDepthWiseOp))
    return {op: op.num_output for op in found}


class Growth(RunObserver):
    """Counts the rewrites that the limit forbids, and that could still be made in the result, and
    the depthwise convolutions with more channels."""

    def __init__(self) -> None:
        self._refused: list[Remark] = []
        self._count = 0
        self._padded = 0
        self._channels: Mapping[ConvolutionDepthWiseOp, int] = {}

    def on_missed(self, missed: Missed) -> None:
        """Note a rewrite that the limit forbids."""
        if isinstance(missed, BeyondGrowth):
            self._refused.append(missed.remark())

    def between_passes(
        self, done: ModulePass | None, module: "ModuleOp", following: ModulePass | None
    ) -> None:
        """Compare the channels before and after the pass. (Remarks would cost time in each run.)"""
        if done is not None and done.name == PADDING:
            now = channels_of(module)
            self._padded += sum(now.get(op, n) > n for op, n in self._channels.items())
        if following is not None and following.name == PADDING:
            self._channels = channels_of(module)

    def finish(self, module: "ModuleOp") -> None:
        """Count the rewrites whose layers still exist."""
        self._count = len(still_applicable(self._refused, module))

    def facts(self) -> Mapping[str, Any]:
        """Return the numbers of these rewrites."""
        return {"refused": self._count, "padded": self._padded}
