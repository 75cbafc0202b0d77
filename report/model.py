"""The facts of a model that a report shows, free of IR."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

from ..analysis.memory import light_mode
from ..analysis.shape_inference import input_layers
from ..analysis.states import State, states_of
from ..dialects.ncnn.assembly import names_of
from ..dialects.ncnn.blob import shape_of
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.cost import total
from ..dialects.ncnn.custom import CustomOp
from ..dialects.ncnn.function import (
    blob_in,
    blobs_without_split,
    input_layer,
    input_name,
    outputs_of,
)
from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.interfaces import Identity
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.params import Param, Value
from ..dialects.ncnn.quantization import DynamicInt8
from ..dialects.ncnn.structure import InputOp, bottoms_of, carries_further_inputs
from ..dialects.shapes.analysis import Shapes
from .families import FAMILY_OF_MODULE
from .splits import count_splits
from .stored import StoredWeight, stored_weights

if TYPE_CHECKING:
    from ..analysis.float16.ranges import LayerRange

Extents = tuple[int | None, ...]


@dataclass(frozen=True)
class BlobFact:
    """A blob that a layer reads or writes."""

    name: str
    producer: int | None
    """The row that writes it."""
    shape: Extents | None
    """Row-major; `None` for an unknown extent. `None` instead of the tuple for an unknown rank."""

    def is_known(self) -> bool:
        """Whether all extents are known."""
        return self.shape is not None and None not in self.shape


@dataclass(frozen=True)
class LayerRow:
    """One layer. Figures that depend on an unknown extent are `None`."""

    index: int
    type: str
    name: str
    family: str
    inputs: Sequence[BlobFact]
    outputs: Sequence[BlobFact]
    settings: dict[str, str] = field(default_factory=dict[str, str])
    """The parameters with non-default values, as text."""
    derived: dict[str, str] = field(default_factory=dict[str, str])
    """The parameters that follow from the weights, as text."""
    weights: Sequence[StoredWeight] = ()
    macs: int | None = 0
    flops: int | None = 0
    bytes_read: int | None = 0
    bytes_written: int | None = 0
    identity: bool = False
    """Whether the layer only forwards its inputs."""
    step: int | None = None
    """The position in execution order: 0, 1, 2, …; `None` for a layer that never runs."""
    alive: int | None = 0
    """The bytes of all blobs in memory while the layer runs."""
    kind: str = ""
    """The arithmetic of a layer that can compute with integers: `int8`, `4 bits`, … or `float`;
    empty for all other layers."""

    @property
    def params(self) -> int:
        """The number of elements of all weights."""
        return sum(w.count for w in self.weights)

    @property
    def weight_bytes(self) -> int:
        """The size of the weights in the `.bin`, in bytes."""
        return sum(w.nbytes for w in self.weights)

    @property
    def activation_bytes(self) -> int | None:
        """The bytes of blobs that the layer reads and writes."""
        return total(self.bytes_read, self.bytes_written)

    @property
    def shape(self) -> Extents | None:
        """The shape of the first output."""
        return self.outputs[0].shape if self.outputs else ()

    @property
    def is_drawn(self) -> bool:
        """Whether the graph has a node for the layer. A Split appears as a fork of edges."""
        return self.type != "Split"

    @property
    def label(self) -> str:
        """The type and name for messages."""
        return f"{self.type} '{self.name}'"


@dataclass(frozen=True)
class Total:
    """A sum of figures, some of them possibly unknown."""

    known: int
    unknown: int = 0
    """The number of unknown figures, which the sum omits."""

    @staticmethod
    def of(figures: Iterable[int | None]) -> "Total":
        """Return the sum of figures."""
        known, unknown = 0, 0
        for n in figures:
            known += n or 0
            unknown += n is None
        return Total(known, unknown)


@dataclass
class ModelFacts:
    """The facts of a model."""

    path: str
    rows: list[LayerRow]
    """The layers, in file order."""
    inputs: list[BlobFact]
    outputs: list[BlobFact]
    peak: Total
    """The peak of the bytes of blobs in memory, and the number of blobs of unknown size."""
    peak_row: int | None
    """The layer that reaches the peak."""
    peak_blobs: Sequence[tuple[str, int]]
    """The blobs in memory at the peak, with the bytes of each."""
    notes: list[str] = field(default_factory=list[str])
    """Notes on the figures for the reader."""
    splits: int = 0
    """The number of Splits in the file. IR that passes have changed has no rows for them."""
    device_lines: Sequence[str] = ()
    """The layers on a device and on the CPU (`device.py`), if a device was given."""
    device_data: Mapping[str, Any] | None = None
    """The same as data."""
    noise: Mapping[str, float] = field(default_factory=dict[str, float])
    """The signal-to-noise ratio of quantized layers in dB, by layer name, if it was measured."""
    output_noise: Mapping[str, float] = field(default_factory=dict[str, float])
    """The same of the outputs, or of groups of one, by blob name."""
    times: Mapping[str, float] = field(default_factory=dict[str, float])
    """The time of layers in milliseconds, by layer name, if it was measured."""
    latency: float | None = None
    """The median time of a run in milliseconds, if it was measured."""
    error: float | None = None
    """The largest difference of an output from the model that it is compared with, relative to the
    output's largest value; `None` if the models were not run."""
    agrees: bool = True
    """Whether the outputs agree."""
    ranges: Mapping[str, "LayerRange"] = field(default_factory=dict[str, "LayerRange"])
    """The ranges of values by layer name, if samples were given."""
    guessed: str = ""
    """The shapes of inputs that the file lacks or contradicts, and that the figures assume, as
    text; empty if there are none."""
    states: Sequence[State] = ()
    """The inputs that the application sets to outputs of the call before."""

    @property
    def layers(self) -> int:
        """The number of layers in the file, including Splits."""
        return sum(row.type != "Split" for row in self.rows) + self.splits

    @property
    def has_integers(self) -> bool:
        """Whether a layer computes with integers."""
        return any(row.kind not in ("", "float") for row in self.rows)

    @property
    def name(self) -> str:
        """The file without its folder: a shared page must not show folders."""
        return os.path.basename(self.path)

    @cached_property
    def macs(self) -> Total:
        """The MACs of all layers."""
        return Total.of(row.macs for row in self.rows)

    @cached_property
    def flops(self) -> Total:
        """The FLOPs of all layers."""
        return Total.of(row.flops for row in self.rows)

    @cached_property
    def activation_bytes(self) -> Total:
        """The bytes of blobs that all layers read and write."""
        return Total.of(row.activation_bytes for row in self.rows)

    @cached_property
    def storage(self) -> Sequence[StoredWeight]:
        """The elements and bytes of all weights by storage type, in descending order of bytes."""
        counts, sizes = Counter[str](), Counter[str]()
        for row in self.rows:
            for w in row.weights:
                counts[w.storage] += w.count
                sizes[w.storage] += w.nbytes
        return [StoredWeight(word, counts[word], n) for word, n in sizes.most_common()]

    @property
    def params(self) -> int:
        """The number of elements of all weights."""
        return sum(w.count for w in self.storage)

    @property
    def weight_bytes(self) -> int:
        """The size of the `.bin` in bytes."""
        return sum(w.nbytes for w in self.storage)

    def unknown_shapes(self) -> list[LayerRow]:
        """Return the layers with an output of unknown shape."""
        return [row for row in self.rows if not all(b.is_known() for b in row.outputs)]

    def verdict(self) -> dict[str, str]:
        """Return the result of the comparison of outputs for a table of models, if there is one."""
        if self.error is None:
            return {}
        return {"verdict": "PASSED" if self.agrees else "FAILED", "error": f"{self.error:.2g}"}

    def figures(self) -> dict[str, int]:
        """Return the totals for a table of models; without figures that depend on unknown
        shapes."""
        sizes = {"parameters": self.params, "bytes of weights": self.weight_bytes}
        shaped = {"multiply-adds": self.macs, "bytes at the peak": self.peak}
        known = {name: total.known for name, total in shaped.items() if not total.unknown}
        return {"layers": self.layers, **known, **sizes}


