"""Comparison of int8 models with their float model in the runtime: outputs, and the blobs of layers
that can be int8."""

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import TypeVar

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialects.ncnn.constant import constant_of
from ..dialects.ncnn.detection import DetectionOutputOp, ProposalOp, Yolo
from ..dialects.ncnn.function import output_names, outputs_of
from ..dialects.ncnn.lookup import model_of
from ..formats.errors import prefixed
from ..interpreters.errors import RunError
from ..interpreters.run import blobs_of
from ..runtime.host import Sample
from ..runtime.process import Process
from ..samples.sources import Samples
from .blob_errors import BlobError
from .histograms import Array
from .int8_figures import Evaluation, LayerEvaluation, Top1
from .int8_models import integers_of, scales_of
from .layer_matching import match_layers
from .output_groups import groups_of
from .prepared import RuntimeModel, write_for_runtime
from .sessions import Sessions

OnProgress = Callable[[int], None]
"""Is called with the number of samples done."""

_ROWS = (DetectionOutputOp, ProposalOp, Yolo)
"""Layers that make rows of boxes, sorted by score: small changes of scores reorder the rows."""


def evaluated_outputs(func: FuncOp) -> list[str]:
    """Return the blobs by which a model is evaluated: its outputs, and instead of rows of boxes the
    inputs of the layer that makes them."""
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


MOST_KEPT = 1 << 28
"""The largest size in bytes of the samples that each process keeps."""

R = TypeVar("R")


