"""Weights that a program reads when it is loaded: slices of files."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import IO, Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from ..dialects.iree import GlobalOp
from ..dialects.ncnn.weight_file import Scratch, Storage, WeightError, WeightFile, WeightSlice
from ..dialects.ncnn.weights import WeightAttr, dense_weight, slice_bytes
from ..targets.copying import STEP, TooShort, copy_range

ALIGNMENT = 64
"""Of weights in files that we write, in bytes: a device reads them where they are."""


@dataclass(frozen=True)
class Parameter:
    """A weight of a program."""

    key: str
    place: WeightSlice
    size: int
    """In bytes."""

    @property
    def is_new(self) -> bool:
        """Whether it is in no file that has a name: a pass has made it."""
        return not self.place.file.has_name


def parameters_of(variables: Iterable[GlobalOp]) -> list[Parameter]:
    """The weights of a program; what is in no file goes to one without a name. Raises `WeightError`
    for one without values, `OSError`."""
    scratch = Scratch()
    return [_parameter(op, scratch) for op in variables]


def _parameter(op: GlobalOp, scratch: Scratch) -> Parameter:
    type_ = cast(TensorType[Attribute], op.type)
    size = slice_bytes(Storage.PLAIN, type_)
    if isinstance(op.weight, WeightAttr):
        return Parameter(op.sym_name.data, op.weight.data, size)
    data: Any = dense_weight(op.read(), type_).data.data
    return Parameter(op.sym_name.data, scratch.put(memoryview(data)), size)


def copied(parameters: Sequence[Parameter], stream: IO[bytes], path: str) -> list[Parameter]:
    """Copies weights to a file that will be at `path`; returns them as they are there. Raises
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
