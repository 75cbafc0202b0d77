"""The facts of a model that a report shows, free of IR."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, SSAValue

from ..analysis.memory import light_mode
from ..dialects.ncnn.assembly import names_of
from ..dialects.ncnn.blob import shape_of
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.cost import total
from ..dialects.ncnn.custom import CustomOp
from ..dialects.ncnn.function import blob_in, input_layer, input_name, outputs_of
from ..dialects.ncnn.interfaces import Identity
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.params import Param, Value
from ..dialects.ncnn.structure import InputOp, bottoms_of, carries_further_inputs
from ..dialects.shapes.analysis import Shapes
from .splits import count_splits
from .stored import StoredWeight, stored_weights

Extents = tuple[int | None, ...]

FAMILY_OF_FILE = {
    "convolution": "convolution",
    "deconvolution": "convolution",
    "innerproduct": "matrix",
    "matmul": "matrix",
    "attention": "matrix",
    "recurrent": "matrix",
    "embedding": "matrix",
    "normalization": "normalization",
    "activation": "activation",
    "elementwise": "arithmetic",
    "reduction": "arithmetic",
    "pooling": "pooling",
    "resampling": "pooling",
    "reshaping": "data",
    "joining": "data",
    "cropping": "data",
    "structure": "data",
    "conversion": "data",
    "constant": "data",
}
"""What the layers of a file of the dialect have in common; `other` for those not named."""

FAMILIES = {
    "convolution": "Convolution",
    "matrix": "Matrix product, attention, recurrence",
    "normalization": "Normalization",
    "activation": "Activation",
    "arithmetic": "Arithmetic, reduction",
    "pooling": "Pooling, resampling",
    "data": "Input, constant, shape",
    "other": "Other",
}
"""The families in words."""


@dataclass(frozen=True)
class BlobFact:
    """A blob as a layer reads or makes it."""

    name: str
    producer: int | None
    """The row that makes it."""
    shape: Extents | None
    """Row-major, `None` for an unknown extent; `None` altogether for an unknown rank."""

    def is_known(self) -> bool:
        """Whether all extents are."""
        return self.shape is not None and None not in self.shape


@dataclass(frozen=True)
class Row:
    """One layer. Figures are `None` where they depend on an extent that is not known."""

    index: int
    type: str
    name: str
    family: str
    inputs: Sequence[BlobFact]
    outputs: Sequence[BlobFact]
    settings: dict[str, str] = field(default_factory=dict[str, str])
    """The parameters that are not their default, as text."""
    derived: dict[str, str] = field(default_factory=dict[str, str])
    """Those that only repeat what the weights say."""
    weights: Sequence[StoredWeight] = ()
    macs: int | None = 0
    flops: int | None = 0
    bytes_read: int | None = 0
    bytes_written: int | None = 0
    identity: bool = False
    """Whether it only hands its inputs on."""
    step: int | None = None
    """When it runs: 0, 1, 2, …; `None` for one that never does."""
    alive: int | None = 0
    """Bytes of all blobs while the layer runs."""

    @property
    def params(self) -> int:
        """Elements of all weights."""
        return sum(w.count for w in self.weights)

    @property
    def weight_bytes(self) -> int:
        """What the weights take in the `.bin`."""
        return sum(w.nbytes for w in self.weights)

    @property
    def activation_bytes(self) -> int | None:
        """What it reads and writes."""
        return total(self.bytes_read, self.bytes_written)

    @property
    def shape(self) -> Extents | None:
        """That of the first output."""
        return self.outputs[0].shape if self.outputs else ()

    @property
    def is_drawn(self) -> bool:
        """Whether it is a node of the graph. A Split is where edges part."""
        return self.type != "Split"

    @property
    def label(self) -> str:
        """The layer as messages name it."""
        return f"{self.type} '{self.name}'"


@dataclass(frozen=True)
class Total:
    """A sum of figures, of some of which may not be known."""

    known: int
    unknown: int = 0
    """How many figures are left out of the sum."""

    @staticmethod
    def of(figures: Iterable[int | None]) -> "Total":
        """The sum of these."""
        known, unknown = 0, 0
        for n in figures:
            known += n or 0
            unknown += n is None
        return Total(known, unknown)


@dataclass
class ModelFacts:
    """A model."""

    path: str
    rows: list[Row]
    """The layers, in file order."""
    inputs: list[BlobFact]
    outputs: list[BlobFact]
    peak: Total
    """The most bytes of blobs at once, and how many blobs are left out."""
    peak_row: int | None
    """The layer at which there are so many."""
    peak_blobs: Sequence[tuple[str, int]]
    """The blobs in memory then, and the bytes of each."""
    notes: list[str] = field(default_factory=list[str])
    """What a reader has to know about these figures."""
    splits: int = 0
    """How many Splits it has as a file. In IR that passes have changed they are no rows."""
    noise: Mapping[str, float] = field(default_factory=dict[str, float])
    """What integers cost layers, by name, in dB, if it was measured."""

    @property
    def layers(self) -> int:
        """How many layers it has as a file, Splits included."""
        return sum(row.type != "Split" for row in self.rows) + self.splits

    @property
    def name(self) -> str:
        """The file without its folder: what a page that is passed on may say."""
        return os.path.basename(self.path)

    @cached_property
    def macs(self) -> Total:
        """Those of all layers."""
        return Total.of(row.macs for row in self.rows)

    @cached_property
    def flops(self) -> Total:
        """Those of all layers."""
        return Total.of(row.flops for row in self.rows)

    @cached_property
    def activation_bytes(self) -> Total:
        """What all layers read and write."""
        return Total.of(row.activation_bytes for row in self.rows)

    @cached_property
    def storage(self) -> Sequence[StoredWeight]:
        """Elements and bytes of all weights by how they are stored, the most bytes first."""
        counts, sizes = Counter[str](), Counter[str]()
        for row in self.rows:
            for w in row.weights:
                counts[w.storage] += w.count
                sizes[w.storage] += w.nbytes
        return [StoredWeight(word, counts[word], n) for word, n in sizes.most_common()]

    @property
    def params(self) -> int:
        """Elements of all weights."""
        return sum(w.count for w in self.storage)

    @property
    def weight_bytes(self) -> int:
        """The size of the `.bin`."""
        return sum(w.nbytes for w in self.storage)

    def unknown_shapes(self) -> list[Row]:
        """The layers with an output whose extents are not all known."""
        return [row for row in self.rows if not all(b.is_known() for b in row.outputs)]


def collect(func: FuncOp, path: str, notes: Sequence[str] = (), look: bool = False) -> ModelFacts:
    """The facts of a model with the shapes that its values have. `notes` are what is known about
    it besides; with `look` weights are looked into, if they are there. Raises `WeightError` if they
    cannot be read then."""
    use, blobs = light_mode(func), _Blobs(func)
    rows = blobs.input_rows()
    steps = {step.op: (i, step.nbytes) for i, step in enumerate(use.steps)}
    places: dict[LayerOp, int] = {}
    for op in _layers(func):
        places[op] = len(rows)
        if not carries_further_inputs(op):
            rows.append(_row(op, len(rows), blobs, look, *steps.get(op, (None, 0))))
    peak = use.peak_step
    facts = ModelFacts(
        path,
        rows,
        [blobs.fact(arg) for arg in func.body.block.args],
        [blobs.fact(value, blob_in(attrs)) for value, attrs in outputs_of(func)],
        Total(use.peak, use.unknown),
        None if peak is None else places[peak.op],
        [(blobs.names[value], nbytes) for value, nbytes in use.alive_at_peak],
        splits=count_splits(func),
    )
    facts.notes = [*notes, *_notes(facts, func)]
    return facts


def _layers(func: FuncOp) -> list[LayerOp]:
    """The layers as a file has them: without the constants that are weights of other layers, and
    without Input layers, which are arguments."""
    ops = list(func.body.block.ops)
    layers = [op for op in ops if isinstance(op, LayerOp)]
    used = {v for op in layers for v in op.blobs_read()}
    used |= {v for op in ops if isinstance(op, ReturnOp) for v in op.operands}
    return [op for op in layers if not isinstance(op, ConstantOp) or op.output in used]


def _notes(facts: ModelFacts, func: FuncOp) -> list[str]:
    """What the figures leave out, or take for granted."""
    notes: list[str] = []
    if unknown := facts.unknown_shapes():
        layers = f"{len(unknown):,} layer{'' if len(unknown) == 1 else 's'}"
        notes.append(f"{layers} with outputs of unknown shape, the first {unknown[0].label}")
    if "ncnn.shared_blobs" in func.attributes:
        notes.append(
            "blobs are read in several places without a Split, which light mode cannot run; "
            "counted as if there were one"
        )
    return notes


class _Blobs:
    """The names of a function's values, and which rows make them."""

    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.shapes = Shapes()
        self.names: dict[SSAValue, str] = {}
        self.producers: dict[SSAValue, int] = {}
        for i, arg in enumerate(func.body.block.args):
            self.names[arg] = input_name(func, i)
        for op in func.body.block.ops:
            if isinstance(op, LayerOp):
                for i, (result, name) in enumerate(zip(op.results, names_of(op), strict=True)):
                    self.names[result] = name or result.name_hint or f"{op.LAYER_TYPE.lower()}_{i}"
            else:  # of another dialect: no layer, but what it makes may be read by one
                for result in op.results:
                    self.names[result] = result.name_hint or op.name

    def fact(self, value: SSAValue, name: str | None = None) -> BlobFact:
        shape = shape_of(value)
        known = None if shape is None else tuple(None if n == DYNAMIC_INDEX else n for n in shape)
        return BlobFact(name or self.names[value], self.producers.get(value), known)

    def input_rows(self) -> list[Row]:
        """A row for each Input layer at the head of the file: neighbouring arguments of one layer
        name are one."""
        groups: list[tuple[str, list[BlockArgument]]] = []
        for i, arg in enumerate(self.func.body.block.args):
            if any(isinstance(use.operation, InputOp) for use in arg.uses):
                continue  # it stands further down
            name = input_layer(self.func, i) or self.names[arg]
            if not groups or groups[-1][0] != name:
                groups.append((name, []))
            groups[-1][1].append(arg)
            self.producers[arg] = len(groups) - 1
        return [
            Row(i, "Input", name, "data", [], [self.fact(arg) for arg in args])
            for i, (name, args) in enumerate(groups)
        ]


