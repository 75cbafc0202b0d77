# pyright: basic
"""Faults in a converted model: its `.param` and `.bin`, changed as records."""

from pathlib import Path
from typing import Any

from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.dialects.ncnn.weights import make_weight
from xdsl.ir import Operation

import ncnn_opt


def layer_line(lines: list[str], layer: str) -> int:
    """Return the index of the line of a layer such as `Convolution 1`."""
    type_, number = layer.rsplit(" ", 1)
    return [i for i, line in enumerate(lines) if line.split()[:1] == [type_]][int(number)]


def label_of(param: str, layer: str) -> str:
    """Return the label of a layer such as `Convolution 1`."""
    lines = param.splitlines()
    type_, name = lines[layer_line(lines, layer)].split()[:2]
    return f"{type_} '{name}'"


def plant(folder: Path, fault: Any) -> tuple[ncnn_opt.Model, str]:
    """Return the model in a folder with a fault, and the label of the faulty layer."""
    param = folder / "m.ncnn.param"
    text = param.read_text()
    label = label_of(text, fault.layer)
    lines = text.splitlines()
    at = layer_line(lines, fault.layer)
    for old, new in fault.params:
        assert old in lines[at] + " ", lines[at]
        lines[at] = (lines[at] + " ").replace(f"{old} ", f"{new} ", 1).rstrip()
    changed = folder / "changed.ncnn.param"
    changed.write_text("\n".join(lines) + "\n")
    model = ncnn_opt.load(changed, folder / "m.ncnn.bin", pnnx="none")
    ops = {
        op.label(): op for op in model_of(model.module).body.block.ops if isinstance(op, LayerOp)
    }
    op = ops[label]
    if fault.exchanged:
        mine, theirs = weight_of(op), weight_of(ops[label_of(text, fault.exchanged)])
        mine.value, theirs.value = theirs.value, mine.value
    if fault.scaled:
        weight = weight_of(op)
        weight.value = make_weight(-weight.read(), weight.output.type)  # pyright: ignore
    if fault.dropped:
        drop(op)
    return model, label


def weight_of(op: Operation) -> ConstantOp:
    """Return a layer's first weight."""
    return next(v.owner for v in op.operands if isinstance(v.owner, ConstantOp))


def drop(op: Operation) -> None:
    """Remove a layer; its users read its input. An output keeps its name."""
    op.results[0].replace_all_uses_with(op.operands[0])
    op.detach()
    op.erase()
