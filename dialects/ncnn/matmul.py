"""Matrix products of two blobs, or of a blob and a constant: Gemm and MatMul."""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import ClassVar, Protocol

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from ..shapes.analysis import Shapes
from ..shapes.terms import UNKNOWN, Extent, Extents, maximum
from .blob import extents_in, static_shape_of
from .checks import check
from .cost import elements, product
from .extents import differ
from .interfaces import ChannelAxis, LinearMap, LinearProducer, is_float_constant
from .layer import Arity, VariadicLayer, layer
from .params import float_param, int_param
from .quantization import (
    BlockWeights,
    Quantized,
    block_input_scales,
    block_scales,
    blocks_of,
    check_quantize_term,
    is_int8,
    optional_packed_weight,
    packed_columns,
)
from .weight_specs import Pattern, Shape, optional_weight


class GemmParams(Quantized, Protocol):
    """The parameters that determine the shapes of a Gemm's constants."""

    transA: int
    transB: int
    constantM: int
    constantN: int
    constantK: int
    constant_broadcast_type_C: int


def _b_shape(p: GemmParams) -> Shape:
    if p.transB == 0:
        return (p.constantK, p.constantN)
    return (p.constantN, packed_columns(p, p.constantK))


def _c_shape(p: GemmParams) -> Shape:
    m, n = p.constantM, p.constantN
    broadcast = p.constant_broadcast_type_C
    shapes: tuple[Shape, ...] = ((1,), (m,), (m, 1), (m, n), (1, n))
    if not 0 <= broadcast < len(shapes):
        raise VerifyException(f"constant_broadcast_type_C must be -1 to 4, not {broadcast}")
    return shapes[broadcast]


