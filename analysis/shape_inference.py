"""Shapes of whole models: from those of the inputs to those of all blobs, and the shape hints of
the files."""

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
from ..dialects.ncnn.function import input_layer, input_name, input_params, update_type
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.params import Kind, encode
from ..dialects.ncnn.slots import Shape, pattern_text
from ..dialects.ncnn.structure import EXTENT_IDS, InputOp, input_extents
from ..dialects.shapes.analysis import AT_MOST, PROMISED, bounded_axes, fixed_axes
from ..dialects.xdsl_extras.spelling import nearest
from .specialization import Promise

HINTS_ID = "30"
"""The key of the shape hints among the parameters of an Input layer."""

MOST_ELEMENTS = 1 << 60
"""More than the runtime lets a shape hint have."""


# -- types


def set_input_shapes(
    func: FuncOp, shapes: Mapping[str, Shape], option: str = "--input-shape"
) -> None:
    """Gives inputs of a model, by name, these shapes, and infers the others anew. Raises
    `PassFailedException` with the nearest name if there is no such input, with the shape that was
    promised if that is another one, and with a shape that fits if weights contradict those that are
    given (and the option that would say it)."""
    from .input_shapes import contradictions

    args = {input_name(func, i): arg for i, arg in enumerate(func.body.block.args)}
    for name, shape in shapes.items():
        if name not in args:
            raise PassFailedException(f"there is no input '{name}'{_hint(func, name)}")
        check_promise(name, args[name], shape)
    given = {args[name].index: shape for name, shape in shapes.items()}
    before = {found.op for found in contradictions(func)}
    infer(func, {args[name]: shape for name, shape in shapes.items()})
    for found in contradictions(func):
        if found.op not in before:
            raise PassFailedException(f"{found}{_what_fits(func, given, option)}")
    _tell_extents(func, set(given))


def _what_fits(func: FuncOp, given: Mapping[int, Shape], option: str) -> str:
    """What to say about shapes that weights contradict: one that fits."""
    from .input_shapes import fitting_shape

    for index, shape in given.items():
        if (other := fitting_shape(func, index, shape)) is not None:
            return f"; try {option} {input_name(func, index)}={pattern_text(other)}"
    return ""


def promise_shapes(func: FuncOp, promises: Mapping[str, Promise]) -> None:
    """Gives inputs of a model, by name, the shapes that they are promised to have (see
    `PromiseShapes`). Raises `PassFailedException` as `set_input_shapes` does."""
    set_input_shapes(func, {name: each.shape for name, each in promises.items()}, "--fix-shapes")
    attrs = _argument_attributes(func)
    for i in range(len(attrs)):
        if (each := promises.get(input_name(func, i))) is not None:
            attrs[i][PROMISED] = UnitAttr()
            attrs[i].pop(AT_MOST, None)
            if each.at_most:
                attrs[i][AT_MOST] = DenseArrayBase.from_list(i64, each.at_most)
    func.arg_attrs = ArrayAttr(map(DictionaryAttr, attrs))


def check_promise(name: str, arg: BlockArgument, shape: Shape) -> None:
    """Raise `PassFailedException` if an argument is promised to have another shape."""
    declared, bounded = shape_of(arg) or (), bounded_axes(arg)
    said = [(i, n) for i, n in enumerate(declared) if n != DYNAMIC_INDEX]
    promised = [(i, n) for i, n in said if i in (*fixed_axes(arg), *bounded)]
    if not promised or (len(shape) == len(declared) and all(shape[i] == n for i, n in promised)):
        return
    word = "at most " if bounded else ""
    raise PassFailedException(f"input '{name}' is promised to be {word}{pattern_text(declared)}")


def _hint(func: FuncOp, name: str) -> str:
    """What to say about a name that no input has."""
    names = [input_name(func, i) for i in range(len(func.body.block.args))]
    blobs = [blob for i, blob in enumerate(names) if input_layer(func, i) == name]
    if blobs:
        return f"; the layer of that name gives {', '.join(map(repr, blobs))}"
    return nearest(name, names)


