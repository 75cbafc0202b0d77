"""The layers of a model on a Vulkan device, as lines of text and as data."""

from collections.abc import Iterator
from typing import Any

from xdsl.dialects.func import FuncOp

from ..analysis.vulkan import Placement, Transfer, placement
from ..dialects.ncnn.assembly import names_of
from ..dialects.ncnn.layer import LayerOp
from .model import ModelFacts, Total
from .shared_texts import described, plural
from .units import share, size


def place(facts: ModelFacts, func: FuncOp, release: str) -> None:
    """Add the placement of a model's layers in a release of the runtime to its facts."""
    placed = placement(func, release)
    transfers = (f"to the {_side(t)}: blob {_name(t)}, {size(t.nbytes)}" for t in placed.transfers)
    lines = [*_islands(placed), *cpu_lines(placed), *transfers]
    facts.device_lines = [summary_line(placed), *(f"  {line}" for line in lines)]
    facts.device_data = placement_json(placed)


def summary_line(placed: Placement) -> str:
    """Return the number of layers on the device and of transfers."""
    total, on_device = len(placed.layers), len(placed.layers) - len(placed.on_cpu)
    line = f"Vulkan, ncnn {placed.release}: {on_device:,} of {plural(total, 'layer')} on the device"
    if not placed.on_cpu:
        return line
    transfers = plural(len(placed.transfers), "transfer")
    nbytes = Total.of(each.nbytes for each in placed.transfers)
    return (
        f"{line} in {plural(len(placed.islands()), 'island')}; {transfers} between layers, "
        f"{described(nbytes, size, 'blob', 'size')}"
    )


def cpu_lines(placed: Placement) -> Iterator[str]:
    """Yield a line for each type and reason of layers on the CPU."""
    found: dict[tuple[str, str], list[str]] = {}
    for op, reason in placed.on_cpu.items():
        found.setdefault((op.LAYER_TYPE, reason), []).append(op.label())
    for (_, reason), labels in found.items():
        more = f" and {len(labels) - 1:,} more" if len(labels) > 1 else ""
        yield f"on the CPU: {labels[0]}{more}: {reason}"


def placement_json(placed: Placement) -> dict[str, Any]:
    """Return the placement as data. docs/report.md documents the keys."""
    return {
        "release": placed.release,
        "layers": len(placed.layers),
        "islands": [[op.label() for op in island] for island in placed.islands()],
        "on_cpu": {op.label(): reason for op, reason in placed.on_cpu.items()},
        "transfers": [
            {"blob": _name(each), "to": _side(each), "bytes": each.nbytes}
            for each in placed.transfers
        ],
    }


def _islands(placed: Placement) -> Iterator[str]:
    macs = Total.of(op.macs() for op in placed.layers)
    for i, island in enumerate(placed.islands() if placed.on_cpu else (), 1):
        own = Total.of(op.macs() for op in island)
        part = "" if own.unknown or macs.unknown else f", {share(own.known, macs.known)} of MACs"
        ends = " to ".join(dict.fromkeys((island[0].label(), island[-1].label())))
        yield f"island {i}: {plural(len(island), 'layer')}, {ends}{part}"


def _side(each: Transfer) -> str:
    return "device" if each.to_device else "CPU"


def _name(each: Transfer) -> str:
    """Return the name of a blob, or of its layer."""
    op = each.blob.owner
    assert isinstance(op, LayerOp)
    return names_of(op)[[*op.results].index(each.blob)] or op.label()  # pyright: ignore[reportArgumentType]
