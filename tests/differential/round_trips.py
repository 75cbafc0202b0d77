"""Drawing models of what the fused level knows: anchors of all kinds and element-wise layers, with
parameters and weights that are neutral or the same everywhere more often than not, and constants as
float32, float16, bfloat16 and int8. Blobs may have several readers without a Split."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from hypothesis import strategies as st

from .followers import LINEAR, linear_layers
from .nets import EXTENT_IDS, Array, Net, Number, Shape
from .producers import ACTIVATIONS

_T = TypeVar("_T")

Choices = Mapping[int, Sequence[Number]]
"""Values for some parameters, by id; each may also be left out."""

NUMBERS = (0.0, 1.0, -1.0, 0.5, -0.5, 2.0)

BOUNDED: Sequence[tuple[str, Choices]] = (
    ("ReLU", {0: (0.0, 1.0, 0.1, -0.5)}),
    ("Clip", {0: (-1.0, 0.0, -0.0, 0.5), 1: (0.5, 1.0, 6.0)}),
    ("ELU", {0: (1.0, 0.1, 0.0, -1.0)}),
    ("CELU", {0: (1.0, 0.5, 2.0)}),
    ("SELU", {0: (1.0, 1.67, 0.0), 1: (1.0, 1.05, 0.0)}),
    ("HardSigmoid", {0: (1.0, 0.2), 1: (0.0, 0.5, 1.0)}),
    ("HardSwish", {0: (1.0, 0.2), 1: (0.0, 0.5, 1.0)}),
    ("Sigmoid", {}),
    ("Swish", {}),
    ("Mish", {}),
    ("TanH", {}),
    ("BNLL", {}),
    ("Softplus", {}),
    ("GELU", {0: (0, 1)}),
    ("Erf", {}),
    ("AbsVal", {}),
    ("Dropout", {0: (1.0, 0.5)}),
    ("UnaryOp", {0: (0, 1, 4, 9, 10, 14, 16)}),
    ("BinaryOp", {0: (4, 5), 2: NUMBERS}),
    ("Noop", {}),
)
"""Layers that make no large numbers of small ones, and parameters for them."""

GROWING: Sequence[tuple[str, Choices]] = (
    ("Power", {0: (1.0, 2.0, 3.0, 0.0), 1: NUMBERS, 2: NUMBERS}),
    ("Exp", {0: (-1.0, 1.0, 2.0), 1: NUMBERS, 2: NUMBERS}),
    ("UnaryOp", {0: (7, 21, 22, 23, 24)}),
    ("BinaryOp", {0: (0, 1, 2, 7, 14), 2: NUMBERS}),
    ("BinaryOp", {0: (3,), 2: (1.0, -1.0, 2.0)}),
)
"""Layers that may do so, or are only right for small ones."""

POSITIVE: Sequence[tuple[str, Choices]] = (
    ("Power", {0: (0.5, -1.0, 1.5), 1: (1.0, 2.0), 2: (0.0, 1.0)}),
    ("Log", {0: (-1.0, 2.0, 10.0), 1: (1.0, 0.5), 2: (0.0, 1.0)}),
    ("UnaryOp", {0: (5, 6, 8, 15, 17, 27)}),
    ("BinaryOp", {0: (6, 8, 9, 10, 11), 2: (1.0, 2.0, 0.5)}),
)
"""Layers for numbers above 0. (The angle of -0 and a negative number is another than that of 0.)"""

STEPS: Sequence[tuple[str, Choices]] = (
    ("Shrink", {0: (0.0, 0.5, 1.0), 1: (0.0, 0.5, 1.0)}),
    ("Threshold", {0: (0.0, 0.5)}),
    ("UnaryOp", {0: (2, 3, 18, 19, 20)}),
    ("BinaryOp", {0: (12, 15, 16), 2: (1.0, -1.0, 2.0)}),
)
"""Layers that make very different numbers of ones that are nearly the same: for those that nothing
has rounded yet."""

OTHERS = ("Softmax", "Reshape", "Permute", "Cast", "Quantize", "Pooling", "Concat")
"""Layers that mostly have no fused form, Casts to and fro, and anchors without weights."""

SAME_SHAPE_OPS = (0, 1, 2, 4, 5, 7, 14)
"""BinaryOp's `op_type` for any two blobs."""