def _row(
    op: LayerOp, index: int, blobs: _Blobs, look: bool, step: int | None, alive: int | None
) -> Row:
    for result in op.results:
        blobs.producers[result] = index
    family = FAMILY_OF_FILE.get(type(op).__module__.rpartition(".")[2], "other")
    read: Sequence[SSAValue] = () if isinstance(op, InputOp) else bottoms_of(op)
    return Row(
        index,
        op.type.data if isinstance(op, CustomOp) else op.LAYER_TYPE,
        op.layer_name.data if op.layer_name is not None else "",
        family,
        [blobs.fact(v) for v in read],
        [blobs.fact(v) for v in op.results],
        *_settings(op),
        list(stored_weights(op, look)),
        op.macs(),
        op.flops(),
        op.bytes_read(),
        op.bytes_written(),
        isinstance(op, Identity) and op.forwarded(blobs.shapes) is not None,
        step,
        alive,
    )


def _settings(op: LayerOp) -> tuple[dict[str, str], dict[str, str]]:
    """The parameters that are not their default, and those that repeat what the weights say."""
    settings: dict[str, str] = {}
    repeated: dict[str, str] = {}
    for name, param in op.PARAMS.items():
        if isinstance(param, Param):
            value: Value = getattr(op, name)
            if name in op.properties and name not in ("featmask", "shape_hints"):
                settings[name] = _text(param, value)
        elif (derived := getattr(op, name)) != param.default:
            repeated[name] = str(derived)
    return settings, repeated


def _text(param: Param, value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in value)
    if isinstance(value, int) and 0 <= value < len(param.names):
        return param.names[value]
    return f"{value:g}" if isinstance(value, float) else str(value)
