"""Shape inference for whole models, and the shape hints of files."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from ..dialects.ncnn.blob import BlobType, agree, blob, combined, shape_of, static_shape_of
from ..dialects.ncnn.checks import INT_MAX
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.extents import AXES
from ..dialects.ncnn.function import (
    has_input_op,
    input_layer,
    input_name,
    input_params,
    update_type,
)
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import layers_of
from ..dialects.ncnn.params import ParamKind, encode
from ..dialects.ncnn.structure import EXTENT_IDS, InputOp, input_extents
from ..dialects.ncnn.weight_specs import Shape, pattern_text
from ..dialects.shapes.analysis import AT_MOST, PROMISED, bounded_axes, fixed_axes
from ..dialects.xdsl_extras.spelling import nearest_or_all
from .specialization import Specialization

HINTS_ID = "30"
"""The key of the shape hints among the parameters of an Input layer."""

MOST_ELEMENTS = 1 << 60
"""The maximal number of elements in a shape hint of the runtime."""


# -- types


def set_input_shapes(
    func: FuncOp, shapes: Mapping[str, Shape], option: str = "--input-shape"
) -> None:
    """Set the shapes of inputs, by name, and infer all other shapes again.

    Raises `PassFailedException` for an unknown input, with the nearest name; for an input that is
    specialized to another shape; and for shapes that contradict weights, with a shape that fits and
    the command-line `option` to set it.
    """
    from .input_shapes import contradictions

    args = {input_name(func, i): arg for i, arg in enumerate(func.body.block.args)}
    for name, shape in shapes.items():
        if name not in args:
            raise PassFailedException(f"there is no input '{name}'{_hint(func, name)}")
        check_specialization(name, args[name], shape)
    given = {args[name].index: shape for name, shape in shapes.items()}
    declared = {index: static_shape_of(func.body.block.args[index]) for index in given}
    before = {found.op: found.shapes for found in contradictions(func)}
    infer(func, {args[name]: shape for name, shape in shapes.items()})
    for found in contradictions(func):
        known = before.get(found.op)
        if known is None or not all(map(_is_general, found.shapes, known)):
            raise PassFailedException(f"{found}{_proposal(func, given, declared, option)}")
    _updateinput_layers(func, set(given))


def _is_general(shape: Shape, other: Shape) -> bool:
    """Whether a shape allows another one: it has the same extents, or unknown ones. (A file whose
    shapes contradict a layer does so with fewer known extents, too: no given shape is to blame.)"""
    return len(shape) == len(other) and all(
        n in (m, DYNAMIC_INDEX) for n, m in zip(shape, other, strict=True)
    )


def _proposal(
    func: FuncOp, given: Mapping[int, Shape], declared: Mapping[int, Shape | None], option: str
) -> str:
    """Return the text that proposes a shape that fits; empty if none is found."""
    from .input_shapes import fitting_shape

    for index, shape in given.items():
        if (other := fitting_shape(func, index, shape, declared[index])) is not None:
            batch = " (leave out the batch axis)" if shape[0] == 1 and shape[1:] == other else ""
            return f"; try {option} {input_name(func, index)}={pattern_text(other)}{batch}"
    return ""


def specialize_shapes(func: FuncOp, given: Mapping[str, Specialization]) -> None:
    """Specialize a model to shapes of inputs, by name (see `SpecializeShapes`). Raises
    `PassFailedException` as `set_input_shapes` does."""
    set_input_shapes(func, {name: each.shape for name, each in given.items()}, "--fix-shapes")
    attrs = _argument_attributes(func)
    for i in range(len(attrs)):
        if (each := given.get(input_name(func, i))) is not None:
            attrs[i][PROMISED] = UnitAttr()
            attrs[i].pop(AT_MOST, None)
            if each.at_most:
                attrs[i][AT_MOST] = DenseArrayBase.from_list(i64, each.at_most)
    func.arg_attrs = ArrayAttr(map(DictionaryAttr, attrs))


def check_specialization(name: str, arg: BlockArgument, shape: Shape) -> None:
    """Raise `PassFailedException` if an argument is specialized to another shape."""
    declared, bounded = shape_of(arg) or (), bounded_axes(arg)
    axes = (*fixed_axes(arg), *bounded)
    special = [(i, n) for i, n in enumerate(declared) if n != DYNAMIC_INDEX and i in axes]
    if not special or (len(shape) == len(declared) and all(shape[i] == n for i, n in special)):
        return
    word = "at most " if bounded else ""
    raise PassFailedException(f"input '{name}' is specialized to {word}{pattern_text(declared)}")


def _hint(func: FuncOp, name: str) -> str:
    """Return the text that proposes a name for an unknown input."""
    names = [input_name(func, i) for i in range(len(func.body.block.args))]
    blobs = [blob for i, blob in enumerate(names) if input_layer(func, i) == name]
    if blobs:
        return f"; the layer of that name gives {', '.join(map(repr, blobs))}"
    return nearest_or_all(name, names, "inputs")


def infer(func: FuncOp, inputs: Mapping[BlockArgument, Shape] | None = None) -> None:
    """Infer the types of all blobs of a function of one block, in program order, and the function's
    type.

    `inputs` are the new shapes of arguments. A type keeps its static extents unless it may depend
    on an argument with a contradicting new shape. Element types stay.
    """
    replaced: set[SSAValue] = set()
    for arg, shape in (inputs or {}).items():
        _retype(arg, shape, replaced)
    for op in layers_of(func):
        follows = op.infer_types() or (None,) * len(op.results)
        stale = any(operand in replaced for operand in op.operands)
        for result, type_ in zip(op.results, follows, strict=False):
            old, new = shape_of(result), None if type_ is None else shape_of(type_)
            # Extents that depend on contradicting old inputs are dropped.
            if not stale and agree(old, new):
                new = combined(old, new)
            _retype(result, new, replaced)
    update_type(func)


def with_shapes(func: FuncOp, shapes: Mapping[int, Shape]) -> FuncOp:
    """Return a copy of a model whose inputs, by index, have these shapes, and whose other shapes
    are inferred."""
    copy = func.clone()
    infer(copy, {copy.body.block.args[i]: shape for i, shape in shapes.items()})
    return copy


def _retype(value: SSAValue, shape: Shape | None, replaced: set[SSAValue]) -> None:
    """Set the shape of a value. If the new shape contradicts or generalizes the old one, add the
    new value to `replaced`."""
    old = shape_of(value)
    if shape == old:
        return
    element = cast(BlobType, value.type).element_type
    new = Rewriter.replace_value_with_new_type(value, blob(shape, element))
    if not agree(old, shape) or combined(old, shape) != shape:
        replaced.add(new)


def _updateinput_layers(func: FuncOp, indices: set[int]) -> None:
    """Set the extents in the Input layers of these arguments to the arguments' shapes."""
    for index in indices:
        _change_params(func, [index], drop=[str(id) for id in EXTENT_IDS.values()])
    for op in func.body.block.ops:
        if not isinstance(op, InputOp):
            continue
        if any(isinstance(v, BlockArgument) and v.index in indices for v in op.inputs):
            types = {v.type for v in op.inputs}
            extents = input_extents(types.pop()) if len(types) == 1 else {}
            op.set_params(**{name: extents.get(id, 0) for name, id in EXTENT_IDS.items()})


