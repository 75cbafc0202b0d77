"""The cost of a layer, an interface of all layers: MACs, FLOPs, memory traffic.

MACs are the multiply-adds of sums of products (convolutions, matrix products, recurrences). Windows
that overlap the padding count in full. FLOPs are twice the MACs plus the other operations. An
addition, a multiplication, a division, a comparison and an elementary function (exp, sqrt, …) count
one each. Moving elements counts none.

A quantity is `None` if it depends on a dynamic extent.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import Enum
from math import prod
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import TensorType, UnrankedTensorType
from xdsl.ir import Operation, SSAValue

from .blob import element_count, static_shape_of


class Memory(Enum):
    """The memory of a layer's outputs in the runtime's light mode."""

    OWN = "own"
    """Separate memory, allocated while the inputs are still alive."""
    IN_PLACE = "in place"
    """The memory of the input at the same position, or a copy if other blobs share that memory
    (ncnn's `support_inplace`)."""
    SAME = "same"
    """Like `OWN`, but a result with the input's shape is the input."""
    VIEW = "view"
    """The input's memory under another shape, if its layout allows that (src/mat.cpp,
    `Mat::reshape`)."""
    RESHAPED = "reshaped"
    """Like `VIEW`, but only if channels are unchanged or a 1-D blob gets rows. Otherwise a Reshape
    copies, as in all implementations with packing (src/layer/x86/reshape_x86.cpp,
    src/layer/arm/reshape_arm.cpp)."""


class Cost(Operation, ABC):
    """The costs of a layer. The defaults are for layers without sums of products."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 0
    """Operations per element of the first output, without MACs."""
    MEMORY: ClassVar[Memory] = Memory.OWN
    """The memory of the outputs, if it does not depend on parameters."""

    @abstractmethod
    def data_operands(self) -> Sequence[SSAValue]:
        """The operands that are blobs of the graph."""

    @abstractmethod
    def weight_operands(self) -> Mapping[str, SSAValue | None]:
        """The weights by name."""

    @abstractmethod
    def weights_are_dynamic(self) -> bool:
        """Whether the weights are blobs of the graph."""

    def macs(self) -> int | None:
        """Multiply-accumulate operations of one run."""
        return 0

    def other_flops(self) -> int | None:
        """Floating-point operations of one run, without the MACs."""
        each = self.FLOPS_PER_ELEMENT
        return product(each, elements(self.results[0])) if each else 0

    def flops(self) -> int | None:
        """Floating-point operations of one run."""
        macs, others = self.macs(), self.other_flops()
        return None if macs is None or others is None else 2 * macs + others

    def weight_sizes(self) -> dict[str, int]:
        """The number of elements of each constant weight, by name."""
        if self.weights_are_dynamic():
            return {}
        return {n: element_count(v) for n, v in self.weight_operands().items() if v is not None}

    def memory(self) -> Memory:
        """The memory of the outputs."""
        return self.MEMORY

    def reused(self) -> list[SSAValue | None]:
        """Return for each result the input whose memory it reuses; `None` for separate memory."""
        memory, inputs = self.memory(), self.data_operands()
        if memory is Memory.OWN or not inputs:
            return [None] * len(self.results)
        sources = inputs if len(inputs) > 1 else [inputs[0]] * len(self.results)
        pairs = zip(self.results, sources, strict=False)
        return [source if _reuses(memory, source, result) else None for result, source in pairs]

    def is_free(self) -> bool:
        """Whether the outputs are the inputs, so that nothing is read or written."""
        handing_on = self.memory() not in (Memory.OWN, Memory.IN_PLACE)
        return handing_on and None not in self.reused()

    def writes_int8(self) -> bool:
        """Whether the runtime stores the outputs as int8 although their type, the computed one,
        differs."""
        return False

    def blobs_read(self) -> Sequence[SSAValue]:
        """The operands that are blobs at run time: inputs, then dynamic weights."""
        return self.operands if self.weights_are_dynamic() else self.data_operands()

    def bytes_read(self) -> int | None:
        """Bytes of the blobs that the layer reads, without constant weights."""
        if self.is_free():
            return 0
        return total(*(blob_bytes(v) for v in self.blobs_read()))

    def bytes_written(self) -> int | None:
        """Bytes of the blobs that the layer writes."""
        return 0 if self.is_free() else total(*(blob_bytes(v) for v in self.results))


def elements(value: SSAValue) -> int | None:
    """Return the number of a blob's elements."""
    shape = static_shape_of(value)
    return None if shape is None else prod(shape)


def product(*factors: int | None) -> int | None:
    """Return the product; `None` if a factor is `None`."""
    known = [n for n in factors if n is not None]
    return prod(known) if len(known) == len(factors) else None


def total(*terms: int | None) -> int | None:
    """Return the sum; `None` if a term is `None`."""
    known = [n for n in terms if n is not None]
    return sum(known) if len(known) == len(terms) else None


def element_bytes(value: SSAValue) -> int:
    """Return the bytes per element of a blob as its producer stores it."""
    if isinstance(value.owner, Cost) and value.owner.writes_int8():
        return 1
    element: Any = cast(TensorType[Any] | UnrankedTensorType[Any], value.type).element_type
    return element.compile_time_size


def blob_bytes(value: SSAValue) -> int | None:
    """Return the bytes of a blob's elements."""
    return product(elements(value), element_bytes(value))


def mat_bytes(value: SSAValue) -> int | None:
    """Return the bytes that the runtime allocates for a blob without packing. Each channel of a 3-D
    or 4-D blob, and other blobs as a whole, are padded to multiples of 16 bytes (src/mat.cpp,
    `Mat::create`)."""
    shape = static_shape_of(value)
    if shape is None:
        return None
    outer = shape[0] if len(shape) > 2 else 1
    inner = prod(shape[1:] if len(shape) > 2 else shape) * element_bytes(value)
    return outer * -(-inner // 16) * 16


def _reuses(memory: Memory, source: SSAValue, result: SSAValue) -> bool:
    if memory is Memory.IN_PLACE:
        return True
    shape, into = static_shape_of(source), static_shape_of(result)
    if shape is None or into is None:
        return False
    if shape == into:
        return True
    same_channels = len(shape) > 2 and len(into) > 2 and shape[0] == into[0]
    if memory is Memory.RESHAPED:
        return same_channels or (len(shape) == 1 and len(into) == 2)
    return memory is Memory.VIEW and (
        same_channels or all(_is_dense(s, element_bytes(source)) for s in (shape, into))
    )


def _is_dense(shape: Sequence[int], size: int) -> bool:
    """Whether a blob has no gaps between channels: channels of 3-D and 4-D blobs are padded to
    multiples of 16 bytes."""
    return len(shape) < 3 or prod(shape[1:]) * size % 16 == 0
