"""What int8 costs: each blob that a layer makes which could be int8, and the outputs, of the int8
model in the runtime against those of the float one."""

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialects.ncnn.constant import constant_of
from ..dialects.ncnn.detection import DetectionOutputOp, ProposalOp, Yolo
from ..dialects.ncnn.function import output_names, outputs_of
from ..dialects.ncnn.lookup import model_of
from ..interpreters.errors import RunError
from ..interpreters.run import blobs_of
from .blob_errors import Difference
from .calibration_data import Samples
from .histograms import Array
from .integers import integers_of, scales_of
from .layer_matching import ABSENT, match_layers
from .prepared import Candidate, Prepared, write_for_runtime
from .session import Session, Sessions

Tell = Callable[[int], None]

_ROWS = (DetectionOutputOp, ProposalOp, Yolo)
"""Layers that make rows of boxes, sorted by score: a little other scores, and all rows differ."""


def judged(func: FuncOp) -> list[str]:
    """The blobs by which a model is judged: its outputs; for rows of boxes what these are made of,
    as a little other scores may change all rows."""
    names = {value: name for name, value in reversed(blobs_of(func).items())}
    found: dict[str, None] = {}
    for name, (value, _) in zip(output_names(func), outputs_of(func), strict=True):
        owner = value.owner
        if isinstance(owner, _ROWS):
            sources: Sequence[SSAValue] = owner.data_operands()
            inner = [names[v] for v in sources if v in names and constant_of(v) is None]
            found |= dict.fromkeys(inner)
        else:
            found[name] = None
    return list(found)


@dataclass(frozen=True)
class Cost:
    """What int8 costs at one layer."""

    layer: Candidate
    kind: str
    """What it computes with: `int8`, `4 bits`, …, `float`, or `ABSENT` if the int8 model has no
    layer of that name."""
    difference: Difference | None
    """Of the blob that it makes, with all that layers before it have changed; `None` if no blob of
    the one model is that of the other."""

    @property
    def is_int8(self) -> bool:
        """Whether it computes with integers."""
        return self.kind not in ("float", ABSENT)


@dataclass(frozen=True)
class Costs:
    """What it costs in all."""

    layers: Sequence[Cost]
    outputs: Mapping[str, Difference]
    """By blob, see `judged`."""
    samples: int
    float_macs: float | None
    """The part of the multiplications that is in floats, if all are known."""

    @property
    def error(self) -> float:
        """Of the worst output."""
        return max((d.error for d in self.outputs.values()), default=0.0)


