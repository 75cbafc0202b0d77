"""Helpers of all patterns on layers: when a layer may be replaced, and how."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.assembly import set_names, take_blob_names
from ...dialects.ncnn.blob import agree, shape_of
from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.layer import DESCRIPTIONS, LayerOp
from ...dialects.ncnn.operands import SEGMENTS
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.weights import rounded
from ..storage.convert_storage import STORED

MAX_BETWEEN = 8
"""Maximal number of irrelevant layers that a pattern skips between two relevant ones."""

MAX_USERS_COMPARED = 256
"""Maximal number of users of a blob that are compared with each other."""

MAX_UNPROVEN_CHANNELS = 8192
"""Maximal number of channels for which a weight is created if only types and parameters specify
their number."""

_Operation = TypeVar("_Operation", bound=Operation)
_Layer = TypeVar("_Layer", bound=LayerOp)


def only_producer(value: SSAValue | None, user: LayerOp) -> LayerOp | None:
    """Return the layer that produces a value for `user` alone; else `None`.

    Such a layer may be changed to produce another value. A second user is an obstacle, and so is a
    return from the function. Layers with different feature masks stay separate, because the runtime
    treats them differently. So do layers with unknown parameters.
    """
    return None if fusion_obstacle(value, user) is not None else cast(OpResult, value).op  # pyright: ignore[reportReturnType]


def fusion_obstacle(value: SSAValue | None, user: LayerOp) -> str | None:
    """Return the reason why `only_producer` finds no layer; `None` if it finds one."""
    if not isinstance(value, OpResult):
        return "it reads an input of the model"
    producer = value.op
    if not isinstance(producer, LayerOp) or len(producer.results) != 1:
        return "its input is one of several results of a layer"
    if not value.has_one_use():
        return "the blob between has other users, or is an output"
    if producer.featmask != user.featmask:
        return "their feature masks differ"
    if producer.extra or user.extra:
        return "one of them has unknown parameters"
    return None


def only_user(op: LayerOp) -> LayerOp | None:
    """Return the only user of a layer's result, if that result may be removed. Counterpart of
    `only_producer`."""
    if len(op.results) != 1 or not op.results[0].has_one_use():
        return None
    (use,) = op.results[0].uses
    user = use.operation
    if not isinstance(user, LayerOp) or user.featmask != op.featmask or user.extra or op.extra:
        return None
    return user


def sole_chain(
    reader: LayerOp, place: int, belongs: Callable[[LayerOp], bool]
) -> tuple[LayerOp, ...]:
    """Return the chain of layers before an operand that satisfy `belongs`, the last one first. Each
    layer has one input and the next layer as its only user."""
    found: list[LayerOp] = []
    user, value = reader, reader.operands[place]
    while len(found) < MAX_BETWEEN and (layer := only_producer(value, user)) is not None:
        if not belongs(layer):
            break
        found.append(layer)
        user, value = layer, layer.operands[0]
    return tuple(found)


def redirect_operand(
    reader: LayerOp,
    place: int,
    between: Sequence[LayerOp],
    source: SSAValue,
    rewriter: PatternRewriter,
) -> None:
    """Replace an operand of a reader by `source`, through a chain (see `sole_chain`) of layers that
    keep the shape of their input."""
    if not between:
        reader.operands[place] = source
    else:
        between[-1].operands[0] = source
    for op in reversed(between):
        op.set_params(shape_hints=())
        rewriter.replace_value_with_new_type(op.results[0], source.type)
        rewriter.notify_op_modified(op)
    rewriter.notify_op_modified(reader)


def take_over(producer: LayerOp, absorbed: LayerOp, rewriter: PatternRewriter) -> None:
    """Replace the result of an absorbed layer by the result of the changed producer. The blob's
    name and type come from the absorbed layer; the producer keeps its layer name."""
    take_blob_names(producer, absorbed)
    result, old = producer.results[0], absorbed.results[0]
    if result.type != old.type:
        result = rewriter.replace_value_with_new_type(result, old.type)
    rewriter.replace_all_uses_with(old, result)
    rewriter.erase(absorbed)
    rewriter.notify_op_modified(producer)


def in_order(a: _Operation, b: _Operation) -> tuple[_Operation, _Operation]:
    """Return two operations of a block in program order. The search starts at `a` and goes both
    ways, because users of the same blob are usually close."""
    before: Operation | None = a
    after: Operation | None = a
    while before is not None or after is not None:
        before = before.prev_op if before is not None else None
        after = after.next_op if after is not None else None
        if before is b:
            return b, a
        if after is b:
            break
    return a, b


def successor(
    op: LayerOp,
    cls: type[_Layer],
    data: Sequence[SSAValue],
    weights: Mapping[str, SSAValue | None],
    params: Mapping[str, Value],
) -> _Layer:
    """Return a layer of another type to replace `op`, with the same result names and types, feature
    mask and shape hints."""
    carried = DESCRIPTIONS | {"featmask"}
    properties = {key: each for key, each in op.properties.items() if key in carried}
    new = cls.make(data, weights, op.result_types, properties, op.attributes)
    new.init_params(params)
    new.location = op.location
    return new


def replace_by_new(
    op: LayerOp,
    cls: type[_Layer],
    data: Sequence[SSAValue],
    weights: Mapping[str, SSAValue | None],
    params: Mapping[str, Value],
    rewriter: PatternRewriter,
) -> None:
    """Replace a layer by a layer of another type with the same results: names, types, feature mask
    and shape hints stay."""
    rewriter.replace(op, successor(op, cls, data, weights, params))


def changed(op: _Layer, data: Sequence[SSAValue], **params: Value) -> _Layer:
    """Return a copy of a layer with other input blobs and some other parameters, to replace it."""
    new = successor(op, type(op), data, op.weight_operands(), {})
    kept = {key: value for key, value in op.properties.items() if key != SEGMENTS}
    new.properties.update(kept)
    new.set_params(**params)
    return new


def typed(layer: LayerOp) -> SSAValue:
    """Set the inferred type on the result of a new layer and return the result."""
    (type_,) = layer.infer_types() or layer.result_types
    return Rewriter.replace_value_with_new_type(layer.results[0], type_)


def put_before(op: LayerOp, new: LayerOp, rewriter: PatternRewriter) -> SSAValue:
    """Insert a new layer before `op` and return its result with its inferred type."""
    rewriter.insert(new, InsertPoint.before(op))
    return typed(new)


def put_new(
    op: LayerOp,
    cls: type[LayerOp],
    inputs: Sequence[SSAValue],
    params: Mapping[str, Value],
    rewriter: PatternRewriter,
    name: str | None = None,
) -> SSAValue:
    """Create a layer without weights before `op`, with its own name, and return its result."""
    return put_named(op, successor(op, cls, inputs, {}, params), name, rewriter)


def put_named(op: LayerOp, new: LayerOp, name: str | None, rewriter: PatternRewriter) -> SSAValue:
    """Insert a layer made from another one before `op`, with its own name and without names of
    blobs and shape hints, and return its result."""
    set_names(new, name, (None,))
    new.set_params(shape_hints=())
    return put_before(op, new, rewriter)


def agrees(op: LayerOp, types: Mapping[SSAValue, Attribute] | None = None) -> bool:
    """Whether the result types of a layer are compatible with the types inferred from its
    parameters and operands. `types` replaces the types of some operands.

    They are incompatible where a file declares an input with extents that its layers cannot
    process. The rewrite is skipped there: it would be right for the blobs at run time, but the
    types do not describe them.
    """
    given = types or {}
    follows = op.infer_types([given.get(v, v.type) for v in op.operands]) or ()
    pairs = zip(op.results, follows, strict=False)
    return all(agree(shape_of(result), shape_of(type_)) for result, type_ in pairs)


def new_weight(
    values: Any,
    old: SSAValue | None,
    before: LayerOp,
    rewriter: PatternRewriter,
    hint: str | None = None,
) -> SSAValue:
    """Create a constant of these values before a layer: see `weight_constant`."""
    constant = weight_constant(values, old, hint)
    rewriter.insert(constant, InsertPoint.before(before))
    return constant.output


def weight_constant(values: Any, old: SSAValue | None, hint: str | None = None) -> ConstantOp:
    """Return a constant of these values, which is in no block yet.

    Its element type is the type of `old` (float32 without `old`) if the values are exact in it.
    Otherwise it is float32, because later rewrites may still compute with the values; the attribute
    `STORED` then records the final element type (see `ConvertStorage`).
    """
    values = values.astype("f4", copy=False)
    stored = f32 if old is None else stored_as(old)
    element = stored if stored == f32 or is_exact(values, stored) else f32
    constant = ConstantOp.holding(values, element, hint if old is None else old.name_hint)
    if stored != element:
        constant.attributes[STORED] = stored
    return constant


def is_exact(values: Any, element: Attribute) -> bool:
    """Whether float32 values are unchanged by conversion to another element type."""
    import numpy as np

    with np.errstate(over="ignore"):
        kept = rounded(values, TensorType(element, values.shape)).astype("f4")
    return np.array_equal(kept, values)


def stored_as(weight: SSAValue) -> Attribute:
    """Return the final element type of a weight in the file: its own, or its type before
    rewrites."""
    own = cast(TensorType[Attribute], weight.type).element_type
    constant = attached_constant(weight)
    return own if constant is None else constant.attributes.get(STORED, own)


def may_materialize(channels: int, weight: SSAValue | None) -> bool:
    """Whether a rewrite may create one value per channel. It may not if the model declares more
    than `MAX_UNPROVEN_CHANNELS` channels and the weight, perhaps `None`, has no values to
    prove it."""
    constant = attached_constant(weight)
    return channels <= MAX_UNPROVEN_CHANNELS or (constant is not None and constant.has_values())


def scaled(weight: Any, factors: Any) -> Any:
    """Return `weight * factors`, computed in float64 and rounded once to float32. The factors have
    the rank of the weight; each of their extents is 1 or the weight's."""
    import numpy as np

    out = np.empty(weight.shape, "f4", like=weight)
    with np.errstate(over="ignore"):  # the caller checks for infinities
        for part in _parts(weight):
            out[part] = weight[part].astype("f8") * _part_of(factors, part)
    return out