def collect(func: FuncOp, path: str, notes: Sequence[str] = (), look: bool = False) -> ModelFacts:
    """Return the facts of a model with the shapes that its values have. `notes` are added to the
    notes on the figures. With `look`, also collect statistics of the weights' values. Raise
    `WeightError` if these values cannot be read."""
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
        states=states_of(func),
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
    """Return notes on the assumptions and omissions of the figures."""
    notes: list[str] = []
    if unknown := facts.unknown_shapes():
        layers = f"{len(unknown):,} layer{'' if len(unknown) == 1 else 's'}"
        notes.append(f"{layers} with outputs of unknown shape, the first {unknown[0].label}")
    if blobs_without_split(func):
        notes.append(
            "blobs are read in several places without a Split, which light mode cannot run; "
            "counted as if there were one"
        )
    return notes


class _Blobs:
    """The names of a function's values, and the rows that produce them."""

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
            else:  # an operation of another dialect, whose results layers may read
                for result in op.results:
                    self.names[result] = result.name_hint or op.name

    def fact(self, value: SSAValue, name: str | None = None) -> BlobFact:
        shape = shape_of(value)
        known = None if shape is None else tuple(None if n == DYNAMIC_INDEX else n for n in shape)
        return BlobFact(name or self.names[value], self.producers.get(value), known)

    def input_rows(self) -> list[LayerRow]:
        """Return a row for each Input layer at the start of the file. Adjacent arguments with the
        same layer name form one row."""
        rows: list[LayerRow] = []
        for indices in input_layers(self.func):
            args = [self.func.body.block.args[i] for i in indices]
            self.producers |= dict.fromkeys(args, len(rows))
            name = input_layer(self.func, indices[0]) or self.names[args[0]]
            blobs = [self.fact(arg) for arg in args]
            rows.append(LayerRow(len(rows), "Input", name, "data", [], blobs))
        return rows


def _row(
    op: LayerOp, index: int, blobs: _Blobs, look: bool, step: int | None, alive: int | None
) -> LayerRow:
    for result in op.results:
        blobs.producers[result] = index
    family = FAMILY_OF_MODULE.get(type(op).__module__.rpartition(".")[2], "other")
    read: Sequence[SSAValue] = () if isinstance(op, InputOp) else bottoms_of(op)
    return LayerRow(
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
        isinstance(op, Identity) and op.fold_to_values(blobs.shapes) is not None,
        step,
        alive,
        _kind(op),
    )


def _kind(op: LayerOp) -> str:
    if isinstance(op, StaticInt8):
        return "int8" if op.computes_int8() else "float"
    return op.integers() or "float" if isinstance(op, DynamicInt8) else ""


def _settings(op: LayerOp) -> tuple[dict[str, str], dict[str, str]]:
    """Return the parameters with non-default values, and those that follow from the weights."""
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
