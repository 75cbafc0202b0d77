"""The embedding and the head of a language model as models of ncnn.

Each has a few layers, so they are written directly, without PNNX.
"""

from pathlib import Path

import numpy as np

from ...runtime.host import Array

MUL, ADD = 2, 0
"""BinaryOp's `op_type`."""
FLOAT32 = bytes(4)
"""The word before a weight in float32."""


def write_embedding(path: Path, table: Array, factor: float, positions: Array | None) -> None:
    """Write the model of an embedding: a row of the table for each token, times a factor, plus a
    row for its position."""
    lines = ["Input in0 0 1 in0"]
    blob, weights = _embed(lines, "in0", "embed", table), [table]
    if factor != 1:
        lines.append(f"BinaryOp scale 1 1 {blob} scaled 0={MUL} 1=1 2={factor:.9e}")
        blob = "scaled"
    if positions is not None:
        lines.insert(1, "Input in1 0 1 in1")
        other = _embed(lines, "in1", "positions", positions)
        lines.append(f"BinaryOp add 2 1 {blob} {other} sum 0={ADD}")
        blob = "sum"
        weights.append(positions)
    lines[-1] = lines[-1].replace(f" {blob} ", " out0 ", 1)
    _write(path, lines, weights)


def _embed(lines: list[str], source: str, name: str, table: Array) -> str:
    rows, columns = table.shape
    lines.append(
        f"Embed {name} 1 1 {source} {name}_rows 0={columns} 1={rows} 2=0 3={rows * columns}"
    )
    return f"{name}_rows"


def write_head(path: Path, weight: Array, bias: Array | None) -> None:
    """Write the model of a head: a product of each row with the weight."""
    outputs, inputs = weight.shape
    no_bias = -1
    kind = no_bias if bias is None else 4  # a value for each column
    params = f"10={kind} 2=0 3=1 4=0 5=1 6=1 7=0 8={outputs} 9={inputs}"
    lines = ["Input in0 0 1 in0", f"Gemm proj_out 1 1 in0 out0 {params}"]
    _write(path, lines, [weight] if bias is None else [weight, bias])


def _write(path: Path, lines: list[str], weights: list[Array]) -> None:
    """Write a `.param` of these lines, and the `.bin` with the weights."""
    text = "\n".join(["7767517", f"{len(lines)} {len(lines)}", *lines]) + "\n"
    path.write_text(text)
    with path.with_suffix(".bin").open("wb") as out:
        for each in weights:
            out.write(FLOAT32)
            np.ascontiguousarray(each, "<f4").tofile(out)
