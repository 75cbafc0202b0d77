"""Latencies of the float and the int8 model in the runtime, in whole and by layer, and the layers
that are better left in float.

A layer can be slower in int8: its input and output are converted, and not all kernels are as fast.
Only a measurement on the processor shows which layers these are.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ..paired_times.ratio import ratio_of_pairs
from ..runtime.devices.address import Address, parse_address
from ..runtime.devices.measurements import DeviceModel, MeasuringOptions, with_session
from ..runtime.devices.measurements import measure as measure_there
from ..runtime.latency import Latency, measure
from ..runtime.stopwatch import MOST_BY_LAYER, Timed, Times
from .histograms import Array
from .int8_models import integers_of
from .prepared import RuntimeModel, write_for_runtime

if TYPE_CHECKING:
    from .evaluator import Evaluator

NOISE = 1.02
"""A layer is slower if int8 takes more than this many times the time of float, beyond the
interval."""
ROUNDS = 3
"""The number of times that layers are timed. Float layers make their neighbours slower, which then
convert their inputs."""


@dataclass(frozen=True)
class LayerTimes:
    """A layer in both forms of a model."""

    float_ms: float
    int8_ms: float
    is_slower: bool
    """Whether int8 takes longer, beyond the noise."""


@dataclass(frozen=True)
class Timing:
    """The latencies of an int8 model and its float model."""

    whole: Latency
    """The int8 model first."""
    layers: Mapping[str, LayerTimes]
    """The layers that compute with integers, by name, as far as they could be timed."""

    @property
    def slower(self) -> Sequence[str]:
        """The layers that take longer in int8, the largest loss first."""
        lost = {name: t.int8_ms - t.float_ms for name, t in self.layers.items() if t.is_slower}
        return sorted(lost, key=lambda name: -lost[name])


class ModelTimer:
    """Times models with one sample, in one thread, on this machine or on a device."""

    def __init__(
        self,
        prepared: RuntimeModel,
        inputs: Mapping[str, Array],
        repeat: int,
        device: str | None = None,
    ) -> None:
        """Raise `RunError` for an invalid address of a device."""
        self.prepared = prepared
        self.inputs = inputs
        self.repeat = repeat
        self.device = None if device is None else parse_address(device)

    @staticmethod
    def for_evaluator(
        evaluator: "Evaluator", repeat: int, devices: Sequence[str] = ()
    ) -> Mapping[str, "ModelTimer"]:
        """Return a timer for each device by address, or for this machine by an empty text, with the
        first sample of an evaluator. Raise `RunError` for an invalid address."""
        inputs = evaluator.samples.load(evaluator.chosen[0])
        timers = [
            ModelTimer(evaluator.prepared, inputs, repeat, each) for each in devices or (None,)
        ]
        return {"" if timer.device is None else str(timer.device): timer for timer in timers}

    def time(self, module: ModuleOp) -> Timing:
        """Time an int8 model and the float model. Raises `RunError`."""
        whole = self._measure([("int8", module), ("float", self.prepared.module)], True)
        after, before = (times.layers for times in whole.times)
        layers: dict[str, LayerTimes] = {}
        for name in integers_of(module):
            if name in before and name in after:
                slower = ratio_of_pairs(after[name], before[name]).low > NOISE
                layers[name] = LayerTimes(median(before[name]), median(after[name]), slower)
        return Timing(whole, layers)

    def is_faster(self, module: ModuleOp, other: ModuleOp) -> bool:
        """Whether a model takes less time than another, beyond the noise."""
        return self._measure([("", module), ("", other)], False).ratio.is_faster

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
        names = [name for name, _ in models]
        try:
            if self.device is not None:
                return self._measure_there(self.device, names, timed)
            return measure(names, timed, self.repeat)
        finally:
            self.prepared.remove(*files)

    def _measure_there(
        self, address: Address, names: Sequence[str], timed: Sequence[Timed]
    ) -> Latency:
        models = [
            DeviceModel(name, Path(each.param), Path(each.weights), each.layers)
            for name, each in zip(names, timed, strict=True)
        ]
        by_layer = any(each.layers for each in timed)
        plan = MeasuringOptions(
            self.repeat, by_layer=by_layer, layer_runs=min(self.repeat, MOST_BY_LAYER)
        )
        inputs = self.inputs
        found = with_session(address, lambda s: measure_there(s, models, inputs, plan))
        layers = found.layers or [dict[str, list[float]]() for _ in models]
        times = [
            Times(list(runs), {name: list(ms) for name, ms in each.items()})
            for runs, each in zip(found.times, layers, strict=True)
        ]
        return Latency(names, times, found.ratio)


def layers_faster_in_float(
    timer: ModelTimer,
    model: Callable[[Collection[str]], ModuleOp],
    on_progress: Callable[[int], None] = lambda round: None,
) -> Mapping[str, LayerTimes]:
    """Return the layers to leave in float so that the whole model takes less time. `model` returns
    the int8 model with these layers in float.

    A layer in float changes the times of its neighbours, which convert between float and int8. So
    the time of the whole model decides. If the model is not faster with all slower layers in float,
    the half with the largest losses is tried, and so on. If it is, the layers of the new model are
    timed again.
    """
    kept: dict[str, LayerTimes] = {}
    for done in range(ROUNDS):
        on_progress(done)
        found = timer.time(model(kept))
        slower = found.slower
        while slower and not timer.is_faster(model([*kept, *slower]), model(kept)):
            slower = slower[: len(slower) // 2]
        if not slower:
            break
        kept |= {name: found.layers[name] for name in slower}
    return kept
