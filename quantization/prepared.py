"""A model in files for the runtime, with the layers that can be int8.

The processes with the runtime read models from files. The files are temporary, and all steps of a
quantization share them.
"""

import hashlib
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.custom import CustomOp
from ..dialects.ncnn.function import output_names
from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.quantization import DynamicInt8
from ..dialects.shapes.analysis import Shapes
from ..formats.graph import Graph
from ..interpreters.errors import RunError
from ..runtime.custom_layers import CustomLayers
from ..targets.param.export import export_module
from .int8_models import integers_of, named_layers


@dataclass(frozen=True)
class Candidate:
    """A layer that can be int8."""

    name: str
    label: str
    bottom: str
    """The blob that it reads, before any Split."""
    top: str
    """Its output."""
    macs: int | None
    """Its number of multiplications, if it is known."""


class RuntimeModel:
    """A model in temporary files for the runtime, until the `with` block ends."""

    def __init__(self, module: ModuleOp, custom_layers: CustomLayers | None = None) -> None:
        self.module = module
        self.custom_layers = custom_layers or {}
        self._folder = tempfile.TemporaryDirectory(prefix="ncnn-quantize-")
        self.param, self.weights = (
            str(Path(self._folder.name, f"model.{kind}")) for kind in ("param", "bin")
        )
        self._graph = write_for_runtime(module, self.param, self.weights)

    def __enter__(self) -> "RuntimeModel":
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def path(self, name: str) -> str:
        """Return the path of another temporary file."""
        return str(Path(self._folder.name, name))

    def remove(self, *names: str) -> None:
        """Remove temporary files."""
        for name in names:
            Path(self._folder.name, name).unlink()

    @cached_property
    def fingerprint(self) -> str:
        """A text that identifies the model's files."""
        digest = hashlib.sha256()
        for path in (self.param, self.weights):
            with open(path, "rb") as f:
                digest.update(hashlib.file_digest(f, "sha256").digest())
        return digest.hexdigest()

    @cached_property
    def candidates(self) -> Sequence[Candidate]:
        """The layers that can be int8, in the order of the model."""
        return self._layers(())

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """The labels of layers in messages, by name."""
        return {name: op.label() for name, op in named_layers(self.module).items()}

    def check_candidates(self, path: str) -> None:
        """Raises `RunError` for a model in which no layer can become int8, or that the runtime
        cannot run."""
        check_layers(self.module, path, self.custom_layers)
        if not self.candidates and (already := integers_of(self.module)):
            label = self.labels[next(iter(already))]
            raise RunError(f"{path}: it is quantized already: {label} computes in integers")
        if not self.candidates:
            raise RunError(f"{path}: there is no layer that could become int8")

    def watched(self, other: ModuleOp) -> Sequence[Candidate]:
        """Return the candidates, and the layers that quantize their inputs at run time in another
        form of the model."""
        return self._layers(set(integers_of(other)))

    def _layers(self, named: Collection[str]) -> Sequence[Candidate]:
        """Return the layers that can be int8, and the layers with these names."""
        shapes, found = Shapes(), list[Candidate]()
        records = {layer.name: layer for layer in self._graph.layers}
        for name, op in named_layers(self.module).items():
            record = records.get(name)
            if record is None or not record.bottoms or not record.tops:
                continue
            could_be = isinstance(op, StaticInt8) and op.int8_refusal(shapes) is None
            if could_be or (isinstance(op, DynamicInt8) and record.name in named):
                bottom = self._unsplit.get(record.bottoms[0], record.bottoms[0])
                found.append(Candidate(record.name, op.label(), bottom, record.tops[0], op.macs()))
        return found

    def float_macs(self, integers: Collection[str]) -> float | None:
        """Return the fraction of multiplications outside these layers; `None` if the number of any
        layer is unknown."""
        ours = every = 0
        for op in model_of(self.module).body.block.ops:
            if not isinstance(op, LayerOp):
                continue
            if (macs := op.macs()) is None:
                return None
            every += macs
            ours += macs if op.layer_name is not None and op.layer_name.data in integers else 0
        return (every - ours) / every if every else 0.0

    @cached_property
    def _unsplit(self) -> Mapping[str, str]:
        """The input of the Split that makes a blob, by blob."""
        found: dict[str, str] = {}
        for layer in self._graph.layers:
            if layer.type == "Split":
                source = found.get(layer.bottoms[0], layer.bottoms[0])
                found |= dict.fromkeys(layer.tops, source)
        return found

    def in_order(self, blobs: Sequence[str]) -> list[str]:
        """Return these blobs, each once, in the order of the layers that make them."""
        places = {top: i for i, layer in enumerate(self._graph.layers) for top in layer.tops}
        return sorted(set(blobs), key=lambda blob: places[blob])

    @cached_property
    def blobs(self) -> Collection[str]:
        """The names of all blobs."""
        return {top for layer in self._graph.layers for top in layer.tops}

    @cached_property
    def outputs(self) -> list[str]:
        """The names of the outputs."""
        return output_names(model_of(self.module))


def check_layers(module: ModuleOp, path: str, custom_layers: CustomLayers) -> None:
    """Raise `RunError` for a model with a layer that the runtime lacks, unless it is one of
    `custom_layers`, and for a custom layer that the model lacks."""
    types: set[str] = set()
    for op in model_of(module).body.block.ops:
        if not isinstance(op, CustomOp):
            continue
        types.add(op.type.data)
        if op.type.data not in custom_layers:
            raise RunError(
                f"{path}: {op.label()} is a custom layer, which the ncnn package cannot run on "
                f"samples: give its class (--custom-layer {op.type.data}=MODULE:CLASS), quantize "
                "the part before it (ncnn-opt --cut-to LAYER), or only weights (--weights-only)"
            )
    for name in custom_layers:
        if name not in types:
            raise RunError(f"{path}: there is no custom layer of type {name}")


def write_for_runtime(module: ModuleOp, param: str, weights: str) -> Graph:
    """Write a copy of a model to these files; return the graph."""
    export = export_module(module.clone())
    export.save(param, weights)
    return export.graph
