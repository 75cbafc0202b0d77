"""Layers that compute an epilogue.

Each value becomes the result of the layer that covers the most operations; its inputs are covered
in the same way. If that layer cannot be created, the next candidate is tried. This is maximal munch
(R. G. G. Cattell, instruction selection by tree patterns).

Example: `x * (1 / (1 + exp(-x))) + 1`. A Scale would cover the last sum and the product, but its
factor is no constant. So a BinaryOp covers the sum, and another one the product. A Sigmoid covers
four operations of the quotient, a BinaryOp only its division: the Sigmoid is chosen, and its input
`x` exists. The layers are Sigmoid, BinaryOp (mul) and BinaryOp (add).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, TensorType, f32, i8
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ...dialects.fused import FusedOp
from ...dialects.ncnn.activation import PReLUOp
from ...dialects.ncnn.assembly import set_names
from ...dialects.ncnn.blob import UNRANKED, element_count, run_time_element
from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.conversion import STORED_ELEMENTS, CastOp
from ...dialects.ncnn.elementwise import broadcast, expand
from ...dialects.ncnn.formulas import Const
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import ScaleOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.shapes.analysis import numbers, shape_in
from ...dialects.shapes.tensors import element_of, known, shape_of, spread_extents
from ...transforms.canonicalization.fused_scalars import Scalars
from ...transforms.rewriting.scalar_code import constant_of
from ..epilogues.constants import like, new_constant
from .templates import TemplateMatch, matches


class NotLowered(Exception):
    """No layers compute a fused operation. The text is the reason."""


@dataclass(frozen=True)
class LoweredScalar:
    """A blob that holds a scalar of the epilogue."""

    value: SSAValue
    axes: tuple[int, ...] = ()
    """The result axes that its axes map to; empty for the outermost axes in order."""


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A layer that may compute a scalar."""

    inputs: Sequence[SSAValue]
    """The scalars whose blobs the layer reads."""
    make: Callable[[], LoweredScalar | None]
    """Creates the layer when these blobs exist; returns `None` if it cannot be created."""


@dataclass
class _Task:
    """A scalar whose blob is to be created."""

    scalar: SSAValue
    candidates: Iterator[_Candidate]
    candidate: _Candidate | None = None
    """The candidate that is being tried."""