# -- shape hints


def write_hints(func: FuncOp) -> None:
    """Write shape hints to the layers whose outputs are all static, and remove them from other
    layers."""
    for op in _layers(func):
        hints = hints_of(op.result_types)
        if hints != op.shape_hints:
            op.set_params(shape_hints=hints)
    for group in input_layers(func):
        hints = hints_of([func.body.block.args[i].type for i in group])
        if hints:
            _change_params(func, group, add={HINTS_ID: encode(ParamKind.INTS, hints)})
        else:
            _change_params(func, group, drop=[HINTS_ID])


def drop_hints(func: FuncOp) -> None:
    """Remove the shape hints of all layers."""
    for op in _layers(func):
        if op.shape_hints:
            op.set_params(shape_hints=())
    _change_params(func, range(len(func.body.block.args)), drop=[HINTS_ID])


def hints_of(types: Sequence[Attribute]) -> tuple[int, ...]:
    """Return the shape hints of a layer with outputs of these types.

    `NetPrivate::load_shape_hints` (src/net.cpp) defines the format: for each output dims, w,
    h, c, or dims, w, h, d, c if one output is 4-D; 1 for missing axes. The result is empty if there
    is no output, an extent is dynamic, or the runtime would refuse the hints.
    """
    shapes = [static_shape_of(type_) for type_ in types]
    hints: list[int] = []
    with_depth = any(shape is not None and len(shape) == 4 for shape in shapes)
    for shape in shapes:
        if shape is None or len(shape) not in AXES or prod(shape) > MOST_ELEMENTS:
            return ()
        if max(shape) > INT_MAX:  # impossible in a file, but possible in IR
            return ()
        extents = dict(zip(AXES[len(shape)], shape, strict=True))
        order = "whdc" if with_depth else "whc"
        hints += [len(shape), *(extents.get(axis, 1) for axis in order)]
    return tuple(hints)


def _layers(func: FuncOp) -> Iterator[LayerOp]:
    """Yield the operations that are layers of a file: all but weights."""
    for op in func.body.block.ops:
        if isinstance(op, LayerOp) and not (isinstance(op, ConstantOp) and not op.is_layer()):
            yield op


def input_layers(func: FuncOp) -> Iterator[list[int]]:
    """Yield the indices of the arguments of each Input layer at the head of a file: neighbours with
    the same layer name. Arguments of an `ncnn.input` are skipped."""
    args = func.body.block.args
    heads = [arg.index for arg in args if not has_input_op(arg)]
    for _, group in groupby(heads, lambda i: input_layer(func, i) or input_name(func, i)):
        yield list(group)


def _change_params(
    func: FuncOp,
    indices: Sequence[int],
    *,
    add: Mapping[str, Attribute] | None = None,
    drop: Sequence[str] = (),
) -> None:
    """Add and remove parameters of the Input layers of arguments that their types do not express
    (`ncnn.params`)."""
    attrs = _argument_attributes(func)
    for i in indices:
        old = input_params(func, i)
        params = {} if old is None else {k: v for k, v in old.data.items() if k not in drop}
        params.update(add or {})
        attrs[i].pop("ncnn.params", None)
        if params:
            attrs[i]["ncnn.params"] = DictionaryAttr(params)
    if func.arg_attrs is not None or any(attrs):
        func.arg_attrs = ArrayAttr(map(DictionaryAttr, attrs))


def _argument_attributes(func: FuncOp) -> list[dict[str, Attribute]]:
    attrs: list[dict[str, Attribute]] = [{} for _ in func.body.block.args]
    for i, given in enumerate(func.arg_attrs or ()):
        attrs[i].update(given.data)
    return attrs
