"""The memory of a model's blobs when the runtime runs the model in light mode.

ncnn computes a blob on demand, after the blobs that it depends on (src/net.cpp,
`NetPrivate::forward_layer`): the outputs determine the order of layers. A layer's outputs are
allocated while its inputs are still in memory; then each input is released. Its memory is free as
soon as no other blob shares it (`do_forward_layer`). The outputs of a Split share memory. A layer
that works in place reuses the memory of its input, or of a copy while other blobs share it.

The figures count blobs only, in float32 (int8 where a convolution requantizes) and without packing.
The caller holds the inputs to the end. Weights and the temporary memory of layers (padded or
transformed inputs) do not count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialects.ncnn.cost import Memory, mat_bytes
from ..dialects.ncnn.function import outputs_of
from ..dialects.ncnn.layer import LayerOp


@dataclass(frozen=True)
class LayerMemory:
    """The run of one layer."""

    op: LayerOp
    nbytes: int | None
    """The bytes of all blobs while the layer's inputs and outputs are in memory; `None` if the size
    of a blob is unknown."""


@dataclass
class MemoryUse:
    """The memory of a model's blobs during a run."""

    inputs: int = 0
    """The bytes of the inputs."""
    steps: list[LayerMemory] = field(default_factory=list[LayerMemory])
    """The layers in execution order."""
    unknown: int = 0
    """The number of blobs of unknown size. Other figures omit them."""
    peak: int = 0
    """The largest number of bytes at one time."""
    peak_step: LayerMemory | None = None
    """The first layer that reaches the peak."""
    alive_at_peak: Sequence[tuple[SSAValue, int]] = ()
    """The blobs in memory at the peak, with the bytes of each."""

    def note(self, op: LayerOp, buffers: Sequence["_Buffer"]) -> None:
        """Record the run of a layer, and all buffers that are allocated then."""
        known = [(b.value, b.nbytes) for b in buffers if b.nbytes is not None]
        nbytes = sum(n for _, n in known)
        self.steps.append(LayerMemory(op, nbytes if len(known) == len(buffers) else None))
        if self.peak_step is None or nbytes > self.peak:
            self.peak, self.peak_step, self.alive_at_peak = nbytes, self.steps[-1], known


@dataclass(eq=False)
class _Buffer:
    """A piece of memory, and the number of blobs that share it."""

    value: SSAValue
    """The blob that was last written to it."""
    nbytes: int | None
    holders: int = 0


def light_mode(func: FuncOp) -> MemoryUse:
    """Return the memory use of a model if all its outputs are extracted in order."""
    return _Simulation(func).simulate()


class _Simulation:
    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.use = MemoryUse()
        self.taken: dict[_Buffer, None] = {}
        self.blobs: dict[SSAValue, _Buffer] = {}

    def simulate(self) -> MemoryUse:
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
        """Define a blob. Each use counts as a separate blob, as if the file had a Split."""
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
    """Yield the layers that the outputs of a model need, in ncnn's execution order."""
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
