"""Layers that the runtime runs without an error, and that provably compute something else."""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.layer import LayerOp
from .element_sizes import ElementSizes, constant_behind, misread
from .input_shapes import Contradiction, Misfit, contradictions
from .malformed import Malformed, malformed


@dataclass(frozen=True)
class Misread:
    """A blob of one byte per element, read as float32."""

    op: LayerOp
    source: str
    """The constant or the input that has these elements."""

    def __str__(self) -> str:
        return f"{self.op.label()} reads the bytes of {self.source} as float32"


Fault = Contradiction | Malformed | Misread


def faults(func: FuncOp) -> Iterator[Fault]:
    """Yield the faults of a model, given the shapes of its types."""
    yield from contradictions(func)
    yield from malformed(func)
    yield from misreads(func)


def misreads(func: FuncOp) -> Iterator[Misread]:
    """Yield the layers that read the bytes of a constant as float32."""
    sizes = ElementSizes()
    for op in func.body.block.ops:
        if isinstance(op, LayerOp):
            for index, size in misread(op, sizes):
                constant = constant_behind(op.blobs_read()[index])
                if size == 1 and constant is not None:
                    yield Misread(op, constant.label())


def remedy(fault: Fault | Misfit) -> str:
    """Return the advice for a fault, or for a window that does not fit."""
    if isinstance(fault, Misfit):
        return "give larger inputs with --input-shape"
    if isinstance(fault, Malformed):
        return fault.remedy
    if isinstance(fault, Misread):
        return (
            "put a Cast (0=3 1=1) between, or store the values as float32 (a Boolean mask of an "
            "attention: 0, and a large negative number where it hides)"
        )
    return (
        "the runtime computes other values without an error, or crashes; correct the layer (a "
        "Reshape before it may do), or the shapes of the inputs (--input-shape)"
    )