def sums_of_scaled(weight: Any, factors: Any, axis: int) -> Any:
    """Return `weight * factors` in float64, summed over all axes but `axis`."""
    import numpy as np

    total = np.zeros(weight.shape[axis], like=weight)
    others = tuple(i for i in range(weight.ndim) if i != axis)
    for part in _parts(weight):
        sums = (weight[part].astype("f8") * _part_of(factors, part)).sum(others)
        if axis == 0:
            total[part] = sums
        else:
            total += sums
    return total


def _parts(weight: Any) -> Iterator[slice]:
    """Yield slices of a few rows. A float64 copy of a whole large weight would double its size."""
    rows = max(1, (1 << 18) * len(weight) // max(weight.size, 1))
    return (slice(i, i + rows) for i in range(0, len(weight), rows))


def _part_of(factors: Any, part: slice) -> Any:
    return factors if len(factors) == 1 else factors[part]


def all_finite(arrays: Sequence[Any]) -> bool:
    """Whether all values are finite in float32."""
    import numpy as np

    limit = np.finfo("f4").max
    # If an array contains NaN, its minimum and maximum are NaN, and the comparisons are false.
    return all(
        values.size == 0 or bool(-limit <= values.min() and values.max() <= limit)
        for values in map(np.asarray, arrays)
    )