@layer
class GemmOp(BlockWeights, LinearProducer, VariadicLayer):
    """General matrix product: `y = alpha * (A @ B + beta * C)`. A (M x K), B (K x N) and the
    optional C are blobs or constants.

    Shapes: A, B and C unless they are constants; a 3-D blob `c x 1 x w` counts as c rows ->
    `M x N`; `N x M` with output_transpose; with an axis of extent 1 in the middle with output_N1M.
    C broadcasts.
    Parameters: constant_broadcast_type_C (the constant C is -1 absent, 0 a scalar, 1 M, 2 `M x 1`,
    3 `M x N`, 4 `1 x N`).
    """

    NUM_INPUTS: ClassVar[Arity] = (0, 3)

    alpha = float_param(0, default=1.0)
    beta = float_param(1, default=1.0)
    transA = int_param(2)
    """Whether A has the layout `K x M`."""
    transB = int_param(3)
    """Whether B has the layout `N x K`."""
    constantA = int_param(4)
    constantB = int_param(5)
    constantC = int_param(6)
    constantM = int_param(7)
    constantN = int_param(8)
    constantK = int_param(9)
    constant_broadcast_type_C = int_param(10)
    """The shape of a constant C: -1 absent, 0 a scalar, 1 M, 2 `M x 1`, 3 `M x N`, 4 `1 x N`."""
    output_N1M = int_param(11)
    """Whether the output is 3-D, with the rows as channels."""
    output_elempack = int_param(12)
    """The rows that the runtime interleaves in the output; 0: chosen by the runtime."""
    output_elemtype = int_param(13)
    """The output's type: 0 chosen by the runtime, 1 float32."""
    output_transpose = int_param(14)
    quantize_term = int_param(18)
    """The quantization of constants: 0 none, below 400 int8, otherwise B in blocks."""
    constant_TILE_M = int_param(20)
    constant_TILE_N = int_param(21)
    constant_TILE_K = int_param(22)

    A = optional_weight(
        lambda p: (p.constantK, p.constantM) if p.transA else (p.constantM, p.constantK),
        when=lambda p: p.constantA == 1,
        tagged=True,
        quantized_by="quantize_term",
    )
    B = optional_packed_weight(_b_shape, when=lambda p: p.constantB == 1)
    C = optional_weight(
        _c_shape,
        when=lambda p: p.constantC == 1 and p.constant_broadcast_type_C != -1,
        tagged=True,
    )
    B_quantize_scales = block_scales(attrgetter("constantN"), attrgetter("constantK"))
    B_input_scales = block_input_scales(attrgetter("constantK"))
    A_int8_scales = optional_weight(
        lambda p: (p.constantM,),
        when=lambda p: is_int8(p.quantize_term) and p.constantA == 1,
        positive=True,
    )
    B_int8_scale = optional_weight(
        lambda p: (1,),
        when=lambda p: is_int8(p.quantize_term) and p.constantB == 1,
        positive=True,
    )

    def verify_layer(self) -> None:
        check_quantize_term(self.label(), self.quantize_term)
        block = blocks_of(self)
        refusal = None if block is None else self.blocks_refusal(block.bits)
        check(self, refusal is None, f"{refusal}")
        pack, inputs = self.output_elempack, len(self.inputs)
        check(self, pack >= 0, f"output_elempack is negative: {pack}")
        a, b, c = self.constantA, self.constantB, self.constantC
        m, n, k = self.constantM, self.constantN, self.constantK
        # The runtime would read an empty weight.
        check(self, {a, b} <= {0, 1}, "constantA and constantB must be 0 or 1")
        check(self, a == 0 or min(m, k) > 0, "a constant A needs constantM and constantK")
        check(self, b == 0 or min(n, k) > 0, "a constant B needs constantN and constantK")
        shape = self.constant_broadcast_type_C
        known = c != 1 or -1 <= shape <= 4
        check(self, known, f"constant_broadcast_type_C must be -1 to 4, not {shape}")
        least = (not a) + (not b)
        check(self, inputs >= least, f"{inputs} inputs for {least} matrices")
        two_constants = sorted((a, b, c)) == [0, 1, 1]
        check(self, inputs == 1 or not two_constants, f"{inputs} inputs beside two constants")

    def blocks_refusal(self, bits: int, turned: bool = False) -> str | None:
        either = (0, 1) if bits == 8 else (0,)
        operands = (self.constantA, self.constantB, self.transB) == (0, 1, 0 if turned else 1)
        if not operands or self.transA not in either:
            return "block quantization needs a blob A and a constant, transposed B"
        plain = self.output_transpose in either and self.output_elemtype in (0, 1)
        if not plain or (bits != 8 and (self.output_N1M or self.output_elempack)):
            return f"block quantization in {bits} bits does not support this output"
        return None

    def shares_scale(self, name: str) -> int | None:
        return 0 if name == "A" and self.transA else super().shares_scale(name)

    def expected_input_shapes(self) -> Sequence[Pattern]:
        if self.constantA == self.constantB:
            return ()
        # Unless transposed, A has K along its columns and B along its rows.
        innermost = (not self.transA) if self.constantB else bool(self.transB)
        k = self.constantK
        return [(None, k), (None, None, k), (k,)] if innermost else [(k, None), (k, None, None)]

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        if (said := super().contract_violation(shapes)) is not None:
            return said
        # A per-row constant C fixes the number of rows.
        per_row = self.C is not None and self.constant_broadcast_type_C in (1, 2, 3)
        if per_row and not self.constantA and self.constantB:
            rows = _extent(shapes[0], inner=bool(self.transA))
            if differ(rows, self.constantM):
                return f"has a constant C of {self.constantM} rows"
        return None

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        blobs = iter(shapes)
        m = self.constantM if self.constantA else _extent(next(blobs), inner=bool(self.transA))
        n = self.constantN if self.constantB else _extent(next(blobs), inner=not self.transB)
        rows, columns = (n, m) if self.output_transpose else (m, n)
        return [(rows, 1, columns) if self.output_N1M else (rows, columns)]

    def macs(self) -> int | None:
        return product(elements(self.outputs[0]), self._inner())

    def other_flops(self) -> int | None:
        added = self.C is not None or len(self.inputs) > (not self.constantA) + (not self.constantB)
        each = int(self.alpha != 1) + int(added) * (1 if self.beta == 1 else 2)
        return product(each, elements(self.outputs[0])) if each else 0

    def weight_sizes(self) -> dict[str, int]:
        packed = {"B": self.constantN * self.constantK} if blocks_of(self) is not None else {}
        return super().weight_sizes() | packed

    def _weight(self) -> SSAValue | None:
        """The constant one of A and B; `None` unless the other is a blob."""
        matrices = (self.constantA, self.constantB)
        return self.B if matrices == (0, 1) else self.A if matrices == (1, 0) else None

    def linear_map(self, shapes: Shapes) -> LinearMap | None:
        weight, bias, right_aligned = self._weight(), self.C, bool(self.constantB)
        if weight is None or self.quantize_term or self.alpha == 0:
            return None
        if len(self.inputs) != 1 or self.constantC not in (0, 1):
            return None  # C is a blob
        if self.beta == 0:
            bias = None
        # One value for all, one per column of B, or one per row of A.
        if bias is not None and self.constant_broadcast_type_C not in (
            (0, 4) if right_aligned else (0, 1, 2)
        ):
            return None
        if not all(is_float_constant(v) for v in (weight, bias) if v is not None):
            return None
        count = self.constantN if right_aligned else self.constantM
        transposed = bool(self.transB if right_aligned else self.transA)
        return LinearMap(
            weight,
            bias,
            (1, count) if right_aligned else (count,),
            ChannelAxis(
                count,
                partial(shapes.of, self.outputs[0]),
                right_aligned != bool(self.output_transpose),
            ),
            output_axis=int(right_aligned != transposed),
            input_axis=int(right_aligned == transposed),
            gain=self.alpha,
            bias_gain=self.alpha if bias is None else self.alpha * self.beta,
        )

    def set_linear(self, weight: SSAValue, bias: SSAValue | None) -> None:
        right_aligned = bool(self.constantB)
        if bias is None:
            self.set_params(constantC=0, constant_broadcast_type_C=0)
        elif self.C is None or self.beta == 0:
            self.set_params(beta=1.0)
        if bias is not None:
            self.set_params(constantC=1, constant_broadcast_type_C=4 if right_aligned else 1)
        self.set_weights(**{"B" if right_aligned else "A": weight, "C": bias})

    def linear_input(self, shapes: Shapes) -> ChannelAxis:
        transposed = bool(self.transA if self.constantB else self.transB)
        shape = shapes.of(self.inputs[0])
        if shape is None or len(shape) not in (2, 3):
            return ChannelAxis(self.constantK, None, innermost=True)
        return ChannelAxis(self.constantK, shape, transposed != bool(self.constantB))

    def maps_rows(self) -> bool:
        """Whether each row of the input becomes a row of the output, by a constant B."""
        turned = self.transA or self.output_transpose or self.output_N1M
        return bool(self.constantB) and not (turned or self.output_elempack or self.output_elemtype)

    def _inner(self) -> int | None:
        """The common extent K of A and B."""
        if self.constantA or self.constantB:
            return self.constantK
        inner = _extent(extents_in(self.inputs[0].type), inner=not self.transA)
        return inner if isinstance(inner, int) else None