@dataclass(frozen=True)
class Blob:
    """A blob, and what is known of its numbers."""

    name: str
    shape: Shape
    small: bool
    exact: bool = False
    """Whether they are the same, whatever becomes of the model."""


class RoundTrip:
    """A model, and the blobs that it has so far."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.net = Net(draw(st.integers(0, 999)))
        self.declared = draw(st.integers(0, 5)) > 0
        self.blobs: list[Blob] = []
        self._count = 0

    def one_of(self, values: Sequence[_T]) -> _T:
        return self.draw(st.sampled_from(values))

    def name(self) -> str:
        self._count += 1
        return f"b{self._count}"

    def add(
        self,
        kind: str,
        reads: Sequence[Blob],
        params: Mapping[int, Number],
        shape: Shape,
        small: bool,
    ) -> Blob:
        """A further layer."""
        top = self.net.layer(kind, [blob.name for blob in reads], self.name(), params)
        self.blobs.append(Blob(top, shape, small))
        return self.blobs[-1]

    def input(self, shape: Shape) -> Blob:
        top = self.net.input(self.name(), shape, self.declared)
        self.blobs.append(Blob(top, shape, True, exact=True))
        return self.blobs[-1]

    def memory(self, shape: Shape) -> Blob:
        """A MemoryData layer, mostly of float32."""
        storage = self.one_of(("plain", "plain", "float", "half", "half", "bfloat", "table"))
        params: dict[int, Number] = dict(zip(EXTENT_IDS[len(shape)], shape, strict=True))
        values = self.values(*shape)
        if storage == "plain":
            self.net.plain(values)
        else:
            params[21] = 0
            self.net.tagged(values, storage)
        return self.add("MemoryData", [], params, shape, True)

    def values(self, *shape: int) -> Array:
        """Weights: random ones, or the same number everywhere."""
        match self.one_of(("random", "random", "number", "ones", "zeros")):
            case "random":
                return self.net.normal(*shape)
            case "number":
                return np.full(shape, self.one_of((0.25, -1.0, 2.0)), "f4")
            case "ones":
                return np.ones(shape, "f4")
            case _:
                return np.zeros(shape, "f4")

    def params(self, choices: Choices) -> dict[int, Number]:
        """Some of these values."""
        drawn = {id: self.draw(st.sampled_from([None, *values])) for id, values in choices.items()}
        return {id: value for id, value in drawn.items() if value is not None}

    # -- numbers in a range

    def small(self, x: Blob) -> Blob:
        return x if x.small else self.add("TanH", [x], {}, x.shape, True)

    def positive(self, x: Blob) -> Blob:
        y = self.add("Sigmoid", [x], {}, x.shape, True)
        return self.add("BinaryOp", [y], {0: 0, 1: 1, 2: 0.5}, x.shape, True)

    # -- layers

    def elementwise(self, x: Blob) -> Blob:
        """A layer of one blob, without weights."""
        kinds = self.one_of((BOUNDED, BOUNDED, GROWING, POSITIVE))
        kinds = STEPS if x.exact and self.draw(st.booleans()) else kinds
        kind, choices = self.one_of(kinds)
        params = self.params(choices)
        if kind == "BinaryOp":
            params = {0: choices[0][0], 1: 1, 2: choices[2][0], **params}
        if kind == "UnaryOp":
            params = {0: choices[0][0], **params}
        if kind == "Power" and kinds is POSITIVE:
            params = {0: 0.5, **params}
        if kinds in (GROWING, POSITIVE):
            x = self.small(x)
        if kinds is POSITIVE:
            x = self.positive(x)
        return self.add(kind, [x], params, x.shape, x.small and kinds in (BOUNDED, STEPS))

    def weighted(self, x: Blob) -> Blob:
        """A layer of one blob with weights for the outermost axis."""
        n = x.shape[0]
        kind = self.one_of(("BatchNorm", "Scale", "Bias", "PReLU"))
        params: dict[int, Number] = {0: n}
        match kind:
            case "BatchNorm":
                variance = np.ones(n, "f4") if self.draw(st.booleans()) else self.net.positive(n)
                for values in (self.values(n), self.values(n), variance, self.values(n)):
                    self.net.plain(values)
                params[1] = self.one_of((0.0, 1e-5))
            case "Scale":
                params[1] = self.one_of((0, 1))
                for _ in range(1 + int(params[1])):
                    self.net.plain(self.values(n))
            case "PReLU":
                params[0] = self.one_of((1, n))
                self.net.plain(self.values(int(params[0])))
            case _:
                self.net.plain(self.values(n))
        return self.add(kind, [x], params, x.shape, False)

    def binary(self, x: Blob) -> Blob:
        """A layer of two or more blobs."""
        alike = [blob for blob in self.blobs if blob.shape == x.shape]
        if self.draw(st.integers(0, 3)) == 0:
            reads = [x, *(self.one_of(alike) for _ in range(self.one_of((1, 2))))]
            params: dict[int, Number] = {0: self.one_of((0, 1, 1, 2))}
            coeffs = tuple(self.one_of(NUMBERS) for _ in reads) if params[0] == 1 else ()
            names = [blob.name for blob in reads]
            given = {**params, 1: coeffs} if coeffs and self.draw(st.booleans()) else params
            top = self.net.layer("Eltwise", names, self.name(), given)
            self.blobs.append(Blob(top, x.shape, False))
            return self.blobs[-1]
        op = self.one_of((*SAME_SHAPE_OPS, 3, 6, 10))
        match self.one_of(("blob", "blob", "memory", "memory", "input")):
            case "blob":
                other = self.one_of(alike)
            case "memory":
                other = self.memory(self.operand_shape(x.shape))
            case _:
                other = self.input(self.operand_shape(x.shape))
        if op in (3, 6, 10):
            x, other = self.positive(x), self.positive(other)
        if op == 14:
            x, other = self.small(x), self.small(other)
        reads = [x, other] if self.draw(st.booleans()) else [other, x]
        return self.add("BinaryOp", reads, {0: op}, x.shape, False)

    def operand_shape(self, shape: Shape) -> Shape:
        """The shape of an operand that broadcasts to another shape."""
        rank = len(shape)
        ones = (1,) * rank
        choices = [shape, shape[:1], (1,), ones, (*shape[:1], *ones[1:])]
        if rank > 1:
            choices += [shape[-1:], (*ones[1:], shape[-1])]
        if rank > 2:
            choices += [shape[:2], (1, shape[1], *ones[2:])]
        return self.one_of(choices)

    def other(self, x: Blob) -> Blob:
        """Something else."""
        shape = x.shape
        match self.one_of(OTHERS):
            case "Softmax":
                return self.add("Softmax", [x], {0: len(shape) - 1, 1: 1}, shape, True)
            case "Reshape":
                return self.add("Reshape", [x], {0: -1}, (int(np.prod(shape)),), x.small)
            case "Permute" if len(shape) == 3:
                turned = (shape[0], shape[2], shape[1])
                return self.add("Permute", [x], {0: 1}, turned, x.small)
            case "Cast":
                to = self.one_of((2, 4))
                y = self.add("Cast", [self.small(x)], {0: 1, 1: to}, shape, True)
                self.blobs.pop()  # nobody else takes 16 bits
                return self.add("Cast", [y], {0: to, 1: 1}, shape, True)
            case "Quantize" if x.exact:
                several = shape[0] if len(shape) > 1 else 1
                count = self.one_of((1, several))
                self.net.plain(np.abs(self.values(count)) * 20 + self.one_of((0, 1)))
                y = self.add("Quantize", [x], {0: count}, shape, True)
                self.blobs.pop()
                return self.add("Cast", [y], {0: 3, 1: 1}, shape, False)
            case "Pooling" if len(shape) == 3 and min(shape) > 1:
                if self.draw(st.booleans()):
                    return self.add("Pooling", [x], {0: 1, 4: 1}, shape[:1], x.small)
                window = {0: self.one_of((0, 1)), 1: 3, 3: 1, 5: 1, 6: self.one_of((0, 1))}
                return self.add("Pooling", [x], window, shape, x.small)
            case "Concat":
                wider = (2 * shape[0], *shape[1:])
                return self.add("Concat", [x, x], {0: 0}, wider, x.small)
            case _:
                return self.memory(shape)

    def int8(self) -> Blob:
        """A layer with int8 weights, and perhaps another one that takes what it gives as int8."""
        x = self.input((4, 5, 6) if self.draw(st.booleans()) else (12,))
        x = self.add("TanH", [x], {}, x.shape, True)
        chained = len(x.shape) == 3 and self.draw(st.booleans())
        x = self._int8(x, chained)
        return self._int8(x, False) if chained else x

    def _int8(self, x: Blob, to_int8: bool) -> Blob:
        convolution = len(x.shape) == 3
        depthwise = convolution and self.draw(st.integers(0, 2)) == 0
        inputs = x.shape[0] if convolution else int(np.prod(x.shape))
        outputs = inputs if depthwise else self.one_of((1, 3, 4))
        bias, kernel = self.one_of((0, 1)), self.one_of((1, 3)) if convolution else 1
        size = outputs * (1 if depthwise else inputs) * kernel**2
        storage = self.one_of(("int8", "float"))
        # What goes on as int8 is rounded again: no sums of steps in the middle between two of them.
        scale = self.one_of((1.0, 50.0)) * (0.9871 if to_int8 else 1.0)
        self.net.tagged(
            self.net.normal(size, scale=1.0 if storage == "int8" else 50 / scale), storage
        )
        if bias:
            self.net.plain(self.values(outputs))
        same = self.draw(st.booleans())
        scales = np.full(outputs, scale, "f4") if same else self.net.positive(outputs) * scale
        self.net.plain(scales)
        self.net.plain(np.full(1, self.one_of((1.0, 64.0, 127.0)), "f4"))
        if to_int8:
            self.net.plain(np.full(1, self.one_of((1.0, 16.0)), "f4"))
        activation = self.one_of((0, 0, 1, 2, 3))
        params: dict[int, Number | Sequence[Number]] = {0: outputs}
        if convolution:
            kind = "ConvolutionDepthWise" if depthwise else "Convolution"
            params |= {1: kernel, 4: kernel // 2, 5: bias, 6: size}
            params |= {7: outputs, 8: 1} if depthwise else {8: 2}
        else:
            kind = "InnerProduct"
            params |= {1: bias, 2: size, 8: 1}
        if to_int8:
            params[8] = 100 + int(params[8])  # pyright: ignore[reportArgumentType]
        if activation:
            params |= {9: activation, 10: ACTIVATIONS[activation] or (0.0,)}
        top = self.net.layer(kind, x.name, self.name(), params)
        shape = (outputs, *x.shape[1:]) if convolution else (outputs,)
        blob = Blob(top, shape, False)
        if not to_int8:
            self.blobs.append(blob)
        return blob


@st.composite
def round_trips(draw: st.DrawFn, most: int = 8) -> Net:
    """A model of up to so many layers besides the anchor, and those that they need."""
    trip = RoundTrip(draw)
    match draw(st.sampled_from(("anchor", "anchor", "input", "int8"))):
        case "anchor":
            layer = draw(linear_layers(draw(st.sampled_from(LINEAR))))
            trip.blobs.append(Blob(layer.add_to(trip.net), layer.output, False))
        case "int8":
            trip.int8()
        case _:
            rank = draw(st.integers(1, 4))
            trip.input(tuple(draw(st.integers(2, 5)) for _ in range(rank)))
    for _ in range(draw(st.integers(1, most))):
        x = trip.blobs[-1 - draw(st.sampled_from((0, 0, 0, 1, 2, 4))) % len(trip.blobs)]
        match draw(st.sampled_from(("one", "one", "one", "weights", "two", "two", "other"))):
            case "one":
                trip.elementwise(x)
            case "weights":
                trip.weighted(x)
            case "two":
                trip.binary(x)
            case _:
                trip.other(x)
    return trip.net