class Covering:
    """Creates the layers of the epilogue of one operation."""

    def __init__(self, op: FusedOp) -> None:
        self.op = op
        self.scalars = Scalars(op.block)
        self.rank = None if shape_of(op.result) is None else len(shape_of(op.result) or ())
        self.layers: list[Operation] = []
        """The created operations, in order."""
        self._pieces: dict[SSAValue, LoweredScalar] = {}
        self._impossible: dict[object, str] = {}
        """Scalars that no layers compute, and layers that cannot be created, with the reasons."""
        for i, arg in enumerate(op.residual_args):
            self._pieces[arg] = LoweredScalar(op.residuals[i], op.explicit_axes(i))

    def stand_for(self, scalar: SSAValue, value: SSAValue) -> None:
        """Use `value`, a blob of the result's shape, for a scalar."""
        self._pieces[scalar] = LoweredScalar(value)

    def drop(self) -> None:
        """Erase all created operations."""
        for layer in reversed(self.layers):
            layer.erase()

    def finish(self) -> SSAValue:
        """Return the blob of the yielded value. Raises `NotLowered`."""
        piece = self.piece(self.op.yielded)
        if shape_of(piece.value) is not None and not piece.axes:
            piece = self._spread(piece)  # the result has a higher rank than its blobs
        if not self._is_whole(piece):
            raise NotLowered("the result is a residual that is repeated")
        made, wanted = run_time_element(piece.value), element_of(self.op.result)
        if made != wanted:
            raise NotLowered(f"elements of {wanted}, at run time these are {made}")
        self._forget_unused(piece.value)
        return piece.value

    def _forget_unused(self, result: SSAValue) -> None:
        """Erase created layers that nothing reads: they belong to abandoned candidates."""
        for layer in self.layers[::-1]:
            if not any(v.uses or v is result for v in layer.results):
                self.layers.remove(layer)
                layer.erase()

    def piece(self, scalar: SSAValue) -> LoweredScalar:
        """Return the blob of a scalar. Create the layers that compute it. Raises `NotLowered`."""
        pending = [_Task(scalar, self._candidates(scalar))]
        while pending:
            task = pending[-1]
            if task.scalar in self._pieces or task.scalar in self._impossible:
                pending.pop()
                continue
            if task.candidate is None:
                task.candidate = next(task.candidates, None)
            if task.candidate is None:
                self._impossible[task.scalar] = _nothing_makes(task.scalar)
                continue
            missing = [v for v in task.candidate.inputs if v not in self._pieces]
            if any(v in self._impossible for v in missing):
                task.candidate = None
            elif missing:
                pending.append(_Task(missing[0], self._candidates(missing[0])))
            else:
                self._make(task)
        if scalar not in self._pieces:
            raise NotLowered(next(iter(self._impossible.values())))
        return self._pieces[scalar]

    def _make(self, task: _Task) -> None:
        """Create the layer of a task's candidate; if that fails, the next candidate is tried."""
        assert task.candidate is not None
        try:
            piece = task.candidate.make()
        except NotLowered as e:
            self._impossible.setdefault(task.candidate, str(e))
            piece = None
        if piece is not None:
            self._pieces[task.scalar] = piece
        task.candidate = None

    def residual(self, scalar: SSAValue) -> int | None:
        """Return the index of the residual that a scalar is an element of."""
        args = list(self.op.residual_args)
        return args.index(scalar) if isinstance(scalar, BlockArgument) and scalar in args else None

    def channel_constant(
        self, scalar: SSAValue | Const, axis: int = 0, count: int = 1
    ) -> SSAValue | None:
        """Return the weight that a scalar is an element of, if the weight has one value per index
        of an axis of the result, or one value in all. For a number, return a new weight of `count`
        values."""
        number = constant_of(scalar)
        if number is not None:
            return new_constant(np.full(count, number.value), count, "number")
        assert isinstance(scalar, SSAValue)
        index = self.residual(scalar)
        if index is None or attached_constant(self.op.residuals[index]) is None:
            return None
        value, shape = self.op.residuals[index], shape_of(self.op.residuals[index])
        axes, own = self.op.axes_of(index), shape_of(self.op.result)
        if shape is None or len(shape) != 1 or axes is None:
            return None
        if shape == (1,):
            return value
        fits = own is None or not known(own[axis]) or own[axis] == shape[0]
        return value if axes == (axis,) and fits else None

    # -- layers

    def add(
        self,
        cls: type[LayerOp],
        data: Sequence[SSAValue],
        type_: Attribute,
        params: Mapping[str, Value] | None = None,
        weights: Mapping[str, SSAValue | None] | None = None,
    ) -> SSAValue:
        """Add a layer. Return its blob."""
        for value in (weights or {}).values():
            new = None if value is None else value.owner
            if isinstance(new, ConstantOp) and new.parent is None and new not in self.layers:
                self.layers.append(new)
        layer = cls.make(data, weights or {}, [type_], {})
        layer.init_params(params or {})
        self.layers.append(layer)
        return layer.results[0]

    def constant(self, constant: Operation | Block) -> SSAValue:
        """Add a weight."""
        assert isinstance(constant, ConstantOp)
        self.layers.append(constant)
        return constant.output

    def _candidates(self, scalar: SSAValue) -> Iterator["_Candidate"]:
        """Yield the layers that may compute a scalar; layers that cover more operations come
        first."""
        if (source := _converted(scalar)) is not None:
            yield _Candidate([source], lambda: self._conversion(source, scalar.type))
        for match in matches(scalar, self.scalars):
            weights = self._weights(match)
            known = [v for v in weights.values() if v is not None and self._fits(match, v)]
            numbers = any(isinstance(v.owner, arith.ConstantOp) for v in match.inputs)
            if len(known) == len(weights) and not numbers:
                make = self._binary if len(match.inputs) == 2 else self._unary
                yield _Candidate(match.inputs, partial(make, match, weights))

    def _weights(self, match: TemplateMatch) -> Mapping[str, SSAValue | None]:
        """Return the weights of a layer; `None` for a scalar that is no weight."""
        weights = {name: self.channel_constant(v) for name, v in match.weights.items()}
        if match.template.layer is not ScaleOp:
            return weights
        count = max(
            element_count(v) for v in weights.values()
        )  # Scale has no single value for all channels
        return {name: self.channel_constant(v, count=count) for name, v in match.weights.items()}

    def _unary(
        self, match: TemplateMatch, weights: Mapping[str, SSAValue | None]
    ) -> LoweredScalar | None:
        """Return the result of a layer with one input; `None` if the weights do not fit the
        blob."""
        cls, source = match.template.layer, self._pieces[match.inputs[0]]
        if weights and source.axes:
            return None  # weights apply along the outermost axis
        type_ = like(source.value, _DIFFERENT.get(cls.LAYER_TYPE, f32))
        return LoweredScalar(
            self.add(cls, [source.value], type_, match.params, weights), source.axes
        )

    def _fits(self, match: TemplateMatch, weight: SSAValue) -> bool:
        """Whether a weight has the number of values that the layer needs."""
        own, one = shape_of(self.op.result), shape_of(weight) == (1,)
        if match.template.layer is ScaleOp:
            return not one or (own is not None and own[0] == 1)
        several = self.rank not in (None, 1) or match.template.layer is PReLUOp
        return one or several  # a 1-D blob uses the first scale only

    def _conversion(self, source: SSAValue, type_: Attribute) -> LoweredScalar:
        """Return the result of a Cast, if one is needed."""
        piece = self._pieces[source]
        own = run_time_element(piece.value)
        if own == type_:
            return piece
        stored = {element: number for number, element in STORED_ELEMENTS.items()}
        params = {"type_from": stored[own], "type_to": stored[type_]}
        made = self.add(CastOp, [piece.value], like(piece.value, type_), params)
        return LoweredScalar(made, piece.axes)

    # -- broadcasting

    def _binary(
        self, match: TemplateMatch, weights: Mapping[str, SSAValue | None]
    ) -> LoweredScalar:
        """Return the result of a layer with two inputs."""
        cls, params = match.template.layer, match.params
        pieces = [self._pieces[v] for v in match.inputs]
        if any(not isinstance(element_of(p.value), AnyFloat) for p in pieces):
            raise NotLowered("arithmetic of blobs that are no floats")
        values = [p.value for p in pieces]
        for one, other in (pieces, pieces[::-1]):
            if shape_of(one.value) == (1,):  # a number broadcasts to every shape
                type_ = like(other.value, f32)
                return LoweredScalar(self.add(cls, values, type_, params), other.axes)
        axes: tuple[int, ...] = ()
        if not self._agree(pieces[0], pieces[1]):
            values = [self._spread(p).value for p in pieces]
        elif pieces[0].axes == pieces[1].axes:
            axes = pieces[0].axes
        whole = any(self._is_whole(p) for p in pieces)
        type_ = like(self.op.result, f32) if whole else self._common_type(values)
        return LoweredScalar(self.add(cls, values, type_, params), axes)

    def _agree(self, a: LoweredScalar, b: LoweredScalar) -> bool:
        """Whether a BinaryOp broadcasts two blobs as the epilogue does."""
        x, y = shape_of(a.value), shape_of(b.value)
        if x is None or y is None:
            return not a.axes and not b.axes and x is y
        if len(x) == len(y):
            return self._axes(a) == self._axes(b)
        small, wide = (a, b) if len(x) < len(y) else (b, a)
        shape, other = (shape_of(p.value) or () for p in (small, wide))
        if self._axes(wide) != tuple(range(len(other))):
            return False
        expanded = expand(shape_in(shape), shape_in(other))
        return expanded is not None and numbers(expanded) == self._spread_shape(small, len(other))

    def _axes(self, piece: LoweredScalar) -> tuple[int, ...]:
        return piece.axes or tuple(range(len(shape_of(piece.value) or ())))

    def _spread_shape(self, piece: LoweredScalar, rank: int) -> tuple[int, ...]:
        """Return the shape of a blob along all axes of the result; 1 along axes that it lacks."""
        return spread_extents(shape_of(piece.value) or (), piece.axes, rank)

    def _spread(self, piece: LoweredScalar) -> LoweredScalar:
        """Return the blob with all axes of the result. Add a Reshape if necessary."""
        shape = shape_of(piece.value)
        if self.rank is None or shape is None:
            raise NotLowered("it is not known how residuals broadcast")
        if len(shape) == self.rank:
            return piece
        wanted = self._spread_shape(piece, self.rank)
        if not all(map(known, wanted)):
            raise NotLowered("a residual of unknown extents broadcasts along inner axes")
        names = {1: "w", 2: "hw", 3: "chw", 4: "cdhw"}[self.rank]
        params: dict[str, Value] = dict(zip(names, wanted, strict=True))
        type_ = TensorType(run_time_element(piece.value), wanted)
        return LoweredScalar(self.add(ReshapeOp, [piece.value], type_, params))

    def _is_whole(self, piece: LoweredScalar) -> bool:
        """Whether a blob is known to have the shape of the result."""
        if piece.axes:
            return False
        own, shape = shape_of(self.op.result), shape_of(piece.value)
        if own is None or shape is None:
            return own is shape
        return own == shape

    def _common_type(self, values: Sequence[SSAValue]) -> Attribute:
        shapes = [shape_of(v) for v in values]
        if any(shape is None for shape in shapes):
            return UNRANKED
        return TensorType(f32, numbers(broadcast(*(shape_in(shape or ()) for shape in shapes))))


