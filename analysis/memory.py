"""How much memory the blobs of a model take at once when the runtime runs it in light mode.

ncnn computes a blob when it is asked for, and whatever that needs first (src/net.cpp,
`NetPrivate::forward_layer`): layers run in the order in which the outputs demand them. A layer's
outputs are allocated while its inputs still stand; then each input is released, and its memory is
free as soon as no other blob shares it (`do_forward_layer`). Blobs of a Split share memory; a layer
that works in place takes the memory of its input, or a copy of it while others share it.

Only blobs are counted, in float32 (int8 where a convolution requantizes) and without packing,
inputs held by the caller to the end: not what a layer takes for itself while it runs (padded
inputs, transformed ones), nor the weights.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialects.ncnn.cost import Memory, mat_bytes
from ..dialects.ncnn.function import outputs_of
from ..dialects.ncnn.layer import LayerOp


@dataclass(frozen=True)
class Step:
    """One layer as it runs."""

    op: LayerOp
    nbytes: int | None
    """What all blobs take while the layer has both its inputs and its outputs; `None` if the size
    of one of them is not known."""


@dataclass
class MemoryUse:
    """What the blobs of a model take, from its first layer to its last."""

    inputs: int = 0
    """Bytes of the inputs."""
    steps: list[Step] = field(default_factory=list[Step])
    """The layers in the order in which they run."""
    unknown: int = 0
    """Blobs whose size is not known. Other figures leave them out."""
    peak: int = 0
    """The most bytes at once."""
    peak_step: Step | None = None
    """The first layer at which there are so many."""
    alive_at_peak: Sequence[tuple[SSAValue, int]] = ()
    """The blobs that are in memory then, and the bytes of each."""

    def note(self, op: LayerOp, buffers: Sequence["_Buffer"]) -> None:
        """Records a layer that has run, and all memory that is taken."""
        known = [(b.value, b.nbytes) for b in buffers if b.nbytes is not None]
        nbytes = sum(n for _, n in known)
        self.steps.append(Step(op, nbytes if len(known) == len(buffers) else None))
        if self.peak_step is None or nbytes > self.peak:
            self.peak, self.peak_step, self.alive_at_peak = nbytes, self.steps[-1], known


@dataclass(eq=False)
class _Buffer:
    """A piece of memory, and how many blobs are in it."""

    value: SSAValue
    """The blob that was written there last."""
    nbytes: int | None
    holders: int = 0


def light_mode(func: FuncOp) -> MemoryUse:
    """What a model takes if all of its outputs are extracted in their order."""
    return _Run(func).run()


class _Run:
    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.use = MemoryUse()
        self.taken: dict[_Buffer, None] = {}
        self.blobs: dict[SSAValue, _Buffer] = {}

    def run(self) -> MemoryUse:
        for arg in self.func.body.block.args:
            buffer = self.allocate(arg)
            self.define(arg, buffer)
            buffer.holders += 1  # the caller's
        self.use.inputs = self.use.peak = sum(b.nbytes or 0 for b in self.taken)
        for op in demanded(self.func):
            self.forward(op)
        return self.use

    def allocate(self, value: SSAValue) -> _Buffer:
        nbytes = mat_bytes(value)
        self.use.unknown += nbytes is None
        buffer = _Buffer(value, nbytes)
        self.taken[buffer] = None
        return buffer

    def define(self, value: SSAValue, buffer: _Buffer) -> None:
        """A new blob: one for each use, as a Split makes them where the file has none."""
        self.blobs[value] = buffer
        buffer.holders += max(1, value.uses.get_length())

    def forward(self, op: LayerOp) -> None:
        bottoms = [self.blobs[value] for value in op.blobs_read()]
        copies: list[_Buffer] = []
        tops: list[_Buffer] = []
        if op.memory() is Memory.IN_PLACE:
            for value, buffer in zip(op.blobs_read(), bottoms, strict=True):
                copies.append(self.allocate(value) if buffer.holders > 1 else buffer)
            tops = copies[: len(op.results)]
            for result, buffer in zip(op.results, tops, strict=True):
                buffer.value = result
        else:
            for result, source in zip(op.results, op.reused(), strict=True):
                tops.append(self.allocate(result) if source is None else self.blobs[source])
        for result, buffer in zip(op.results, tops, strict=True):
            self.define(result, buffer)
        self.use.note(op, list(self.taken))
        for buffer in bottoms:
            buffer.holders -= 1
        for buffer in {*bottoms, *copies}:
            if not buffer.holders:
                del self.taken[buffer]


def demanded(func: FuncOp) -> Iterator[LayerOp]:
    """The layers that the outputs of a model need, in the order in which ncnn runs them."""
    done: set[LayerOp] = set()
    for output, _ in outputs_of(func):
        stack = [(op, iter(op.blobs_read())) for op in _producer(output)]
        while stack:
            op, bottoms = stack[-1]
            if op in done:
                stack.pop()
                continue
            needed = next((p for value in bottoms for p in _producer(value) if p not in done), None)
            if needed is not None:
                stack.append((needed, iter(needed.blobs_read())))
                continue
            stack.pop()
            done.add(op)
            yield op


def _producer(value: SSAValue) -> list[LayerOp]:
    return [value.owner] if isinstance(value.owner, LayerOp) else []
