"""The parts of a model that run on a GPU, and the blobs that are transferred from and to them."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.layer import LayerOp
from .target_info.vulkan import reason_for_cpu, refusal


@dataclass(frozen=True)
class Islands:
    """The devices of a model's layers."""

    on_cpu: Sequence[tuple[LayerOp, str]]
    """The layers that run on the CPU, with the reasons."""
    gpu: Sequence[Sequence[LayerOp]]
    """The layers on the GPU: each island exchanges blobs without a transfer."""
    transfers: int
    """The number of blobs that are transferred, without inputs and outputs of the model."""
    refused: Sequence[tuple[LayerOp, str]]
    """The layers with which the runtime does not load the model, with the reasons."""

    def lines(self) -> list[str]:
        """Return the devices as text."""
        layers = sum(map(len, self.gpu))
        count = f"{layers} layers on the GPU in {len(self.gpu)} islands, {len(self.on_cpu)} layers"
        found = [f"{count} on the CPU, {self.transfers} transferred blobs"]
        for i, island in enumerate(self.gpu if len(self.gpu) > 1 else ()):
            last = f" to {island[-1].label()}" if len(island) > 1 else ""
            found.append(f"island {i + 1}: {len(island)} layers, {island[0].label()}{last}")
        found += [f"{op.label()} runs on the CPU: {reason}" for op, reason in self.on_cpu]
        return [*found, *self.refusals()]

    def refusals(self) -> list[str]:
        """Return a line for each layer that the runtime refuses on a GPU."""
        return [f"{op.label()} does not run on a GPU: {reason}" for op, reason in self.refused]


def islands_of(func: FuncOp, release: str | None = None) -> Islands:
    """Return the devices of a model's layers in a release, by default in the newest one."""
    layers = [
        op
        for op in func.body.block.ops
        if isinstance(op, LayerOp) and not isinstance(op, ConstantOp)
    ]
    reasons = {op: reason_for_cpu(op, release) for op in layers}
    parent: dict[LayerOp, LayerOp] = {op: op for op in layers if reasons[op] is None}

    def root(op: LayerOp) -> LayerOp:
        while parent[op] is not op:
            op = parent[op]
        return op

    transfers = 0
    for op in layers:
        for value in op.results:
            readers = [use.operation for use in value.uses]
            others = [r for r in readers if isinstance(r, LayerOp)]
            crossing = [r for r in others if (reasons[r] is None) != (reasons[op] is None)]
            transfers += bool(crossing)
            for reader in others:
                if reasons[op] is None and reasons[reader] is None:
                    parent[root(reader)] = root(op)
    groups: dict[LayerOp, list[LayerOp]] = {}
    for op in parent:
        groups.setdefault(root(op), []).append(op)
    on_cpu = [(op, reason) for op, reason in reasons.items() if reason is not None]
    refused = [(op, reason) for op in layers if (reason := refusal(op, release)) is not None]
    return Islands(on_cpu, list(groups.values()), transfers, refused)