def _extent(shape: Extents | None, inner: bool) -> Extent:
    """Return the columns or rows of a blob as a matrix."""
    if shape is None or len(shape) not in (2, 3):
        return UNKNOWN
    return shape[-1] if inner else shape[0]


@layer
class MatMulOp(VariadicLayer):
    """Matrix product as in NumPy: `y = A @ B`, or `A @ transpose(B)` of the two innermost axes.

    Shapes: A `… x M x K`, B `… x K x N` of 1 to 4 dims -> `… x M x N`, the outer axes broadcast; a
    1-D blob is a row (A) or a column (B) whose axis the output lacks; two 1-D blobs give one
    element.
    """

    NUM_INPUTS: ClassVar[Arity] = (2, 2)
    IGNORES_MORE: ClassVar[bool] = True

    transB = int_param(0)
    """Whether B has the layout `… x N x K`."""

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        a, b = shapes[:2]
        if a is None or b is None:
            return None
        if len(a) == len(b) == 1:
            return [(1,)]
        if len(b) == 1:
            return [a[:-1]]
        columns = b[-2] if self.transB else b[-1]
        if len(a) == 1:
            return [(*b[:-2], columns)]
        rank = max(len(a), len(b))
        outer = zip(_outer(a, rank), _outer(b, rank), strict=True)
        return [(*(maximum(m, n) for m, n in outer), a[-2], columns)]

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        a, b = shapes[:2]
        if a is None or b is None:
            return None
        rows = b[0] if len(b) == 1 else b[-1] if self.transB else b[-2]
        return "takes a B with as many rows as A has columns" if differ(a[-1], rows) else None

    def macs(self) -> int | None:
        shape = static_shape_of(self.inputs[0])
        return product(elements(self.outputs[0]), None if shape is None else shape[-1])


def _outer(shape: Extents, rank: int) -> Extents:
    return (*(1,) * (rank - len(shape)), *shape[:-2])
