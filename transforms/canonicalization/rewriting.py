"""What patterns on layers have in common: when one layer may take another's place, and how."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.blob import agree, shape_of
from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.weights import make_weight, rounded
from ..convert_storage import STORED

MOST_BETWEEN = 8
"""Through so many layers that do not matter a pattern looks for one that does."""

MOST_READERS = 256
"""Of the readers of a blob, so many are compared with each other."""

MOST_UNSAID = 8192
"""Channels of which nothing but types and parameters tell: a weight is made for so many at most."""

_Operation = TypeVar("_Operation", bound=Operation)


def only_producer(value: SSAValue | None, user: LayerOp) -> LayerOp | None:
    """The layer that makes a value for this one use alone, so that it may make something else.

    A second consumer, and a return from the function, are uses too. Layers that the runtime is
    told to treat differently (feature masks), or that have parameters we do not know, stay apart.
    """
    return None if apart(value, user) is not None else cast(OpResult, value).op  # pyright: ignore[reportReturnType]


def apart(value: SSAValue | None, user: LayerOp) -> str | None:
    """Why there is no such layer, in words; `None` if there is one."""
    if not isinstance(value, OpResult):
        return "it reads an input of the model"
    producer = value.op
    if not isinstance(producer, LayerOp) or len(producer.results) != 1:
        return "what it reads is one of several blobs of a layer"
    if not value.has_one_use():
        return "the blob between has other readers, or is an output"
    if producer.featmask != user.featmask:
        return "they have other feature masks"
    if producer.extra or user.extra:
        return "one of them has parameters that are not known"
    return None


def only_user(op: LayerOp) -> LayerOp | None:
    """The layer that alone reads what a layer makes, so that this may go; the counterpart of
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
    """The layers of one input that belong to a chain before an operand, the last one first: each
    has the next one for its only reader."""
    found: list[LayerOp] = []
    user, value = reader, reader.operands[place]
    while len(found) < MOST_BETWEEN and (layer := only_producer(value, user)) is not None:
        if not belongs(layer):
            break
        found.append(layer)
        user, value = layer, layer.operands[0]
    return tuple(found)


def feed(
    reader: LayerOp,
    place: int,
    between: Sequence[LayerOp],
    source: SSAValue,
    rewriter: PatternRewriter,
) -> None:
    """Lets a reader have another blob for an operand, through a chain (see `sole_chain`) of layers
    that give what has the shape of their input."""
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
    """Lets a changed producer's result stand for that of the layer it has absorbed: the blob's
    name and type are the absorbed layer's, the layer's name stays."""
    name = producer.layer_name.data if producer.layer_name is not None else None
    set_names(producer, name, names_of(absorbed))
    result, old = producer.results[0], absorbed.results[0]
    if result.type != old.type:
        result = rewriter.replace_value_with_new_type(result, old.type)
    rewriter.replace_all_uses_with(old, result)
    rewriter.erase(absorbed)
    rewriter.notify_op_modified(producer)


def in_order(a: _Operation, b: _Operation) -> tuple[_Operation, _Operation]:
    """Two operations of a block, the first one first. Looks from both sides of one outwards: what
    reads the same blob is seldom far."""
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
    cls: type[LayerOp],
    data: Sequence[SSAValue],
    weights: Mapping[str, SSAValue | None],
    params: Mapping[str, Value],
) -> LayerOp:
    """A layer of another type for the place of one, with the same results: names, types, feature
    mask and shape hints are what they were."""
    carried = ("name", "blobs", "featmask", "shape_hints")
    properties = {key: op.properties[key] for key in carried if key in op.properties}
    new = cls.make(data, weights, op.result_types, properties, op.attributes)
    new.init_params(params)
    new.location = op.location
    return new


def replace_by_new(
    op: LayerOp,
    cls: type[LayerOp],
    data: Sequence[SSAValue],
    weights: Mapping[str, SSAValue | None],
    params: Mapping[str, Value],
    rewriter: PatternRewriter,
) -> None:
    """Puts a layer of another type in the place of one with the same results: names, types, feature
    mask and shape hints stay what they are."""
    rewriter.replace(op, successor(op, cls, data, weights, params))


def changed(op: LayerOp, data: Sequence[SSAValue], **params: Value) -> LayerOp:
    """A layer like one, of other input blobs and with some other parameters, for its place."""
    new = successor(op, type(op), data, op.weight_operands(), {})
    kept = {key: value for key, value in op.properties.items() if key != "operandSegmentSizes"}
    new.properties.update(kept)
    new.set_params(**params)
    return new


