"""A model whose runs are timed. A device runs this file, too: Python 3.7."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..paired_times.clock import clock_for
from .host import DEFAULT, Refused, feed, load_net

if TYPE_CHECKING:
    from .host import Blobs


class TimedNet:
    """A loaded model, with the runtime's default options."""

    def __init__(self, ncnn: Any, param: str, weights: str, threads: int) -> None:
        """Raise `Refused` if the model cannot be loaded."""
        self.net: Any = None
        self.ncnn = ncnn
        self.clock = clock_for(threads)
        # Pools as in ncnn's own benchmark: the heap returns freed memory unpredictably.
        self.pools = ncnn.UnlockedPoolAllocator(), ncnn.PoolAllocator()
        self.net = load_net(
            ncnn, param, weights, precision=DEFAULT, threads=threads, pools=self.pools
        )
        self.outputs: Sequence[str] = list(self.net.output_names())

    def __del__(self) -> None:
        # The weights lie in the pools, which end in any order with the model.
        if self.net is not None:
            self.net.clear()

    def time(self, inputs: Blobs) -> float:
        """Run the model from inputs to outputs, and return the time in milliseconds. Raise
        `Refused`."""
        extractor = feed(self.ncnn, self.net, inputs, {})
        start = self.clock()
        for name in self.outputs:
            status = extractor.extract(name)[0]
            if status:
                raise Refused(f"extract '{name}': {status}")
        return 1000 * (self.clock() - start)

    def time_layers(self, inputs: Blobs, blobs: Sequence[str]) -> list[float | None]:
        """Run the model layer by layer: extract one blob after the other. Return the times in
        milliseconds, `None` for a layer that fails."""
        extractor = feed(self.ncnn, self.net, inputs, {})
        extractor.set_light_mode(False)
        times: list[float | None] = []
        for name in blobs:
            start = self.clock()
            status = extractor.extract(name, 1)[0]  # 1: without conversion of its layout
            times.append(None if status else 1000 * (self.clock() - start))
        return times