class Bench:
    """Processes with the float model, in which int8 ones are measured against it."""

    def __init__(self, prepared: Prepared, samples: Samples, chosen: Sequence[int], jobs: int):
        self.prepared = prepared
        self.samples = samples
        self.chosen = chosen
        self.sessions = Sessions(min(jobs, len(chosen)))
        self.judged = judged(model_of(prepared.module))
        self._expected: dict[int, Mapping[str, Array]] = {}
        self._inputs: dict[int, Mapping[str, Array]] = {}
        self._numbers = count()

    def start(self) -> None:
        """Loads the float model, and runs it on each sample: what the outputs should be."""
        self.sessions.call_all("load", "float", self.prepared.param, self.prepared.weights, True)
        outputs = self.prepared.in_order(self.judged)

        def run(session: Session, index: int) -> Mapping[str, Array]:
            with self._naming(index):
                return session.call("run", "float", self._load(index), outputs)

        for index, blobs in self.sessions.map(run, self.chosen):
            self._expected[index] = blobs

    def measure(self, module: ModuleOp, tell: Tell = lambda done: None) -> Costs:
        """What an int8 model costs, layer by layer, matched by name (see `match_layers`). Raises
        `RunError` where it lacks an output, and where it does not run."""
        known = blobs_of(model_of(module))
        if missing := [name for name in self.judged if name not in known]:
            raise RunError(f"the int8 model has no blob '{missing[0]}': it is of another model")
        matches = match_layers(self.prepared, module)
        renamed = {m.blob: m.theirs for m in matches if m.blob is not None}
        found = self._differences(module, [*renamed, *self.judged], "float", tell, None, renamed)
        layers = [Cost(m.layer, m.kind, found.get(m.blob or "")) for m in matches]
        outputs = {n: found[n] for n in self.judged}
        share = self.prepared.float_share(integers_of(module))
        return Costs(layers, outputs, len(self.chosen), share)

    def error(self, module: ModuleOp, among: Collection[int] | None = None) -> float:
        """The error of the worst output, over all samples or these."""
        found = self._differences(module, self.judged, None, lambda done: None, among)
        return max((d.error for d in found.values()), default=0.0)

    def ranges(self) -> dict[str, Array]:
        """The largest magnitude in each channel that a layer makes which could be int8, by its
        name."""
        tops = {c.top: c.name for c in self.prepared.candidates}
        names = self.prepared.in_order(list(tops))
        found: dict[str, Array] = {}

        def look(session: Session, index: int) -> dict[str, Array]:
            with self._naming(index):
                return session.call("ranges", "float", self._load(index), names)

        for _, ranges in self.sessions.map(look, self.chosen):
            for top, largest in ranges.items():
                name = tops[top]
                found[name] = np.maximum(found.get(name, 0), largest)
        return found

    def mean_errors(
        self, module: ModuleOp, name: str, channels: int, nonzero: bool, chosen: Sequence[int]
    ) -> Array:
        """The mean error of each channel of a blob of an int8 model on these samples, or of the
        elements that are not 0 there; 0 for a channel without such elements."""
        scale = scales_of(module).get(name, 1.0)
        sums, counts = np.zeros(channels), np.zeros(channels)
        with self._loaded(module) as key:

            def sum_up(session: Session, index: int) -> tuple[Array, Array]:
                arguments = key, "float", self._load(index), name, scale, channels, nonzero
                with self._naming(index):
                    return session.call("errors", *arguments)

            for _, (error, count) in sorted(self.sessions.map(sum_up, chosen), key=lambda x: x[0]):
                sums += error
                counts += count
        return sums / np.maximum(counts, 1)

    def pairs(
        self, module: ModuleOp, name: str, chosen: Sequence[int]
    ) -> Iterator[tuple[Array, Array]]:
        """A blob of the float model, and of an int8 one as floats, for each of these samples in
        turn."""
        scale = np.float32(scales_of(module).get(name, 1.0))
        with self._loaded(module) as key:

            def look(session: Session, index: int) -> Sequence[Array]:
                inputs = self._load(index)
                with self._naming(index):
                    return [session.call("run", k, inputs, [name])[name] for k in ("float", key)]

            early: dict[int, Sequence[Array]] = {}
            order = iter(chosen)
            wanted = next(order)
            for index, found in self.sessions.map(look, chosen):
                early[index] = found
                while wanted in early:
                    floats, other = early.pop(wanted)
                    yield floats, other / scale
                    wanted = next(order, -1)

    def agreement(self, module: ModuleOp, labels: Sequence[int] | None) -> "Agreement | None":
        """How often the largest score is where it was; `None` unless the model has one output that
        is a row of scores."""
        if len(self.judged) != 1:
            return None
        (name,) = self.judged
        if any(np.squeeze(self._expected[i][name]).ndim != 1 for i in self.chosen):
            return None
        same = right = was_right = 0
        with self._loaded(module) as key:

            def run(session: Session, index: int) -> Mapping[str, Array]:
                with self._naming(index):
                    return session.call("run", key, self._load(index), [name])

            for index, blobs in self.sessions.map(run, self.chosen):
                now, before = (int(np.argmax(b[name])) for b in (blobs, self._expected[index]))
                same += now == before
                if labels is not None:
                    right += now == labels[index]
                    was_right += before == labels[index]
        return Agreement(len(self.chosen), same, None if labels is None else (was_right, right))

    def _differences(
        self,
        module: ModuleOp,
        names: Sequence[str],
        against: str | None,
        tell: Tell,
        among: Collection[int] | None = None,
        renamed: Mapping[str, str] | None = None,
    ) -> dict[str, Difference]:
        """The differences of blobs, by name, from those of the model of the key `against`, or from
        the outputs expected. `renamed` has the names of blobs in the int8 model."""
        chosen = [i for i in self.chosen if among is None or i in among]
        scales, theirs = scales_of(module), renamed or {}
        wanted = {
            name: (theirs.get(name, name), scales.get(theirs.get(name, name), 1.0))
            for name in self.prepared.in_order(names)
        }
        found = {name: Difference() for name in wanted}
        with self._loaded(module) as key:

            def compare(session: Session, index: int) -> dict[str, Difference]:
                expected = against or self._expected[index]
                with self._naming(index):
                    return session.call("differences", key, self._load(index), wanted, expected)

            for done, (_, differences) in enumerate(self.sessions.map(compare, chosen), 1):
                for name, difference in differences.items():
                    found[name] += difference
                tell(done)
        return found

    @contextmanager
    def _loaded(self, module: ModuleOp) -> Generator[str]:
        """A model in all processes, by its key."""
        key = f"int8.{next(self._numbers)}"
        param, weights = self.prepared.path(f"{key}.param"), self.prepared.path(f"{key}.bin")
        write_for_runtime(module, param, weights)
        self.sessions.call_all("load", key, param, weights, True)
        self.prepared.remove(f"{key}.param", f"{key}.bin")
        yield key
        self.sessions.call_all("drop", key)

    def _load(self, index: int) -> Mapping[str, Array]:
        if index not in self._inputs:
            self._inputs[index] = self.samples.load(index)
        return self._inputs[index]

    @contextmanager
    def _naming(self, index: int) -> Generator[None]:
        """Lets errors name the sample."""
        try:
            yield
        except RunError as e:
            raise RunError(f"{self.samples.names()[index]}: {e}") from e


@dataclass(frozen=True)
class Agreement:
    """Of the largest scores."""

    samples: int
    same: int
    """How often it is where it was."""
    right: tuple[int, int] | None
    """How often it is where the labels say: before, and in int8."""


@contextmanager
def bench(
    prepared: Prepared, samples: Samples, chosen: Sequence[int], jobs: int
) -> Generator[Bench]:
    """Processes that measure, until the block ends."""
    made = Bench(prepared, samples, chosen, jobs)
    with made.sessions:
        made.start()
        yield made


def spread(total: int, most: int) -> list[int]:
    """So many of the samples, from all over."""
    return sorted({i * total // most for i in range(most)}) if total > most else list(range(total))
