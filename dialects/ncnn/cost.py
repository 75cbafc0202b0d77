"""What running a layer costs, as far as its shapes and parameters say: an interface of every layer.

MACs are the multiplications with an addition in sums of products (convolutions, matrix products,
recurrences), windows that hang over the padding counted like all others. FLOPs are twice the MACs
and what else is computed, where an addition, a multiplication, a division, a comparison and an
elementary function (exp, sqrt, …) are one each. What only moves elements has none.

A quantity is `None` where it depends on an extent that is not known.
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
    """Where the runtime puts the outputs of a layer in light mode."""

    OWN = "own"
    """In memory of their own, while the inputs still stand."""
    IN_PLACE = "in place"
    """In the memory of the input at the same place; in a copy, if others share that memory
    (ncnn's `support_inplace`)."""
    SAME = "same"
    """As `OWN`, but a result of the input's very shape is the input."""
    VIEW = "view"
    """The input's memory under another shape, wherever its layout allows that
    (src/mat.cpp, `Mat::reshape`)."""
    RESHAPED = "reshaped"
    """The same, but only where channels stay what they are, or a 1-D blob gets rows: otherwise a
    Reshape copies, as all its implementations that know packing do (src/layer/x86/reshape_x86.cpp,
    src/layer/arm/reshape_arm.cpp)."""


class Cost(Operation, ABC):
    """A layer's costs. The defaults are those of a layer without sums of products."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 0
    """What is computed for each element of the first output, beside MACs."""
    MEMORY: ClassVar[Memory] = Memory.OWN
    """Where outputs are, if the parameters do not matter."""

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
        """Floating-point operations of one run beside those of the MACs."""
        each = self.FLOPS_PER_ELEMENT
        return product(each, elements(self.results[0])) if each else 0

    def flops(self) -> int | None:
        """Floating-point operations of one run."""
        macs, others = self.macs(), self.other_flops()
        return None if macs is None or others is None else 2 * macs + others

    def weight_sizes(self) -> dict[str, int]:
        """The elements of each weight that the layer has of its own, by name."""
        if self.weights_are_dynamic():
            return {}
        return {n: element_count(v) for n, v in self.weight_operands().items() if v is not None}

    def memory(self) -> Memory:
        """Where the outputs are."""
        return self.MEMORY

    def reused(self) -> list[SSAValue | None]:
        """For each result the input whose memory it is; `None` where it has memory of its own."""
        memory, inputs = self.memory(), self.data_operands()
        if memory is Memory.OWN or not inputs:
            return [None] * len(self.results)
        sources = inputs if len(inputs) > 1 else [inputs[0]] * len(self.results)
        pairs = zip(self.results, sources, strict=False)
        return [source if _reuses(memory, source, result) else None for result, source in pairs]

    def only_forwards(self) -> bool:
        """Whether the outputs are the inputs as they are, so that nothing is read or written."""
        handing_on = self.memory() not in (Memory.OWN, Memory.IN_PLACE)
        return handing_on and None not in self.reused()

    def writes_int8(self) -> bool:
        """Whether the outputs are int8 in the runtime although their type, which is what the layer
        computes, is another."""
        return False

    def blobs_read(self) -> Sequence[SSAValue]:
        """The operands that are blobs when the layer runs: inputs, then weights if they are
        dynamic."""
        return self.operands if self.weights_are_dynamic() else self.data_operands()

    def bytes_read(self) -> int | None:
        """Bytes of the blobs that the layer reads, its own weights left out."""
        if self.only_forwards():
            return 0
        return total(*(blob_bytes(v) for v in self.blobs_read()))

    def bytes_written(self) -> int | None:
        """Bytes of the blobs that the layer writes."""
        return 0 if self.only_forwards() else total(*(blob_bytes(v) for v in self.results))


def elements(value: SSAValue) -> int | None:
    """How many elements a blob has."""
    shape = static_shape_of(value)
    return None if shape is None else prod(shape)


def product(*factors: int | None) -> int | None:
    """The product, unknown if a factor is."""
    known = [n for n in factors if n is not None]
    return prod(known) if len(known) == len(factors) else None


def total(*terms: int | None) -> int | None:
    """The sum, unknown if a term is."""
    known = [n for n in terms if n is not None]
    return sum(known) if len(known) == len(terms) else None


def element_bytes(value: SSAValue) -> int:
    """Bytes of an element of a blob, as the layer that makes it stores it."""
    if isinstance(value.owner, Cost) and value.owner.writes_int8():
        return 1
    element: Any = cast(TensorType[Any] | UnrankedTensorType[Any], value.type).element_type
    return element.compile_time_size


def blob_bytes(value: SSAValue) -> int | None:
    """Bytes of a blob's elements."""
    return product(elements(value), element_bytes(value))


def mat_bytes(value: SSAValue) -> int | None:
    """Bytes that the runtime allocates for a blob without packing: channels of blobs of 3 and 4
    dims, and blobs of fewer as a whole, are multiples of 16 bytes (src/mat.cpp, `Mat::create`)."""
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
    """Whether there are no gaps between the channels of a blob: channels of 3 and 4 dims are
    multiples of 16 bytes."""
    return len(shape) < 3 or prod(shape[1:]) * size % 16 == 0
