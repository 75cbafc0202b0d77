"""The number of depthwise convolutions that got channels, which makes weights larger and layers
faster."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from xdsl.passes import ModulePass

from ...dialects.ncnn.convolution import ConvolutionDepthWiseOp
from .run_observer import RunObserver

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

PASS = "pad-channels"


class PaddedChannels(RunObserver):
    """Counts the layers whose channels the pass pads. (Remarks would cost time in each run.)"""

    def __init__(self) -> None:
        self._before: Mapping[ConvolutionDepthWiseOp, int] = {}
        self._count = 0

    def between_passes(
        self, done: ModulePass | None, module: "ModuleOp", following: ModulePass | None
    ) -> None:
        """Compare the channels before and after the pass."""
        if done is not None and done.name == PASS:
            now = _channels(module)
            self._count += sum(now.get(op, n) > n for op, n in self._before.items())
        if following is not None and following.name == PASS:
            self._before = _channels(module)

    def facts(self) -> Mapping[str, Any]:
        """Return the number of these layers."""
        return {"padded": self._count}


def _channels(module: "ModuleOp") -> Mapping[ConvolutionDepthWiseOp, int]:
    found = (op for op in module.walk() if isinstance(op, ConvolutionDepthWiseOp))
    return {op: op.num_output for op in found}
