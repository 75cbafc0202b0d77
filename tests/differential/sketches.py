"""Models whose blobs may have any number of readers: Splits are put in when they are written."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .nets import PLAIN, Array, Dress, Net, Params, Shape

Weigh = Callable[[Net], None]
"""Writes a layer's weights into the `.bin`."""


def nothing(net: Net) -> None:
    """No weights."""


@dataclass(frozen=True)
class Step:
    """A layer."""

    kind: str
    reads: tuple[str, ...]
    makes: tuple[str, ...]
    params: Params | str
    weigh: Weigh
    constant: Array | None = None
    """What a MemoryData holds."""

    @property
    def blob(self) -> str:
        """Its first output."""
        return self.makes[0]


@dataclass
class Sketch:
    """Collects layers, each reading any blobs before it."""

    seed: int = 0
    steps: list[Step] = field(default_factory=list[Step])
    inputs: dict[str, tuple[Shape, bool | Shape, float]] = field(
        default_factory=dict[str, tuple[Shape, bool | Shape, float]]
    )
    """The arguments of `Net.input`."""
    also_outputs: list[str] = field(default_factory=list[str])
    """Blobs that are outputs, whoever else reads them."""

    def input(self, shape: Shape, declared: bool | Shape = True, scale: float = 1.0) -> str:
        """An Input, see `Net.input`."""
        name = f"in{len(self.inputs)}"
        self.inputs[name] = shape, declared, scale
        return name

    def layer(
        self,
        kind: str,
        reads: str | Sequence[str],
        params: Params | str | None = None,
        weigh: Weigh = nothing,
    ) -> str:
        """A layer of one output; returns its blob."""
        (blob,) = self.cut(kind, reads, 1, params, weigh)
        return blob

    def cut(
        self,
        kind: str,
        reads: str | Sequence[str],
        count: int,
        params: Params | str | None = None,
        weigh: Weigh = nothing,
    ) -> tuple[str, ...]:
        """A layer of so many outputs; returns them."""
        name = f"{kind.lower()}{len(self.steps)}"
        blobs = (name,) if count == 1 else tuple(f"{name}_{i}" for i in range(count))
        names = (reads,) if isinstance(reads, str) else tuple(reads)
        self.steps.append(Step(kind, names, blobs, params or {}, weigh))
        return blobs

    def constant(self, values: Array) -> str:
        """A MemoryData layer."""
        blob = f"memorydata{len(self.steps)}"
        self.steps.append(Step("MemoryData", (), (blob,), {}, nothing, values))
        return blob

    def build(self, dress: Dress = PLAIN) -> Net:
        """The model."""
        net = Net(self.seed, dress)
        readers = Counter(blob for step in self.steps for blob in step.reads)
        readers.update(self.also_outputs)
        names: dict[str, list[str]] = {}

        def made(blob: str, top: str) -> None:
            names[blob] = [top]
            if readers[blob] > 1:
                names[blob] = [f"{top}_{i}" for i in range(readers[blob])]
                net.layer("Split", top, names[blob], name=f"split_{top}")

        for blob, (shape, declared, scale) in self.inputs.items():
            made(blob, net.input(blob, shape, declared, scale))
        for step in self.steps:
            bottoms = [names[blob].pop() for blob in step.reads]
            if step.constant is None:
                step.weigh(net)
                net.layer(step.kind, bottoms, step.makes, step.params)
            else:
                net.constant(step.blob, step.constant)
            for blob in step.makes:
                made(blob, blob)
        return net
