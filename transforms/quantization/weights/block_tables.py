"""Weights in blocks by a table, and tables of models whose weights are in blocks."""

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
from ...rewriting.remarks import remark
from ..layer_weights import matrix_of, put
from ..quantize_weights import QuantizeWeights
from .block_layout import in_blocks, matrices_of
from .scaled_integers import (
    Array,
    Packed,
    Unfit,
    check_scales,
    check_values,
    chunks,
    levels,
    pack,
    to_integers,
)


def quantize_by(func: FuncOp, table: BlockTable, path: str, keep: Collection[str]) -> None:
    """Gives the layers of a table weights in blocks, but those to keep. Raises `FormatError` for a
    table that is not one of this model, before anything is changed."""
    names = list(dict.fromkeys(name for name, _ in table.weights))
    found = {name: _found(func, name, table, path) for name in names if name not in keep}
    for op, block, packed in found.values():
        put(op, in_blocks(op, block, packed))
        note = f"weights of {block.bits} bits in blocks of {block.block_size}"
        remark(QuantizeWeights.name, op.label(), note=note)
    for op in func.body.block.ops:
        if isinstance(op, LayerOp) and isinstance(op, BlockWeights) and op.integers() is None:
            named = op.layer_name is not None and op.layer_name.data in keep
            why = "it is to be kept" if named else "the table has no scales for it"
            remark(QuantizeWeights.name, op.label(), note=f"stays float: {why}")


def _found(
    func: FuncOp, name: str, table: BlockTable, path: str
) -> tuple[LayerOp, BlockQuantization, dict[str, Packed]]:
    """A layer of a table, and what becomes of its matrices."""
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
    places = places_of(op)
    if missing := [i for i in places.values() if i not in rows]:
        raise FormatError(path, f"there is no line '{name}_param_{missing[0]}'", line)
    if odd := [row for i, row in rows.items() if i not in places.values()]:
        index = next(i for i, row in rows.items() if row is odd[0])
        raise FormatError(path, f"{op.label()} has no weight {index} for blocks", odd[0].line)
    forms = {(row.bits, row.block_size, row.integers is None) for row in rows.values()}
    inputs = [table.inputs.get((name, index)) for index in places.values()]
    if len(forms) > 1 or len({values is None for values in inputs}) > 1:
        raise FormatError(path, f"the weights of {op.label()} are in different forms", line)
    bits, block_size, _ = next(iter(forms))
    block = BlockQuantization(bits, block_size, inputs[0] is not None)
    try:
        matrices = matrices_of(op, bits)
        packed = {
            weight: _packed(matrices[weight], block, rows[index], factors)
            for (weight, index), factors in zip(places.items(), inputs, strict=True)
        }
    except Unfit as e:
        raise FormatError(path, f"{op.label()}: {e}", line) from e
    return op, block, packed


def places_of(op: LayerOp) -> dict[str, int]:
    """The matrices of a layer that can be in blocks, by name, with the numbers that tables have for
    them: B of a Gemm is 1, those of an attention are 0 to 3, that of the output last."""
    assert isinstance(op, BlockWeights)
    if isinstance(op, GemmOp):
        return {"B": 1}
    return {name: index for index, name in enumerate(op.matrices())}


def _packed(
    weight: Array, block: BlockQuantization, row: BlockRow, factors: Array | None
) -> Packed:
    """A matrix by its line in a table. Raises `Unfit`."""
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
        packed[part] = pack(to_integers(values, each, levels(block.bits)).astype("i1"), block.bits)
    return Packed(packed, scales, factors)


def _read(path: str, block: BlockQuantization, rows: int, columns: int) -> Array:
    """The packed integers of a file. Raises `FormatError`."""
    with open(path, "rb") as f:
        data = f.read()
    wanted = rows * block.packed_bytes(columns)
    if len(data) != wanted:
        raise FormatError(path, f"{len(data)} bytes of integers, the weight has {wanted}")
    packed = np.frombuffer(data, "i1").reshape(rows, -1)
    integers = unpack(packed, columns, block.bits).astype("i1")
    if (integers < -levels(block.bits)).any():
        raise FormatError(
            path, f"there is the integer {-levels(block.bits) - 1}, which is no value"
        )
    if not np.array_equal(pack(integers, block.bits), packed):
        raise FormatError(path, "bits behind the last integer of a row are not 0")
    return packed


def table_of(func: FuncOp, path: str, with_integers: bool) -> tuple[BlockTable, dict[str, Array]]:
    """The table of a model whose weights are in blocks, and the files of integers beside `path` if
    they are no rounded weights. Layers without a name are left out."""
    table, files = BlockTable(), dict[str, Array]()
    for op in func.body.block.ops:
        if not isinstance(op, LayerOp) or not isinstance(op, BlockWeights):
            continue
        block = block_quantization(getattr(op, op.INT8_BY))
        if block is None or op.layer_name is None:
            continue
        for name, index in places_of(op).items():
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