def infer(func: FuncOp, inputs: Mapping[BlockArgument, Shape] | None = None) -> None:
    """Infers the types of all blobs of a function of one block, in order, and its own type.

    `inputs` are arguments that get another shape. A type says no less than it did, unless an
    argument that it may depend on now says something else. Element types stay.
    """
    replaced: set[SSAValue] = set()
    for arg, shape in (inputs or {}).items():
        _retype(arg, shape, replaced)
    for op in func.body.block.ops:
        if not isinstance(op, LayerOp):
            continue
        follows = op.infer_types() or (None,) * len(op.results)
        stale = any(operand in replaced for operand in op.operands)
        for result, type_ in zip(op.results, follows, strict=False):
            old, new = shape_of(result), None if type_ is None else shape_of(type_)
            # With other inputs only what follows from them counts.
            if not stale and agree(old, new):
                new = combined(old, new)
            _retype(result, new, replaced)
    update_type(func)


def _retype(value: SSAValue, shape: Shape | None, replaced: set[SSAValue]) -> None:
    """Gives a value another shape. If it is none that the old one could have meant, the value that
    takes its place is one of those replaced."""
    old = shape_of(value)
    if shape == old:
        return
    element = cast(BlobType, value.type).element_type
    new = Rewriter.replace_value_with_new_type(value, blob(shape, element))
    if not agree(old, shape) or combined(old, shape) != shape:
        replaced.add(new)


def _tell_extents(func: FuncOp, indices: set[int]) -> None:
    """Lets Input layers say the shapes that some arguments now have, and nothing else."""
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
    """Gives each layer whose outputs all have known extents its shape hints, and takes them from
    the others."""
    for op in _layers(func):
        hints = hints_of(op.result_types)
        if hints != op.shape_hints:
            op.set_params(shape_hints=hints)
    for group in _input_layers(func):
        hints = hints_of([func.body.block.args[i].type for i in group])
        if hints:
            _change_params(func, group, add={HINTS_ID: encode(Kind.INTS, hints)})
        else:
            _change_params(func, group, drop=[HINTS_ID])


def drop_hints(func: FuncOp) -> None:
    """Takes the shape hints from all layers."""
    for op in _layers(func):
        if op.shape_hints:
            op.set_params(shape_hints=())
    _change_params(func, range(len(func.body.block.args)), drop=[HINTS_ID])


def hints_of(types: Sequence[Attribute]) -> tuple[int, ...]:
    """The shape hints of a layer with outputs of these types, as `NetPrivate::load_shape_hints`
    (src/net.cpp) reads them: for each dims, w, h, c, or dims, w, h, d, c if one of them is 4-D;
    1 for axes that a blob does not have. None if there is no output, an extent is unknown, or the
    runtime would refuse them."""
    shapes = [static_shape_of(type_) for type_ in types]
    hints: list[int] = []
    with_depth = any(shape is not None and len(shape) == 4 for shape in shapes)
    for shape in shapes:
        if shape is None or len(shape) not in AXES or prod(shape) > MOST_ELEMENTS:
            return ()
        if max(shape) > INT_MAX:  # which follows from no file, but may stand in IR
            return ()
        extents = dict(zip(AXES[len(shape)], shape, strict=True))
        order = "whdc" if with_depth else "whc"
        hints += [len(shape), *(extents.get(axis, 1) for axis in order)]
    return tuple(hints)


def _layers(func: FuncOp) -> Iterator[LayerOp]:
    """The operations that are layers of a file: all but weights."""
    for op in func.body.block.ops:
        if isinstance(op, LayerOp) and not (isinstance(op, ConstantOp) and not op.is_layer()):
            yield op


def _input_layers(func: FuncOp) -> Iterator[list[int]]:
    """The arguments of each Input layer at the head of a file, by index: neighbours with one layer
    name. Those of an `ncnn.input` have none."""
    args = func.body.block.args
    heads = [arg.index for arg in args if not _stands_in_place(arg)]
    for _, group in groupby(heads, lambda i: input_layer(func, i) or input_name(func, i)):
        yield list(group)


def _stands_in_place(arg: BlockArgument) -> bool:
    return arg.has_one_use() and isinstance(arg.get_user_of_unique_use(), InputOp)


def _change_params(
    func: FuncOp,
    indices: Sequence[int],
    *,
    add: Mapping[str, Attribute] | None = None,
    drop: Sequence[str] = (),
) -> None:
    """Adds and drops parameters of the Input layers behind arguments that their types do not say
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
