"""The sources of an imported model's weights: a file, none, or a random generator."""

import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import prod
from typing import Any

from xdsl.dialects.builtin import IntAttr, TensorType, f32, i8
from xdsl.ir import Attribute

from ...dialects.ncnn.custom import is_pnnx_operator
from ...dialects.ncnn.weight_specs import WeightSlot
from ...dialects.ncnn.weights import (
    ELEMENT_TYPES,
    ElidedAttr,
    RandomAttr,
    Weight,
    WeightAttr,
    WeightFile,
    WeightSlice,
)
from ...formats.bin import BinReader
from ...formats.errors import FormatError
from ...formats.file_names import weights_beside
from ...formats.graph import FEATURE_MASK_ID, SHAPE_HINT_ID, Graph
from .. import ReadOptions

Taken = tuple[Weight, TensorType[Attribute]]
"""The value and the type of a weight."""


class WeightSource(ABC):
    """An iterator over the weights of a model in the order of the `.bin`."""

    @abstractmethod
    def take(self, slot: WeightSlot, params: Any, what: str) -> Taken:
        """Return the next weight of a layer with these parameters. `what` names it in errors.
        Raises `FormatError`."""

    def finish(self, sizes: "WeightSizing") -> None:
        """End the import after the last weight. Raises `FormatError` if surplus weights remain,
        with a hint at the cause."""


@dataclass
class FileWeights(WeightSource):
    """Weights that stay in the `.bin`: only the tags are read. The reader must be open."""

    reader: BinReader
    file: WeightFile
    allow_trailing: bool = False

    def take(self, slot: WeightSlot, params: Any, what: str) -> Taken:
        shape = slot.shape(params)
        at = self.reader.take(prod(shape), slot.encoding(params), what)
        value = WeightAttr(WeightSlice(self.file, at.offset, at.storage.layout))
        return value, TensorType(ELEMENT_TYPES[at.storage], shape)

    def finish(self, sizes: "WeightSizing") -> None:
        left = self.reader.size - self.reader.offset
        before = sizes.custom_before
        if left and (before is not None or not self.allow_trailing):
            advice = "; --allow-trailing-weights ignores them"
            if before is not None:
                advice = (
                    f". These bytes may belong to {before}, which precedes layers with weights"
                    + ("; --allow-trailing-weights cannot ignore them" * self.allow_trailing)
                    + f". If it has no weights: --custom-weights {before.split()[0]}=0"
                )
            raise FormatError(
                self.reader.path,
                f"{sizes.cause()}{left} bytes are left over after the last layer with weights, "
                f"{sizes.last} (it ends at byte {self.reader.offset}){sizes.hint}{advice}",
            )


@dataclass
class WeightSizing:
    """The layers of a file as far as their weights can be sized."""

    hint: str
    """A hint at custom layers (see `custom_hint`)."""
    last: str = "(there is none)"
    """The last layer with weights."""
    custom: str | None = None
    """The first custom layer so far whose weights are unknown."""
    custom_before: str | None = None
    """This layer, if a layer with weights follows: a surplus can be its weights, so it cannot be
    ignored."""
    undeclared: str | None = None
    """The first layer with a parameter that its declaration lacks, and the parameter."""

    def took(self, layer: str) -> None:
        """Note that a weight of this layer was read."""
        self.last, self.custom_before = layer, self.custom

    def skipped(self, layer: str) -> None:
        """Note a custom layer whose weights are unknown."""
        self.custom = self.custom or layer

    def check_parameters(self, layer: str, undeclared: Collection[int]) -> None:
        """Note the undeclared parameters of a layer that the runtime has."""
        unknown = sorted(set(undeclared) - {SHAPE_HINT_ID, FEATURE_MASK_ID})
        if unknown and self.undeclared is None:
            self.undeclared = f"{layer} (parameter {unknown[0]} is unknown)"

    def cause(self) -> str:
        """Return the layer that cannot be sized as the beginning of a message; empty if the
        parameters of all layers determine their weights."""
        layer = self.custom or self.undeclared
        return "" if layer is None else f"the weights of {layer} cannot be sized: "


