"""What int8 saves: how long both forms of a model take in the runtime, as wholes and layer by
layer, and which layers are better left in float."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from xdsl.dialects.builtin import ModuleOp

from ..runtime.latency import Latency, interval_of, measure
from ..runtime.stopwatch import Timed
from .histograms import Array
from .integers import integers_of
from .prepared import Prepared, write_for_runtime

REPEAT = 50
"""Runs of each model."""
NOISE = 1.02
"""A layer is slower if it takes more than so many times as long, by 95 of 100 resamplings."""
ROUNDS = 3
"""How often layers are looked at again after some of them became float: what stands beside them
has to convert what was int8."""


@dataclass(frozen=True)
class LayerTimes:
    """A layer in both forms of a model."""

    float_ms: float
    int8_ms: float
    is_slower: bool
    """Whether int8 takes longer, beyond the noise."""


@dataclass(frozen=True)
class Timing:
    """Both forms of a model."""

    whole: Latency
    """The quantized one first."""
    layers: Mapping[str, LayerTimes]
    """By name; those that compute with integers in the second form, and those that did not come to
    be measured left out."""

    @property
    def slower(self) -> Sequence[str]:
        """The layers that take longer in int8, those that lose most first."""
        lost = {name: t.int8_ms - t.float_ms for name, t in self.layers.items() if t.is_slower}
        return sorted(lost, key=lambda name: -lost[name])


class Clock:
    """Measures models with one sample, in one thread."""

    def __init__(
        self, prepared: Prepared, inputs: Mapping[str, Array], repeat: int = REPEAT
    ) -> None:
        self.prepared = prepared
        self.inputs = inputs
        self.repeat = repeat

    def time(self, module: ModuleOp) -> Timing:
        """Times a model against the float one. Raises `RunError`."""
        whole = self._measure([("int8", module), ("float", self.prepared.module)], True)
        after, before = (times.layers for times in whole.times)
        layers: dict[str, LayerTimes] = {}
        for name in integers_of(module):
            if name in before and name in after:
                pairs = zip(after[name], before[name], strict=True)
                low, _ = interval_of([now / was for now, was in pairs if was > 0] or [1.0])
                slower = low > NOISE
                layers[name] = LayerTimes(median(before[name]), median(after[name]), slower)
        return Timing(whole, layers)

    def is_faster(self, module: ModuleOp, other: ModuleOp) -> bool:
        """Whether a model takes less time than another, beyond the noise."""
        low, _ = self._measure([("", other), ("", module)], False).interval()
        return low > 1

    def _measure(self, models: Sequence[tuple[str, ModuleOp]], by_layer: bool) -> Latency:
        timed: list[Timed] = []
        files: list[str] = []
        for index, (_, module) in enumerate(models):
            names = [f"timed{index}.param", f"timed{index}.bin"]
            files += names
            param, weights = map(self.prepared.path, names)
            graph = write_for_runtime(module, param, weights)
            layers = [(r.tops[0], r.name) for r in graph.layers if r.tops and r.bottoms]
            outputs = self.prepared.outputs
            timed.append(Timed(param, weights, self.inputs, outputs, layers if by_layer else ()))
        try:
            return measure([name for name, _ in models], timed, self.repeat)
        finally:
            self.prepared.remove(*files)


def tuned(
    clock: Clock,
    model: Callable[[Collection[str]], ModuleOp],
    tell: Callable[[int], None] = lambda round: None,
) -> Mapping[str, LayerTimes]:
    """The layers to leave in float so that a model takes less time: those that took longer in int8,
    if the model without them does take less. `model` makes one with such layers in float.

    A layer in float gets floats from the layer before it, and gives floats to the one behind it,
    which then rounds itself. So what its neighbours take changes with it, and only the time of the
    whole model says that something was won: if it was not with all of them, it is tried with the
    half that lost most, and so on; if it was, the layers of the new model are looked at.
    """
    kept: dict[str, LayerTimes] = {}
    for done in range(ROUNDS):
        tell(done)
        found = clock.time(model(kept))
        slower = found.slower
        while slower and not clock.is_faster(model([*kept, *slower]), model(kept)):
            slower = slower[: len(slower) // 2]
        if not slower:
            break
        kept |= {name: found.layers[name] for name in slower}
    return kept