def _nothing_makes(scalar: SSAValue) -> str:
    if isinstance(scalar.owner, arith.ConstantOp):
        return "a constant takes the place of a blob"
    what = scalar.owner.name if isinstance(scalar.owner, Operation) else scalar.type
    return f"no layer computes '{what}' here"


_DIFFERENT: Mapping[str, Attribute] = {"Quantize": i8}
"""The element types of layers that do not compute float32."""


def _converted(scalar: SSAValue) -> SSAValue | None:
    """Return the operand of a conversion that a Cast can compute."""
    op = scalar.owner
    if isinstance(op, arith.ExtFOp | arith.TruncFOp):
        return op.input
    return op.input if isinstance(op, arith.SIToFPOp) and op.input.type == i8 else None


def name_layers(layers: Sequence[Operation], op: FusedOp) -> None:
    """Name layers after the operation that they replace. The first layer has the operation's layer
    name, the last blob its blob name; the others are numbered."""
    own = [layer for layer in layers if isinstance(layer, LayerOp) and not _is_weight(layer)]
    name = None if op.layer_name is None else op.layer_name.data
    for i, layer in enumerate(own):
        layer_name = name if i == 0 or name is None else f"{name}_{i}"
        blob = layer_name if layer_name is None or layer_name != op.blob_name else f"{name}_0"
        set_names(layer, layer_name, [op.blob_name if i == len(own) - 1 else blob])
    if own:
        own[-1].results[0].name_hint = op.result.name_hint


def _is_weight(layer: LayerOp) -> bool:
    return isinstance(layer, ConstantOp) and cast(Any, layer).layer_name is None
