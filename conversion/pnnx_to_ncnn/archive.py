"""The values of weights in a `.pnnx.bin`.

A value is read when a lowering asks for it. NumPy has no bfloat16, which becomes float32 here.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialects.pnnx.operations import GraphOp, OperatorOp
from ...dialects.pnnx.tensors import NAMES_IN_TORCH, tensor_parts
from ...formats.errors import FormatError
from ...formats.pnnx_bin import Member, read_chunks, read_members
from ...formats.pnnx_graph import member_name


class Archive:
    """The weights of a graph, read one at a time."""

    def __init__(self, graph: GraphOp, path: str) -> None:
        """`path` is for messages. Raises `FormatError` if the graph has no archive."""
        if graph.archive is None:
            raise FormatError(path, "the weights are missing: the .pnnx.bin is not beside it")
        self._path = graph.archive.data
        self._members: Mapping[str, Member] | None = None

    def read(self, op: OperatorOp, key: str) -> NDArray[Any]:
        """Return the values of a weight. Raises `FormatError` and `OSError`."""
        name = member_name(op.layer.data, key)
        parts = tensor_parts(op.weight_types()[key])
        with open(self._path, "rb") as file:
            if self._members is None:
                self._members = read_members(file, self._path)
            member = self._members.get(name)
            if member is None or parts is None:
                raise FormatError(self._path, f"there is no member '{name}'")
            data = b"".join(read_chunks(file, member, name, self._path))
        extents, dtype = parts
        if dtype == "bf16":
            wide = np.frombuffer(data, "<u2").astype("<u4") << np.uint32(16)
            return wide.view("<f4").reshape([n or 0 for n in extents])
        if dtype not in NAMES_IN_TORCH:
            raise FormatError(self._path, f"member '{name}' has the unsupported type {dtype}")
        stored = np.dtype(NAMES_IN_TORCH[dtype]).newbyteorder("<")
        return np.frombuffer(data, stored).reshape([n or 0 for n in extents])
