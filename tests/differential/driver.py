"""What all tests of rewrites do with a net: run passes on it and compare it with what it was.

In the real runtime: at the extents that it was made for and at others, in float32 and as the
runtime stores weights by default, in memory filled with one pattern before and another after.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from zlib import crc32

import numpy as np
from ncnn_opt.targets.param.export import export_module
from ncnn_opt.transforms import OPTIMIZE
from ncnn_opt.transforms.rewriting.observers import observing_alone
from ncnn_opt.transforms.rewriting.remarks import Remark, RemarkListener
from ncnn_opt.transforms.rewriting.rewrite_counter import RewriteCounter
from xdsl.dialects.builtin import ModuleOp

from .comparing import LEAST, TOLERANCE, Array, difference, error, is_evidence, largest, rounding
from .compiler import load, run_passes, save
from .nets import Net, layer_types
from .oracle import FILLS
from .reference import compute
from .runtime import Blobs, Failure, Runtime
from .tally import record
from .varying import Feed, batch_feeds, feeds

OTHERS = 3
"""Inputs of other extents for each net."""

TRIES = 4
"""So many times as often others are tried: layers do not take all."""

CLOSE = 1e-3
"""How near reference and runtime are to each other where both compute the same."""

STEP = 0.02
"""The tolerance where values are rounded to int8: one of them may become the next."""

SHAKEN = 2.0**-21
"""How much inputs are changed to see what a net makes of rounding, relative to each element."""

AMPLIFIED = 8
"""So many times as much as by that change, outputs may differ: a rewrite may round in several
places. Wide values in front of a Softmax make much of it."""

Answers = tuple[Blobs | Failure, Blobs | Failure]
"""In float32, and by default."""


class Mismatch(AssertionError):
    """A model computes something else than before."""

    def __init__(self, reason: str, where: str, result: Path) -> None:
        super().__init__(f"{reason}\n{where}\n{result.read_text()}")
        self.where = where
        """With which options and inputs."""
        self.fired: Mapping[str, int] = {}
        """How often each pattern had rewritten something."""


@dataclass(frozen=True)
class Checked:
    """A net after some passes, whose outputs are known to be the same."""

    passes: Sequence[str]
    param: Path
    remarks: Sequence[Remark]
    fired: Mapping[str, int]
    """How often each pattern rewrote something."""

    @property
    def types(self) -> list[str]:
        """The types of the layers that are left."""
        return layer_types(self.param)

    @property
    def rewrites(self) -> Counter[str]:
        """The remarks by rewrite."""
        return Counter(remark.rewrite for remark in self.remarks)

    def is_stable(self) -> bool:
        """Whether the same passes leave it as it is."""
        module = load(self.param)
        run_passes(module, self.passes)
        return export_module(module).param_text() == self.param.read_text()


@dataclass
class Trial:
    """A net and what the runtime makes of it."""

    net: Net
    runtime: Runtime
    folder: Path
    tolerance: float = TOLERANCE
    others: int = OTHERS
    batches: int = 0
    """Inputs that are batches of blobs for each net. The original tells what is right."""
    least: float = LEAST
    """What the largest value of a blob counts for at least."""
    only: Callable[[Feed], bool] = lambda feed: True
    """Which inputs of other extents the passes are to be right for."""
    param: Path = field(init=False)
    _loaded: ModuleOp | None = field(init=False)
    """The model, until passes change it."""
    _known: Sequence[tuple[Feed, Answers]] = field(init=False)
    """Inputs that tell something, and the outputs that these give."""

    def __post_init__(self) -> None:
        self.param = self.net.write(self.folder)
        self._loaded = load(self.param)
        if self.net.quantizes:
            self.tolerance = max(self.tolerance, STEP)
        expected = [(Feed(self.net.inputs, ""), None), *self._others(), *self._batches()]
        answers = self._answers(0, self.param, [feed for feed, _ in expected])
        self._known = [
            (feed, answer)
            for (feed, blobs), answer in zip(expected, answers, strict=True)
            if is_evidence(answer[0])
            and (blobs is None or not difference(blobs, answer[0], max(self.tolerance, CLOSE)))
        ]

    @property
    def is_evidence(self) -> bool:
        """Whether the net gives numbers at the extents that it was made for."""
        return any(not feed.kind for feed, _ in self._known)

    def after(self, passes: Sequence[str] = OPTIMIZE, limit: int | None = None) -> Checked:
        """The net after some passes, or after so many rewrites of them; raises `Mismatch` if it
        computes something else."""
        remarks, counter = list[Remark](), RewriteCounter(limit)
        with observing_alone(RemarkListener(remarks.append), counter):
            module, self._loaded = self._loaded or load(self.param), None
            run_passes(module, passes)
            result = save(module, self.folder / "optimized.param")
        try:
            compared = self._compare(result)
        except Mismatch as mismatch:
            mismatch.fired = counter.fired
            raise
        record(counter.fired, compared, self.net.traits)
        return Checked(passes, result, remarks, counter.fired)

    def _others(self) -> list[tuple[Feed, Blobs | None]]:
        """Inputs of other extents that the layers take, with what the reference gives for them."""
        found: list[tuple[Feed, Blobs | None]] = []
        module = self._loaded or load(self.param)
        for feed in feeds(self.net, TRIES * self.others, crc32(self.net.text().encode())):
            if not self.only(feed):
                continue
            blobs = compute(module, feed.inputs) if len(found) < self.others else None
            if blobs is not None and is_evidence(blobs):
                found.append((feed, blobs))
        return found

    def _batches(self) -> list[tuple[Feed, None]]:
        """Inputs that are batches of blobs of the extents that the net was made for."""
        seed = crc32(self.net.text().encode())
        return [(feed, None) for feed in batch_feeds(self.net, self.batches, seed)]

    def _answers(self, fill: int, param: Path, some: Sequence[Feed]) -> list[Answers]:
        """What a model gives for some inputs in memory filled with one of `FILLS`."""
        oracle, inputs = self.runtime.oracles[fill], [feed.inputs for feed in some]
        full, default = (oracle.run(param, inputs, self.net.computed, f) for f in (True, False))
        return list(zip(full, default, strict=True))

    def _compare(self, result: Path) -> Counter[str]:
        """How often the outputs are the same, by what is different from usual."""
        compared = Counter[str]()
        answers = self._answers(1, result, [feed for feed, _ in self._known])
        for (feed, old), new in zip(self._known, answers, strict=True):
            compared.update(self._same(result, feed, old, new))
        return compared

    def _same(self, result: Path, feed: Feed, old: Answers, new: Answers) -> list[str]:
        """In what ways the outputs for a feed are found to be the same."""
        kind = feed.kind or "declared"
        if self._differ(old, new, full=True):
            self._confirm(result, feed, full=True)
            return []
        if self.net.quantizes or self.net.has_steps or not is_evidence(old[1]):
            return [kind]
        if self._differ(old, new, full=False):
            self._confirm(result, feed, full=False)
            return [kind]
        return [kind, "default options"]

    def _differ(self, old: Answers, new: Answers, full: bool) -> str:
        """In what they do, if the old ones are numbers."""
        exact, default = old
        if isinstance(exact, Failure) or not is_evidence(exact):
            return ""
        if full:
            return difference(exact, new[0], self.tolerance, self.least)
        return "" if isinstance(default, Failure) else rounding(exact, default, new[1], self.least)

    def _confirm(self, result: Path, feed: Feed, full: bool) -> None:
        """Raises `Mismatch` if the result differs from the original in processes that did nothing
        else, and the original is the same in both kinds of memory."""
        for oracle in self.runtime.oracles:
            oracle.renew()
        (old, other), new = (
            [self._answers(i, path, [feed])[0] for i in range(len(FILLS))]
            for path in (self.param, result)
        )
        if self._differ(old, other, True) or (not full and self._differ(old, other, False)):
            return
        for each in new:
            if problem := self._differ(old, each, full):
                if full and self._is_rounding(feed, old[0], each[0]):
                    return
                options = "float32" if full else "default options"
                raise Mismatch(problem, f"{options}, {feed.kind} {feed.shapes}", result)

    def _is_rounding(self, feed: Feed, exact: Blobs | Failure, new: Blobs | Failure) -> bool:
        """Whether the original differs from itself as much if inputs change by some roundings."""
        if isinstance(exact, Failure) or isinstance(new, Failure):
            return False
        rng = np.random.default_rng(0)
        shaken = [replace(feed, inputs=_shaken(feed.inputs, rng)) for _ in range(4)]
        answers = [full for full, _ in self._answers(0, self.param, shaken)]
        others = [each for each in answers if not isinstance(each, Failure)]
        for name, expected in exact.items():
            same = [each[name] for each in others if each[name].shape == expected.shape]
            doubt = max((error(each, expected) for each in same), default=0.0)
            scale = max(largest(expected), self.least)
            if new[name].shape != expected.shape:
                return False
            if not error(new[name], expected) <= self.tolerance * scale + AMPLIFIED * doubt:
                return False
        return True


def _shaken(inputs: Mapping[str, Array], rng: np.random.Generator) -> dict[str, Array]:
    """The inputs with each float a little larger or smaller."""
    return {
        name: values
        if values.dtype.kind != "f"
        else (values * (1 + SHAKEN * rng.choice([-1, 1], values.shape))).astype(values.dtype)
        for name, values in inputs.items()
    }


def check(
    net: Net, runtime: Runtime, folder: Path, passes: Sequence[str] = OPTIMIZE
) -> Checked | None:
    """A net after some passes, compared; `None` if it gives no numbers."""
    trial = Trial(net, runtime, folder)
    return trial.after(passes) if trial.is_evidence else None


def types_after(
    runtime: Runtime, folder: Path, net: Net, passes: Sequence[str] = OPTIMIZE
) -> list[str]:
    """The layer types after some passes, once the outputs are known to be the same."""
    checked = check(net, runtime, folder, passes)
    assert checked is not None, "the runtime gives no numbers"
    return checked.types
