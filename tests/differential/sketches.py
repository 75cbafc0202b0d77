"""Models whose blobs may have any number of readers: Splits are put in when they are written."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .nets import EXTENT_IDS, Array, Net, Params, Shape, format_param


@dataclass(frozen=True)
class Step:
    """A layer, and what it writes into the `.bin` before its line."""

    kind: str
    reads: tuple[str, ...]
    blob: str
    params: Params
    weigh: Callable[[Net], None]


@dataclass
class Sketch:
    """Collects layers with one output each."""

    seed: int = 0
    steps: list[Step] = field(default_factory=list[Step])
    inputs: dict[str, tuple[Shape, bool, float]] = field(
        default_factory=dict[str, tuple[Shape, bool, float]]
    )
    also_outputs: list[str] = field(default_factory=list[str])
    """Blobs that are outputs, whoever else reads them."""

    def input(self, shape: Shape, declared: bool = True, scale: float = 1.0) -> str:
        """An Input of normal values times a scale; `declared`: the file tells its extents."""
        name = f"in{len(self.inputs)}"
        self.inputs[name] = shape, declared, scale
        return name

    def layer(
        self,
        kind: str,
        reads: str | Sequence[str],
        params: Params | None = None,
        weigh: Callable[[Net], None] = lambda net: None,
    ) -> str:
        """A layer; returns its blob."""
        blob = f"{kind.lower()}{len(self.steps)}"
        names = (reads,) if isinstance(reads, str) else tuple(reads)
        self.steps.append(Step(kind, names, blob, params or {}, weigh))
        return blob

    def constant(self, values: Array) -> str:
        """A MemoryData layer."""
        extents = dict(zip(EXTENT_IDS[values.ndim], values.shape, strict=True))
        return self.layer("MemoryData", (), extents, lambda net: net.plain(values))

    def build(self) -> Net:
        """The model."""
        net = Net(self.seed)
        readers = Counter(blob for step in self.steps for blob in step.reads)
        readers.update(self.also_outputs)
        names: dict[str, list[str]] = {}

        def made(blob: str) -> None:
            names[blob] = [blob]
            if readers[blob] > 1:
                names[blob] = [f"{blob}_{i}" for i in range(readers[blob])]
                net.layer("Split", blob, names[blob], name=f"split_{blob}")

        for blob, (shape, declared, scale) in self.inputs.items():
            net.input(blob, shape, declared)
            net.inputs[blob] *= scale
            made(blob)
        for step in self.steps:
            step.weigh(net)
            bottoms = [names[blob].pop() for blob in step.reads]
            text = " ".join(format_param(id, value) for id, value in step.params.items())
            net.layer(step.kind, bottoms, step.blob, text)
            made(step.blob)
        return net