def custom_hint(custom_types: Sequence[str], counted: Collection[str]) -> str:
    """Return a hint for a `.bin` that does not fit a model with custom layers; `counted` are the
    types with given weight sizes."""
    uncounted = [name for name in custom_types if name not in counted]
    own = [name for name in uncounted if not is_pnnx_operator(name)]
    left = [name for name in uncounted if is_pnnx_operator(name)]
    hints = ""
    if left:
        hints = (
            f". The layers {_listed(left)}, which ncnn lacks and PNNX did not lower, "
            "were assumed to have no weights; --pnnx FILE.pnnx.param has their sizes, or give the "
            f"floats of each instance of a custom layer: --custom-weights {left[0]}=COUNT[,COUNT…]"
        )
    if own:
        hints += (
            f". The custom layers {_listed(own)} were assumed to have no weights; give the "
            f"floats of each instance: --custom-weights {own[0]}=COUNT[,COUNT…]"
        )
    if known := [name for name in custom_types if name in counted and not is_pnnx_operator(name)]:
        hints += (
            f". The weights of {_listed(known)} come from --custom-weights; a weight that the "
            "layer loads with a tag (ModelBin::load(w, 0)) has one float more"
        )
    return hints


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _expected_type(slot: WeightSlot, params: Any) -> TensorType[Attribute]:
    """Return the type of a weight derived from parameters only."""
    quantized = slot.quantized_by is not None and getattr(params, slot.quantized_by, 0)
    is_bytes = quantized or slot.encoding(params) == "packed"
    return TensorType(i8 if is_bytes else f32, slot.shape(params))


@dataclass
class NoWeights(WeightSource):
    """Structure only: every weight is `#ncnn.elided`."""

    def take(self, slot: WeightSlot, params: Any, what: str) -> Taken:
        return ElidedAttr(), _expected_type(slot, params)


@dataclass
class AbsentWeights(WeightSource):
    """No `.bin`, for a model whose layers have no weights."""

    path: str
    """The path of the graph."""
    missing: str
    """The path that the `.bin` would have."""

    def take(self, slot: WeightSlot, params: Any, what: str) -> Taken:
        raise self._error()

    def finish(self, sizes: WeightSizing) -> None:
        if sizes.custom is not None:
            type_ = sizes.custom.split()[0]
            raise self._error(f"; if {sizes.custom} has no weights: --custom-weights {type_}=0")

    def _error(self, advice: str = "") -> FormatError:
        return FormatError(
            self.path,
            f"there is no '{self.missing}' beside it: name the weights with --weights FILE, or use "
            f"--weights none or --weights random{advice}",
        )


@dataclass
class RandomWeights(WeightSource):
    """Random weights from a seed, with one stream per weight."""

    seed: int = 0
    _streams: int = field(default=0, init=False)

    def take(self, slot: WeightSlot, params: Any, what: str) -> Taken:
        value = RandomAttr(IntAttr(self.seed), IntAttr(self._streams), IntAttr(int(slot.positive)))
        self._streams += 1
        return value, _expected_type(slot, params)


STRUCTURE_ONLY = "structure only: weights are counted as the parameters say, as float32 or int8"
"""The message for a model that was read without weights."""


def open_source(graph: Graph, path: str, options: ReadOptions, stack: ExitStack) -> WeightSource:
    """Return the source of the weights of a graph in `path`; a file stays open until the end of
    `stack`. A warning is added to the graph's. Raises `FormatError`, and `OSError` if the file
    cannot be opened."""
    wanted, beside = options.weights, weights_beside(path)
    if options.structure_only and wanted in (None, "none"):
        if wanted == "none" or not os.path.exists(beside):
            lost = [] if wanted == "none" else [f"there is no '{beside}'"]
            graph.warnings.insert(0, "; ".join([*lost, STRUCTURE_ONLY]))
            return NoWeights()
    if wanted == "none":
        return NoWeights()
    if wanted == "":
        raise FormatError("", "--weights needs a file name, none or random")
    if wanted == "random":
        return RandomWeights()
    if wanted is not None and wanted.startswith("random:"):
        seed = wanted.removeprefix("random:")
        if not seed.isdecimal():
            raise FormatError("", f"--weights random:SEED needs a number, not '{seed}'")
        return RandomWeights(int(seed))
    bin_path = beside if wanted is None else wanted
    if wanted is None and not os.path.exists(bin_path):
        return AbsentWeights(path, bin_path)
    file = WeightFile.open(bin_path)
    reader = stack.enter_context(BinReader(bin_path))
    return FileWeights(reader, file, options.allow_trailing)