class Evaluator:
    """Compares int8 models with a float model on samples, in several processes."""

    def __init__(
        self, prepared: RuntimeModel, samples: Samples, chosen: Sequence[int], sessions: Sessions
    ):
        """Load the float model, and run it on each sample for the expected outputs."""
        self.prepared = prepared
        self.samples = samples
        self.chosen = chosen
        self.sessions = sessions
        self.outputs = evaluated_outputs(model_of(prepared.module))
        self._inputs: dict[int, Mapping[str, Array]] = {}
        self._kept: dict[Process, set[int]] = {}
        """The samples that each process has."""
        self._numbers = count()
        files = prepared.param, prepared.weights
        sessions.call_all("load", "float", *files, prepared.custom_layers)
        outputs = prepared.in_order(self.outputs)
        self._expected: dict[int, Mapping[str, Array]] = dict(
            self._map(
                lambda session, i: session.call("run", "float", self._sample(session, i), outputs)
            )
        )

        self.groups = {n: groups_of([e[n] for e in self._expected.values()]) for n in self.outputs}

    def _parts(self) -> dict[str, str]:
        """Return the blob of each evaluated part of the outputs, by label: groups, or a blob that
        is one group."""
        groups = self.groups.items()
        return {n + label: n for n, each in groups for label in [g.label() for g in each] or [""]}

    def _map(
        self, call: Callable[[Process, int], R], chosen: Sequence[int] | None = None
    ) -> Iterator[tuple[int, R]]:
        """Yield each of these samples, by default all, with the result of a call, in the order of
        completion. Errors name the sample."""

        def named(session: Process, index: int) -> R:
            with prefixed(RunError, self.samples.names()[index]):
                return call(session, index)

        return self.sessions.map(named, self.chosen if chosen is None else chosen)

    def evaluate(
        self,
        module: ModuleOp,
        classes: Sequence[int] | None = None,
        on_progress: OnProgress = lambda done: None,
    ) -> Evaluation:
        """Compare an int8 model with the float model layer by layer (see `match_layers`), and with
        the right class of each sample, if it is known. Raises `RunError` if the int8 model lacks an
        output or does not run."""
        known = blobs_of(model_of(module))
        if missing := [name for name in self.outputs if name not in known]:
            raise RunError(f"the int8 model has no blob '{missing[0]}': it is of another model")
        matches = match_layers(self.prepared, module)
        renamed = {m.blob: m.theirs for m in matches if m.blob is not None}
        blobs = [*renamed, *self.outputs]
        found = self._differences(module, blobs, "float", on_progress, None, renamed)
        layers = [LayerEvaluation(m.layer, m.kind, found.get(m.blob or "")) for m in matches]
        parts = self._parts()
        outputs = {label: found[label] for label in parts}
        float_macs = self.prepared.float_macs(integers_of(module))
        top1 = self._top1(module, classes)
        return Evaluation(layers, outputs, len(self.chosen), float_macs, top1, blobs=parts)

    def error(self, module: ModuleOp, among: Collection[int] | None = None) -> float:
        """Return the error of the worst output or group of one, over all samples or those in
        `among`."""
        found = self._differences(module, self.outputs, None, lambda done: None, among)
        return max((found[label].error for label in self._parts()), default=0.0)

    def ranges(self) -> dict[str, Array]:
        """Return the largest magnitude in each output channel of each layer that can be int8, by
        layer name."""
        tops = {c.top: c.name for c in self.prepared.candidates}
        names = self.prepared.in_order(list(tops))
        found: dict[str, Array] = {}
        for _, ranges in self._map(
            lambda s, i: s.call("ranges", "float", self._sample(s, i), names)
        ):
            for top, largest in ranges.items():
                name = tops[top]
                found[name] = np.maximum(found.get(name, 0), largest)
        return found

    def mean_errors(
        self, module: ModuleOp, name: str, channels: int, nonzero: bool, chosen: Sequence[int]
    ) -> Array:
        """Return the mean error of each channel of a blob of an int8 model on these samples, of all
        elements or of those that are not 0; 0 for a channel without such elements."""
        scale = scales_of(module).get(name, 1.0)
        sums, counts = np.zeros(channels), np.zeros(channels)
        with self._loaded(module) as key:

            def sum_up(session: Process, index: int) -> tuple[Array, Array]:
                sample = self._sample(session, index)
                arguments = key, "float", sample, name, scale, channels, nonzero
                return session.call("errors", *arguments)

            for _, (error, count) in sorted(self._map(sum_up, chosen), key=lambda x: x[0]):
                sums += error
                counts += count
        return sums / np.maximum(counts, 1)

    def pairs(
        self, module: ModuleOp, name: str, chosen: Sequence[int]
    ) -> Iterator[tuple[Array, Array]]:
        """Yield for each of these samples in turn a blob of the float model, and the same blob of
        an int8 model as floats."""
        scale = np.float32(scales_of(module).get(name, 1.0))
        with self._loaded(module) as key:

            def look(session: Process, index: int) -> Sequence[Array]:
                sample = self._sample(session, index)
                return [session.call("run", k, sample, [name])[name] for k in ("float", key)]

            early: dict[int, Sequence[Array]] = {}
            order = iter(chosen)
            wanted = next(order)
            for index, found in self._map(look, chosen):
                early[index] = found
                while wanted in early:
                    floats, other = early.pop(wanted)
                    yield floats, other / scale
                    wanted = next(order, -1)

    def _top1(self, module: ModuleOp, classes: Sequence[int] | None) -> Top1 | None:
        """Count the samples whose largest score keeps its place; `None` unless the model has one
        output that is a row of scores. Raises `RunError` for classes of another model."""
        if (name := self._scores()) is None:
            if classes is not None:
                raise RunError("classes need a model with one output that is a row of scores")
            return None
        same = right = was_right = 0
        with self._loaded(module) as key:
            for index, blobs in self._map(
                lambda s, i: s.call("run", key, self._sample(s, i), [name])
            ):
                now, before = (int(np.argmax(b[name])) for b in (blobs, self._expected[index]))
                same += now == before
                if classes is not None:
                    right += now == classes[index]
                    was_right += before == classes[index]
        return Top1(len(self.chosen), same, None if classes is None else (was_right, right))

    def _scores(self) -> str | None:
        """Return the only output if it is a row of scores."""
        one = len(self.outputs) == 1
        shapes = [np.squeeze(self._expected[i][n]) for i in self.chosen for n in self.outputs]
        return self.outputs[0] if one and all(blob.ndim == 1 for blob in shapes) else None

    def _differences(
        self,
        module: ModuleOp,
        names: Sequence[str],
        against: str | None,
        on_progress: OnProgress,
        among: Collection[int] | None = None,
        renamed: Mapping[str, str] | None = None,
    ) -> dict[str, BlobError]:
        """Return the differences of blobs, by name, from the blobs of the model of the key
        `against`, by default from the expected outputs. `renamed` has the names of blobs in the
        int8 model."""
        chosen = [i for i in self.chosen if among is None or i in among]
        scales, theirs = scales_of(module), renamed or {}
        wanted = {
            name: (theirs.get(name, name), scales.get(theirs.get(name, name), 1.0))
            for name in self.prepared.in_order(names)
        }
        groups = {name: each for name, each in self.groups.items() if name in wanted}
        found: dict[str, BlobError] = {}
        with self._loaded(module) as key:

            def compare(session: Process, index: int) -> dict[str, BlobError]:
                expected = against or self._expected[index]
                sample = self._sample(session, index)
                found = session.call("differences", key, sample, wanted, expected, groups)
                return {name: BlobError(**each) for name, each in found.items()}

            for done, (_, differences) in enumerate(self._map(compare, chosen), 1):
                for name, difference in differences.items():
                    found[name] = found.get(name, BlobError()) + difference
                on_progress(done)
        return found

    @contextmanager
    def _loaded(self, module: ModuleOp) -> Generator[str]:
        """Load a model in all processes; yield its key."""
        key = f"int8.{next(self._numbers)}"
        param, weights = self.prepared.path(f"{key}.param"), self.prepared.path(f"{key}.bin")
        write_for_runtime(module, param, weights)
        self.sessions.call_all("load", key, param, weights, self.prepared.custom_layers)
        self.prepared.remove(f"{key}.param", f"{key}.bin")
        yield key
        self.sessions.call_all("drop", key)

    def _sample(self, process: Process, index: int) -> Sample:
        """Return a sample for a process: it travels once, for the float model and all int8
        models, unless the samples are too large to be kept in each process."""
        if index not in self._inputs:
            self._inputs[index] = self.samples.load(index)
        inputs, kept = self._inputs[index], self._kept.setdefault(process, set())
        if index not in kept:
            if len(self.chosen) * sum(value.nbytes for value in inputs.values()) > MOST_KEPT:
                return inputs
            process.call("keep", index, inputs)
            kept.add(index)
        return index
