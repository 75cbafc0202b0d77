"""Weights that a program reads when it is loaded: slices of files.

Weights that no pass changed stay in the model's `.bin`, which programs map into memory. So code is
small, and compiling copies no weights.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import IO, Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from ..dialects.iree import GlobalOp
from ..dialects.ncnn.weight_file import Scratch, WeightError, WeightFile, WeightSlice
from ..dialects.ncnn.weights import WeightAttr, dense_weight, slice_bytes
from ..formats.weight_storage import SliceLayout
from ..targets.byte_copies import STEP, TooShort, copy_range

ALIGNMENT = 64
"""The alignment of weights in written files, in bytes: a device reads them in place."""


@dataclass(frozen=True)
class Parameter:
    """A weight of a program."""

    key: str
    place: WeightSlice
    size: int
    """The size in bytes."""

    @property
    def is_new(self) -> bool:
        """Whether a pass created it, so that no named file contains it."""
        return not self.place.file.has_name


def parameters_of(variables: Iterable[GlobalOp]) -> list[Parameter]:
    """Return the weights of a program. Weights that no file contains go to a file without a name.
    Raises `WeightError` for a weight without values, and `OSError`."""
    scratch = Scratch()
    return [_parameter(op, scratch) for op in variables]


def _parameter(op: GlobalOp, scratch: Scratch) -> Parameter:
    type_ = cast(TensorType[Attribute], op.type)
    size = slice_bytes(SliceLayout.PLAIN, type_)
    if isinstance(op.weight, WeightAttr):
        return Parameter(op.sym_name.data, op.weight.data, size)
    data: Any = dense_weight(op.read(), type_).data.data
    return Parameter(op.sym_name.data, scratch.put(memoryview(data)), size)


def copied(parameters: Sequence[Parameter], stream: IO[bytes], path: str) -> list[Parameter]:
    """Copy weights to a file that will be at `path`. Return them with their new places. Raises
    `WeightError` if a file changes meanwhile, and `OSError`."""
    found: list[Parameter] = []
    offset = 0
    for each in parameters:
        padding = -offset % ALIGNMENT
        stream.write(bytes(padding))
        offset += padding
        _copy(each, stream)
        found.append(replace(each, place=WeightSlice(WeightFile(path, 0, 0, 0), offset)))
        offset += each.size
    for file in {each.place.file for each in parameters}:
        file.check_unchanged()
    return [replace(e, place=e.place._replace(file=WeightFile(path, offset, 0, 0))) for e in found]


def _copy(parameter: Parameter, stream: IO[bytes]) -> None:
    file, start, _ = parameter.place
    with file.stream() as source:
        try:
            for done in range(0, parameter.size, STEP):
                part = min(STEP, parameter.size - done)
                copy_range(source.fileno(), stream, start + done, part)
        except TooShort as e:
            raise WeightError(f"weight file '{file.path}' has become shorter") from e