def typed(layer: LayerOp) -> SSAValue:
    """What a new layer gives, of the type that follows from what it reads."""
    (type_,) = layer.infer_types() or layer.result_types
    return Rewriter.replace_value_with_new_type(layer.results[0], type_)


def put_before(op: LayerOp, new: LayerOp, rewriter: PatternRewriter) -> SSAValue:
    """Puts a layer before another one; returns what it gives (see `typed`)."""
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
    """Puts a layer without weights before another one, with a name of its own; returns what it
    gives."""
    new = successor(op, cls, inputs, {}, params)
    set_names(new, name, (None,))
    new.set_params(shape_hints=())
    return put_before(op, new, rewriter)


def agrees(op: LayerOp, types: Mapping[SSAValue, Attribute] | None = None) -> bool:
    """Whether the result types of a layer are such as follow from its parameters and operands, if
    some of these had other types.

    Not so where a file says that an input has other extents than its layers can work with. There
    a rewrite is left, that would be right for the blobs that the runtime is given: the types do
    not describe them.
    """
    given = types or {}
    follows = op.infer_types([given.get(v, v.type) for v in op.operands]) or ()
    pairs = zip(op.results, follows, strict=False)
    return all(agree(shape_of(result), shape_of(type_)) for result, type_ in pairs)


def new_weight(
    values: Any,
    like: SSAValue | None,
    before: LayerOp,
    rewriter: PatternRewriter,
    hint: str | None = None,
) -> SSAValue:
    """A constant of these values before an operation, of the element type of `like` (float32 if
    there is none) if that has them. Values that 16 bits would round become float32: others may
    still be made of them. What they are to be stored as in the end stands beside them (`STORED`);
    see `ConvertStorage`."""
    values = values.astype("f4", copy=False)
    stored = f32 if like is None else stored_as(like)
    element = stored if stored == f32 or is_exact(values, stored) else f32
    type_ = TensorType(element, values.shape)
    constant = ConstantOp.of(make_weight(values, type_), type_)
    constant.output.name_hint = hint if like is None else like.name_hint
    if stored != element:
        constant.attributes[STORED] = stored
    rewriter.insert(constant, InsertPoint.before(before))
    return constant.output


def is_exact(values: Any, element: Attribute) -> bool:
    """Whether float32 values stay the same in another element type."""
    import numpy as np

    with np.errstate(over="ignore"):
        kept = rounded(values, TensorType(element, values.shape)).astype("f4")
    return np.array_equal(kept, values)


def stored_as(weight: SSAValue) -> Attribute:
    """The element type that a weight has in the end: its own, or what it was before rewrites."""
    own = cast(TensorType[Attribute], weight.type).element_type
    constant = attached_constant(weight)
    return own if constant is None else constant.attributes.get(STORED, own)


def may_spell_out(channels: int, weight: SSAValue | None) -> bool:
    """Whether a value for each channel may be made: not where a model claims more of them than it
    has values for in this weight. (It may have been left out.)"""
    constant = attached_constant(weight)
    return channels <= MOST_UNSAID or (constant is not None and constant.has_values())


def scaled(weight: Any, factors: Any) -> Any:
    """`weight * factors` in float64, rounded once to float32. The factors have as many dims as the
    weight, and 1 or as many elements along each."""
    import numpy as np

    out = np.empty(weight.shape, "f4")
    with np.errstate(over="ignore"):  # infinities are looked for afterwards
        for part in _parts(weight):
            out[part] = weight[part].astype("f8") * _part_of(factors, part)
    return out


def sums_of_scaled(weight: Any, factors: Any, axis: int) -> Any:
    """`weight * factors` in float64, summed over all axes but one."""
    import numpy as np

    total = np.zeros(weight.shape[axis])
    others = tuple(i for i in range(weight.ndim) if i != axis)
    for part in _parts(weight):
        sums = (weight[part].astype("f8") * _part_of(factors, part)).sum(others)
        if axis == 0:
            total[part] = sums
        else:
            total += sums
    return total


def _parts(weight: Any) -> Iterator[slice]:
    """A few rows at a time: all of a large weight in float64 would be twice its size."""
    rows = max(1, (1 << 18) * len(weight) // max(weight.size, 1))
    return (slice(i, i + rows) for i in range(0, len(weight), rows))


def _part_of(factors: Any, part: slice) -> Any:
    return factors if len(factors) == 1 else factors[part]


def all_finite(arrays: Sequence[Any]) -> bool:
    """Whether all values are numbers that float32 holds."""
    import numpy as np

    limit = np.finfo("f4").max
    # A NaN is its array's least and greatest value, and within no limit.
    return all(
        values.size == 0 or bool(-limit <= values.min() and values.max() <= limit)
        for values in map(np.asarray, arrays)
    )
