"""An evaluator of functions of `func`, `linalg`, `tensor`, `arith`, `math` and `scf` in NumPy.

It shares nothing with the lowering that it is an oracle for. It is strict: each result must have
the type that the operation declares, each index must be inside its tensor, the maps of a
`linalg.generic` must agree on the extents of its loops, and `tensor.empty` holds NaN.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, cast

import numpy as np
from ncnn_opt.dialects.iree import ComputeBarrierStartOp
from ncnn_opt.dialects.ncnn.constant import ConstantOp as WeightOp
from ncnn_opt.interpreters.ncnn.formulas import OPERATIONS
from numpy.typing import NDArray
from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    TensorType,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

Array = NDArray[Any]
Env = dict[SSAValue, Any]


def results_of(func: FuncOp, inputs: Sequence[Array]) -> list[Array]:
    """The results of a function for these inputs."""
    func.verify()
    env: Env = dict(zip(func.body.block.args, inputs, strict=True))
    return _run(func.body.block, env)


def dtype_of(type_: Attribute) -> np.dtype[Any]:
    """The NumPy type of elements."""
    if isinstance(type_, IndexType):
        return np.dtype("i8")
    width = cast(Any, type_).bitwidth
    if isinstance(type_, IntegerType):
        return np.dtype(bool) if width == 1 else np.dtype(f"i{width // 8}")
    return np.dtype(f"f{width // 8}")


def _run(block: Block, env: Env) -> list[Any]:
    """Compute the operations of a block; return the operands of its terminator."""
    for op in block.ops:
        if isinstance(op, ReturnOp | linalg.YieldOp | scf.YieldOp | tensor.YieldOp):
            return [env[v] for v in op.operands]
        if isinstance(op, linalg.IndexOp):
            continue  # the loop nest has set it
        args = [env[v] for v in op.operands]
        made = _BY_KIND[type(op)](op, args, env) if type(op) in _BY_KIND else _scalar(op, args)
        values: list[Any] = cast(Any, made) if isinstance(made, list) else [made]
        for result, value in zip(op.results, values, strict=True):
            _check_type(op, result.type, value)
            env[result] = value  # (each value has one definition, so loops may share this table)
    raise AssertionError("a block without a terminator")


def _check_type(op: Operation, type_: Attribute, value: Any) -> None:
    if not isinstance(type_, TensorType):
        assert np.asarray(value).dtype == dtype_of(type_), op
        return
    of = cast(TensorType[Any], type_)
    assert value.dtype == dtype_of(of.element_type), op
    shape = of.get_shape()
    assert len(shape) == value.ndim, op
    assert all(n in (DYNAMIC_INDEX, m) for n, m in zip(shape, value.shape)), (op, value.shape)


# -- scalars, each for all points of a loop nest at once


_FLOATS: Sequence[Callable[[Any, Any], Any]] = (
    lambda a, b: np.zeros(np.broadcast(a, b).shape, bool), np.equal, np.greater, np.greater_equal,
    np.less, np.less_equal, lambda a, b: ~_is_nan(a, b) & np.not_equal(a, b),
    lambda a, b: ~_is_nan(a, b), lambda a, b: _is_nan(a, b) | np.equal(a, b),
    lambda a, b: ~np.less_equal(a, b), lambda a, b: ~np.less(a, b),
    lambda a, b: ~np.greater_equal(a, b), lambda a, b: ~np.greater(a, b), np.not_equal,
    lambda a, b: _is_nan(a, b),
    lambda a, b: np.True_,
)  # fmt: skip
"""The predicates of `arith.cmpf`, by number."""

_INTEGERS = (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)
"""The signed predicates of `arith.cmpi`, by number."""


def _is_nan(a: Any, b: Any) -> Any:
    return np.isnan(a) | np.isnan(b)


def _unsigned(x: Any) -> Any:
    x = np.asarray(x)
    return x if x.dtype.kind == "b" else x.view(f"u{x.dtype.itemsize}")


def _shifted(x: Any, by: Any) -> Any:
    return np.right_shift(_unsigned(x), _unsigned(by))


def _same(x: Any) -> Any:
    return x


_CONVERSIONS = "extf extsi fptosi fptoui index_cast sitofp truncf trunci".split()

_FURTHER: Mapping[str, Callable[..., Any]] = {
    "arith.floordivsi": np.floor_divide,
    "arith.remsi": np.fmod,
    "arith.shli": np.left_shift,
    "arith.shrsi": np.right_shift,
    "arith.shrui": _shifted,
    "arith.extui": _unsigned,
    "arith.uitofp": _unsigned,
    "math.absi": np.abs,
    **{f"arith.{name}": _same for name in _CONVERSIONS},
}
"""Operations that the reference does not have; conversions are done by the type of the result."""


def _scalar(op: Operation, args: Sequence[Any]) -> Any:
    match op:
        case arith.CmpfOp():
            return _FLOATS[op.predicate.value.data](*args)
        case arith.CmpiOp():
            return _INTEGERS[op.predicate.value.data](*args)
        case arith.BitcastOp():
            return np.asarray(args[0]).view(dtype_of(op.result.type))
        case _:
            pass
    function = {**OPERATIONS, **_FURTHER}[op.name]
    with np.errstate(all="ignore"):
        return np.asarray(function(*args)).astype(dtype_of(op.results[0].type))


def _constant(op: arith.ConstantOp, args: Sequence[Any], env: Env) -> Any:
    value: Any = op.value
    type_: Any = op.result.type
    if isinstance(value, DenseIntOrFPElementsAttr):
        dtype = dtype_of(type_.element_type)
        flat, shape = np.array(cast(Any, value.get_values()), dtype), type_.get_shape()
        return np.broadcast_to(flat[0], shape) if flat.size == 1 else flat.reshape(shape)
    return np.asarray(value.value.data, dtype_of(type_))


# -- tensors


def _shape(op: Operation, sizes: Sequence[Any]) -> tuple[int, ...]:
    """The shape of a result, with these values for the extents that its type leaves open."""
    rest = iter(sizes)
    shape = cast(Any, op.results[0].type).get_shape()
    return tuple(int(next(rest)) if n == DYNAMIC_INDEX else n for n in shape)


def _empty(op: tensor.EmptyOp, args: Sequence[Any], env: Env) -> Any:
    dtype = dtype_of(cast(Any, op.tensor.type).element_type)
    return np.full(_shape(op, args), np.nan if dtype.kind == "f" else 77, dtype)


def _numbers(op: Operation, name: str, dynamic: Any, env: Env) -> tuple[int, ...]:
    """The numbers of a property, of which some are values."""
    rest = iter(dynamic)
    numbers = cast(Any, op.properties[name]).get_values()
    return tuple(int(env[next(rest)]) if n == DYNAMIC_INDEX else n for n in numbers)


def _box(op: Any, env: Env, shape: Sequence[int]) -> tuple[slice, ...]:
    """The elements that a slice of a tensor of this shape takes."""
    rows = list(
        zip(
            _numbers(op, "static_offsets", op.offsets, env),
            _numbers(op, "static_sizes", op.sizes, env),
            _numbers(op, "static_strides", op.strides, env),
            shape,
            strict=True,
        )
    )
    for offset, size, stride, n in rows:
        assert offset >= 0, op
        assert stride >= 1, op
        assert size == 0 or offset + (size - 1) * stride < n, op
    return tuple(slice(o, o + (n - 1) * s + 1 if n else o, s) for o, n, s, _ in rows)


def _extract_slice(op: tensor.ExtractSliceOp, args: Sequence[Any], env: Env) -> Any:
    made = args[0][_box(op, env, args[0].shape)]
    rank = len(cast(Any, op.result.type).get_shape())
    return made if made.ndim == rank else made.reshape([n for n in made.shape if n != 1])


def _insert_slice(op: tensor.InsertSliceOp, args: Sequence[Any], env: Env) -> Any:
    part, made = args[0], args[1].copy()
    box = _box(op, env, made.shape)
    shape = made[box].shape
    if part.shape != shape:  # some axes of one element may be left out
        rest = iter([*part.shape, None])
        left = next(rest)
        for n in shape:
            left = next(rest) if n == left else left if n == 1 else -1
        assert left is None, (op, part.shape)
    made[box] = part.reshape(shape)
    return made


def _pad(op: tensor.PadOp, args: Sequence[Any], env: Env) -> Any:
    low = _numbers(op, "static_low", op.low, env)
    high = _numbers(op, "static_high", op.high, env)
    assert min((*low, *high), default=0) >= 0, op
    (value,) = _run(op.region.block, env)
    return np.pad(args[0], list(zip(low, high, strict=True)), constant_values=value)


def _reassociated(op: Any, long: Sequence[int], short: Sequence[int]) -> None:
    """Assert that each axis of `short` is a group of neighbouring axes of `long`."""
    groups: list[list[int]] = [[i.value.data for i in each] for each in op.reassociation]
    assert [i for each in groups for i in each] == list(range(len(long))), op
    assert not groups or [prod(long[i] for i in each) for each in groups] == list(short), op


def _collapse(op: tensor.CollapseShapeOp, args: Sequence[Any], env: Env) -> Any:
    groups: list[list[int]] = [[i.value.data for i in cast(Any, each)] for each in op.reassociation]
    shape = [prod(args[0].shape[i] for i in each) for each in groups]
    _reassociated(op, args[0].shape, shape)
    return args[0].reshape(shape)


def _expand(op: tensor.ExpandShapeOp, args: Sequence[Any], env: Env) -> Any:
    shape = _shape(op, args[1:])
    _reassociated(op, shape, args[0].shape)
    return args[0].reshape(shape)


def _dim(op: tensor.DimOp, args: Sequence[Any], env: Env) -> Any:
    return np.int64(args[0].shape[int(args[1])])


def _extract(op: tensor.ExtractOp, args: Sequence[Any], env: Env) -> Any:
    x, *indices = args
    return _gathered(x, indices)


# -- linalg


def _gathered(x: Array, indices: Sequence[Any]) -> Any:
    """The elements at these indices, which must be inside."""
    for index, n in zip(indices, x.shape, strict=True):
        assert np.min(index) >= 0, "an index is before its tensor"
        assert np.max(index) < n, "an index is beyond its tensor"
    return x[tuple(indices)]


def _generic(op: linalg.GenericOp, args: Sequence[Any], env: Env) -> Any:
    maps = [each.data for each in op.indexing_maps]
    *inputs, out = args
    body = op.body.block
    kinds = [each.data for each in op.iterator_types]
    parallel = [i for i, kind in enumerate(kinds) if kind == IteratorType.PARALLEL]
    written = [e.position for e in maps[-1].results if isinstance(e, AffineDimExpr)]
    assert sorted(written) == parallel, op
    assert len(written) == len(maps[-1].results), op
    indices = [each for each in body.ops if isinstance(each, linalg.IndexOp)]

    def at_once(values: Sequence[Any], at: Sequence[Any]) -> Any:
        env.update(zip(body.args, values, strict=True))
        env.update((each.result, np.asarray(at[each.dim.value.data])) for each in indices)
        return _run(body, env)[0]

    return _nest(maps, parallel, inputs, out, at_once)


def _nest(
    maps: Sequence[AffineMap],
    parallel: Sequence[int],
    inputs: Sequence[Array],
    out: Array,
    body: Callable[[Sequence[Any], Sequence[Any]], Any],
) -> Array:
    """A loop nest: all parallel loops at once, the reducing ones step by step."""
    extents = _extents(maps, [*inputs, out])
    at: list[Any] = [None] * len(extents)
    for k, i in enumerate(parallel):
        at[i] = np.arange(extents[i]).reshape([-1 if k == j else 1 for j in range(len(parallel))])
    shape = tuple(extents[i] for i in parallel)
    result, where = out.copy(), None
    if 0 in shape:
        return result
    reducing = [i for i in range(len(extents)) if i not in parallel]
    total: Any = None
    for step in product(*(range(extents[i]) for i in reducing)):
        for i, n in zip(reducing, step, strict=True):
            at[i] = n
        if where is None:
            where = tuple(_index(e, at) for e in maps[-1].results)
            total = _gathered(out, where)
        read = [_read(x, each, at) for x, each in zip(inputs, maps, strict=False)]
        total = body([*read, total], at)
    if where is None:  # nothing is reduced: `out` as it is
        return result
    result[where] = np.broadcast_to(total, shape)
    return result


def _read(x: Array, map_: AffineMap, at: Sequence[Any]) -> Any:
    return _gathered(x, [_index(each, at) for each in map_.results])


def _index(expr: AffineExpr, at: Sequence[Any]) -> Any:
    return expr.eval(list(at), [])


def _extents(maps: Sequence[AffineMap], values: Sequence[Array]) -> list[int]:
    """The extents of the loops: those of the axes that a dim alone indexes."""
    found: dict[int, int] = {}
    for map_, value in zip(maps, values, strict=True):
        for expr, n in zip(map_.results, value.shape, strict=True):
            if isinstance(expr, AffineDimExpr):
                assert found.setdefault(expr.position, n) == n, f"loops of {found} and {n}"
    assert sorted(found) == list(range(maps[0].num_dims)), "a loop without an extent"
    return [found[i] for i in sorted(found)]


def _fill(op: linalg.FillOp, args: Sequence[Any], env: Env) -> Any:
    return np.full_like(args[1], args[0])


def _matmul(op: linalg.MatmulOp, args: Sequence[Any], env: Env) -> Any:
    a, b, out = args
    return out + a @ b


def _convolved(op: Any, args: Sequence[Any], env: Env) -> Any:
    """`n h w c` and `kh kw c f` to `n h w f`."""
    x, weight, out = args
    strides, dilations = (list(each.get_values()) for each in (op.strides, op.dilations))
    total = out.copy()
    _, h, w, _ = out.shape
    for a, b in product(*map(range, weight.shape[:2])):
        rows, columns = (
            slice(k * d, k * d + (n - 1) * s + 1, s)
            for k, d, n, s in zip((a, b), dilations, (h, w), strides, strict=True)
        )
        total += x[:, rows, columns] @ weight[a, b]
    return total


def _convolved_first(op: linalg.Conv2DNchwFchwOp, args: Sequence[Any], env: Env) -> Any:
    """The same, of `n c h w` and `f c kh kw`."""
    x, weight, out = args
    moved = [x.transpose(0, 2, 3, 1), weight.transpose(2, 3, 1, 0), out.transpose(0, 2, 3, 1)]
    return _convolved(op, moved, env).transpose(0, 3, 1, 2)


def _for(op: scf.ForOp, args: Sequence[Any], env: Env) -> list[Any]:
    start, stop, step, *carried = args
    index, *inside = op.body.block.args
    for i in range(int(start), int(stop), int(step)):
        env[index] = np.int64(i)
        env.update(zip(inside, carried, strict=True))
        carried = _run(op.body.block, env)
    return carried


_BY_KIND: Mapping[type[Operation], Callable[[Any, Sequence[Any], Env], Any]] = {
    WeightOp: lambda op, args, env: np.asarray(op.read()),
    arith.ConstantOp: _constant,
    ComputeBarrierStartOp: lambda op, args, env: args[0],
    tensor.EmptyOp: _empty,
    tensor.ExtractSliceOp: _extract_slice,
    tensor.InsertSliceOp: _insert_slice,
    tensor.PadOp: _pad,
    tensor.CollapseShapeOp: _collapse,
    tensor.ExpandShapeOp: _expand,
    tensor.DimOp: _dim,
    tensor.ExtractOp: _extract,
    linalg.GenericOp: _generic,
    linalg.FillOp: _fill,
    linalg.TransposeOp: lambda op, args, env: args[0].transpose(op.permutation.get_values()),
    tensor.ConcatOp: lambda op, args, env: np.concatenate(args, op.dim.value.data),
    linalg.MatmulOp: _matmul,
    linalg.Conv2DNhwc_HwcfOp: _convolved,
    linalg.Conv2DNchwFchwOp: _convolved_first,
    scf.ForOp: _for,
}
