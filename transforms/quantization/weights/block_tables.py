"""Weights in blocks from a table of scales, and the table of a model with weights in blocks."""

from collections.abc import Collection

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.lookup import find_layer
from ....dialects.ncnn.matmul import GemmOp
from ....dialects.ncnn.quantization import BlockQuantization, BlockWeights, block_quantization
from ....formats.block_table import BlockRow, BlockTable, Key, integers_beside
from ....formats.errors import FormatError
from ....interpreters.ncnn.blocks import unpack
from ..gptq import to_integers
from ..layer_weights import Array, Unfit, matrix_of
from ..quantize_weights import QuantizeWeights
from ..records import LayerDecision, record
from .block_layout import matrices_of, put_blocks
from .scaled_integers import Packed, check_scales, check_values, chunks, pack, qmax_of


def quantize_by_table(
    func: FuncOp, table: BlockTable, path: str, keep: Collection[str]
) -> list[LayerDecision]:
    """Store the weights of a table's layers in blocks, except those in `keep`. Raises `FormatError`
    for a table of another model, before anything changes."""
    records: list[LayerDecision] = []
    names = list(dict.fromkeys(name for name, _ in table.weights))
    found = {name: _found(func, name, table, path) for name in names if name not in keep}
    for op, block, packed in found.values():
        put_blocks(op, block, packed)
        note = f"weights of {block.bits} bits in blocks of {block.block_size}"
        records.append(record(QuantizeWeights.name, op.label(), "quantized", note))
    for op in func.body.block.ops:
        if isinstance(op, LayerOp) and isinstance(op, BlockWeights) and op.integers() is None:
            if op.layer_name is not None and op.layer_name.data in keep:
                outcome, why = "excluded", "it is to be kept"
            else:
                outcome, why = "refused", "the table has no scales for it"
            note = f"stays float: {why}"
            records.append(record(QuantizeWeights.name, op.label(), outcome, note))
    return records


def _found(
    func: FuncOp, name: str, table: BlockTable, path: str
) -> tuple[LayerOp, BlockQuantization, dict[str, Packed]]:
    """Return a layer of a table with its packed matrices."""
    rows = {index: row for (layer, index), row in table.weights.items() if layer == name}
    line = next(iter(rows.values())).line
    try:
        op = find_layer(func, name)
    except PassFailedException as e:
        raise FormatError(path, f"the table is of another model: {e}", line) from e
    if not isinstance(op, LayerOp) or not isinstance(op, BlockWeights):
        raise FormatError(path, f"'{name}' is no layer that takes weights in blocks", line)
    if op.integers() is not None:
        raise FormatError(path, f"{op.label()} is quantized already", line)
    indices = table_indices(op)
    if missing := [i for i in indices.values() if i not in rows]:
        raise FormatError(path, f"there is no line '{name}_param_{missing[0]}'", line)
    if odd := [row for i, row in rows.items() if i not in indices.values()]:
        index = next(i for i, row in rows.items() if row is odd[0])
        raise FormatError(path, f"{op.label()} has no weight {index} for blocks", odd[0].line)
    forms = {(row.bits, row.block_size, row.integers is None) for row in rows.values()}
    inputs = [table.inputs.get((name, index)) for index in indices.values()]
    if len(forms) > 1 or len({values is None for values in inputs}) > 1:
        raise FormatError(path, f"the weights of {op.label()} are in different forms", line)
    bits, block_size, _ = next(iter(forms))
    block = BlockQuantization(bits, block_size, inputs[0] is not None)
    try:
        matrices = matrices_of(op, bits)
        packed = {
            weight: _packed(matrices[weight], block, rows[index], factors)
            for (weight, index), factors in zip(indices.items(), inputs, strict=True)
        }
    except Unfit as e:
        raise FormatError(path, f"{op.label()}: {e}", line) from e
    return op, block, packed


def table_indices(op: LayerOp) -> dict[str, int]:
    """Return the index in tables of each matrix that can be in blocks: 1 for B of a Gemm, 0 to 3
    for query, key, value and output of an attention."""
    assert isinstance(op, BlockWeights)
    if isinstance(op, GemmOp):
        return {"B": 1}
    return {name: index for index, name in enumerate(op.matrices())}


def _packed(
    weight: Array, block: BlockQuantization, row: BlockRow, factors: Array | None
) -> Packed:
    """Return a matrix packed as its line in a table describes. Raises `Unfit`."""
    rows, columns = weight.shape
    wanted = rows * block.blocks(columns)
    if row.scales.size != wanted:
        raise Unfit(f"{row.scales.size} scales of a weight that has {wanted} blocks")
    if factors is not None and factors.size != columns:
        raise Unfit(f"{factors.size} factors of an input of {columns} elements")
    scales = row.scales.reshape(rows, -1)
    check_scales(scales)
    if row.integers is not None:
        return Packed(_read(row.integers, block, rows, columns), scales, factors)
    check_values(weight)
    packed = np.empty((rows, block.packed_bytes(columns)), "i1")
    for part in chunks(rows, columns):
        values = np.asarray(weight[part], "f4")
        values = values if factors is None else values / factors
        each = np.repeat(scales[part], block.block_size, axis=1)[:, :columns]
        packed[part] = pack(to_integers(values, each, qmax_of(block.bits)).astype("i1"), block.bits)
    return Packed(packed, scales, factors)


def _read(path: str, block: BlockQuantization, rows: int, columns: int) -> Array:
    """Return the packed integers of a file. Raises `FormatError`."""
    with open(path, "rb") as f:
        data = f.read()
    wanted = rows * block.packed_bytes(columns)
    if len(data) != wanted:
        raise FormatError(path, f"{len(data)} bytes of integers, the weight has {wanted}")
    packed = np.frombuffer(data, "i1").reshape(rows, -1)
    integers = unpack(packed, columns, block.bits).astype("i1")
    if (integers < -qmax_of(block.bits)).any():
        raise FormatError(
            path, f"there is the integer {-qmax_of(block.bits) - 1}, which is no value"
        )
    if not np.array_equal(pack(integers, block.bits), packed):
        raise FormatError(path, "bits behind the last integer of a row are not 0")
    return packed


def table_of(func: FuncOp, path: str, with_integers: bool) -> tuple[BlockTable, dict[str, Array]]:
    """Return the table of a model with weights in blocks, without unnamed layers. With integers,
    also return the content of the files of integers beside `path`, by name: needed if the integers
    are not the rounded weights."""
    table, files = BlockTable(), dict[str, Array]()
    for op in func.body.block.ops:
        if not isinstance(op, LayerOp) or not isinstance(op, BlockWeights):
            continue
        block = block_quantization(getattr(op, op.INT8_BY))
        if block is None or op.layer_name is None:
            continue
        for name, index in table_indices(op).items():
            key: Key = op.layer_name.data, index
            scales = _values(op, f"{name}_quantize_scales")
            beside = integers_beside(path, key) if with_integers else None
            table.weights[key] = BlockRow(block.bits, block.block_size, scales, beside)
            if beside is not None:
                files[beside] = _values(op, name)
            if block.input_scales:
                table.inputs[key] = _values(op, f"{name}_input_scales")
    return table, files


def _values(op: LayerOp, name: str) -> Array:
    values = matrix_of(op, name)
    assert values is not None
    return values
