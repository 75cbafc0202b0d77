"""The layers of a model that the ncnn runtime computes on a Vulkan device, and the transfers of
blobs between the device and the CPU.

`analysis/target_info/vulkan.py` has the table of implementations. A layer reads its blobs where it
runs; the runtime copies a blob from the other side once, and waits for the device before it copies
a blob to the CPU (`src/net.cpp`, `NetPrivate::forward_layer`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from ..dialects.ncnn.cost import blob_bytes
from ..dialects.ncnn.custom import CustomOp
from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.quantization import block_quantization, is_int8
from .memory import light_mode
from .target_info.releases import releases
from .target_info.vulkan import allows_int8, vulkan_layers

NO_VULKAN = 1 << 4
"""The bit of a layer's feature mask that turns Vulkan off (`src/net.cpp`, `get_masked_option`)."""


class Condition(NamedTuple):
    """A condition under which a layer with a Vulkan implementation runs on the CPU."""

    holds: Callable[[Any], bool]
    words: str


def _int8_term(op: Any) -> int:
    """Return the parameter that ncnn calls `int8_scale_term` or `quantize_term`."""
    return getattr(op, "int8_scale_term", 0) or getattr(op, "quantize_term", 0)


def _is_int8(op: Any) -> bool:
    return is_int8(_int8_term(op))


def _pads_int8(op: Any) -> bool:
    return _int8_term(op) != 0 and op.pad_value != 0


def _has_blocks(op: Any) -> bool:
    return block_quantization(_int8_term(op)) is not None


def _has_dynamic_weights(op: Any) -> bool:
    return op.weights_are_dynamic()


CONDITIONS: Mapping[str, Condition] = {
    "dynamic_weight": Condition(_has_dynamic_weights, "its weights are blobs"),
    "int8_scale_term": Condition(_is_int8, "it computes int8"),
    "int8_scale_term && pad_value != 0.f": Condition(
        _pads_int8, "it pads int8 with a value that is not 0"
    ),
    "weight_block_quantize": Condition(_has_blocks, "its weights are quantized in blocks"),
}
"""The conditions in ncnn's sources, by their C++ text in `vulkan.json`."""


def cpu_reason(op: LayerOp, release: str | None = None) -> str | None:
    """Return the reason why a layer runs on the CPU in a release of the runtime, by default the
    newest one; `None` if it runs on the device."""
    layers = vulkan_layers(release or releases()[-1])
    if isinstance(op, CustomOp) or op.LAYER_TYPE not in layers:
        first = first_release(op.LAYER_TYPE)
        return "no Vulkan implementation" + ("" if first is None else f" before {first}")
    if op.featmask & NO_VULKAN:
        return "its feature mask turns Vulkan off"
    held = (CONDITIONS[text] for text in layers[op.LAYER_TYPE] if CONDITIONS[text].holds(op))
    return next((each.words for each in held), None)


def first_release(layer: str) -> str | None:
    """Return the first release with a Vulkan implementation of a layer type, if there is one."""
    return next((each for each in releases() if layer in vulkan_layers(each)), None)


class Transfer(NamedTuple):
    """A blob that is copied between the device and the CPU."""

    blob: SSAValue
    to_device: bool

    @property
    def nbytes(self) -> int | None:
        """The size in float32; `None` for an unknown size."""
        return blob_bytes(self.blob)


@dataclass(frozen=True)
class Placement:
    """The side on which each layer of a model runs."""

    release: str
    """The release of the runtime."""
    layers: Sequence[LayerOp]
    """All layers in execution order."""
    on_cpu: Mapping[LayerOp, str]
    """The layers on the CPU, with the reason of each."""
    transfers: Sequence[Transfer]
    """The transfers between layers. The model's inputs and outputs are further transfers."""

    def islands(self) -> list[list[LayerOp]]:
        """Return the islands: layers on the device that are connected by blobs, in execution
        order."""
        on_device = [op for op in self.layers if op not in self.on_cpu]
        connected, members = DisjointSet(on_device), set(on_device)
        for op in on_device:
            for value in op.operands:
                if isinstance(value.owner, LayerOp) and value.owner in members:
                    connected.union(op, value.owner)
        found: dict[LayerOp, list[LayerOp]] = {}
        for op in on_device:
            found.setdefault(connected.find(op), []).append(op)
        return list(found.values())


def placement(func: FuncOp, release: str) -> Placement:
    """Return the sides on which the layers of a model run in a release of the runtime."""
    layers = [step.op for step in light_mode(func).steps]
    reasons = ((op, cpu_reason(op, release)) for op in layers)
    on_cpu = {op: reason for op, reason in reasons if reason is not None}
    if not allows_int8(release) and any(
        isinstance(op, StaticInt8) and _int8_term(op) for op in layers
    ):
        first = next(each for each in releases() if allows_int8(each))
        on_cpu = {op: f"an int8 layer turns Vulkan off before {first}" for op in layers}
    return Placement(release, layers, on_cpu, list(_transfers(layers, on_cpu)))


def _transfers(layers: Sequence[LayerOp], on_cpu: Mapping[LayerOp, str]) -> Iterator[Transfer]:
    """Yield the blobs that layers of both sides use."""
    executed = set(layers)
    for op in layers:
        for value in op.results:
            users = {use.operation for use in value.uses} & executed
            if any((user in on_cpu) != (op in on_cpu) for user in users):
                yield Transfer(value, op in on_cpu)


def leaves_device(
    layers: Sequence[LayerOp], cls: type[LayerOp], release: str | None = None
) -> bool:
    """Whether replacing layers by a layer of type `cls` moves work from the device to the CPU: all
    layers run on the device, and the type has no Vulkan implementation in a release, by default
    the newest one."""
    release = release or releases()[-1]
    if cls.LAYER_TYPE in vulkan_layers(release):
        return False
    return all(cpu_reason(op, release) is None for op in layers)
