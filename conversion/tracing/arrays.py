"""Arrays that record the operations of NumPy's functions and operators.

They take the place of NumPy's arrays in the reference semantics, which are written for NumPy. A
computation that depends on the values of elements raises `NotTraced`, since these are not known.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast
from weakref import ref

import numpy as np

from ...dialects.shapes.terms import Extent, Extents, ExtentTerm
from ...interpreters.ncnn.traceable import ArrayMethods
from . import nodes
from .nodes import DType, Node, NotTraced

Function = Callable[..., Any]


class Traced(ArrayMethods):
    """An array of unknown elements: computations with it become a graph.

    It behaves as `numpy.ndarray` where its elements do not matter, and raises `NotTraced` where
    they do. A write replaces its graph. So an array cannot be written while another array shares
    its elements (a view, or the array that it views): that array would not see the write.
    """

    __array_priority__ = 1000

    def __init__(self, node: Node, view_of: "Traced | None" = None) -> None:
        self.node = node
        self._sharing: list[ref[Traced]] = [] if view_of is None else view_of._sharing
        self._sharing.append(ref(self))

    # -- shape and type

    @property
    def shape(self) -> Any:
        return self.node.shape

    @property
    def dtype(self) -> DType:
        return self.node.dtype

    @property
    def size(self) -> Any:
        return nodes.count(self.node.shape)

    def __len__(self) -> int:
        return known(self.node.shape[0])

    def __repr__(self) -> str:
        return f"Traced({self.node.shape}, {self.node.dtype})"

    # -- values, which are not known

    def __bool__(self) -> bool:
        raise NotTraced("the computation depends on values")

    def __index__(self) -> int:
        raise NotTraced("an index or extent depends on values")

    __int__ = __index__

    def __float__(self) -> float:
        raise NotTraced("a number depends on values")

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotTraced("NumPy asks for values")

    def tolist(self) -> Any:
        raise NotTraced("the computation depends on values")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise NotTraced(f"an array's '{name}' has no traced form")

    # -- NumPy's protocols

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", (None,))[0]
        match method:
            case "__call__":
                node = _functions().apply(ufunc, inputs, **kwargs)
            case "reduce":
                node = _functions().reduce(ufunc, *inputs, **kwargs)
            case _:
                raise NotTraced(f"{ufunc.__name__}.{method}")
        if out is None:
            return Traced(node)
        target = cast(Traced, out)
        target._write(nodes.broadcast(cast_to(node, target.dtype), target.shape))
        return target

    def __array_function__(
        self, func: Function, types: Sequence[type], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        return self.__trace__(func, args, kwargs)

    def __trace__(self, func: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        own = _functions().FUNCTIONS.get(func)
        if own is None:
            raise NotTraced(f"{func.__module__}.{func.__name__} has no traced form")
        return own(*args, **kwargs)

    # -- methods

    def _call(self, func: Function, *args: Any, **kwargs: Any) -> "Traced":
        return self.__trace__(func, (self, *args), kwargs)

    def astype(self, dtype: Any, copy: bool = True) -> "Traced":
        return Traced(cast_to(self.node, np.dtype(dtype)))

    def view(self, dtype: Any) -> "Traced":
        return Traced(_functions().bits_as(self.node, np.dtype(dtype)))

    def copy(self) -> "Traced":
        return Traced(self.node)

    def reshape(self, *shape: Any) -> "Traced":
        wanted = one_sequence(shape)
        return Traced(nodes.reshape(self.node, whole_shape(self.node.shape, wanted)), self)

    def transpose(self, *axes: Any) -> "Traced":
        given = [_axis(int(i), self.ndim) for i in one_sequence(axes)]
        order = given or list(range(self.ndim))[::-1]
        shape = tuple(self.node.shape[i] for i in order)
        return Traced(nodes.view(self.node, shape, order), self)

    def swapaxes(self, a: int, b: int) -> "Traced":
        order = list(range(self.ndim))
        order[a], order[b] = order[b], order[a]
        return self.transpose(order)

    def mean(self, axis: Any = None, keepdims: bool = False) -> "Traced":
        return self._call(np.mean, axis=axis, keepdims=keepdims)

    def repeat(self, repeats: int, axis: int) -> "Traced":
        return self._call(np.repeat, repeats, axis)

    # -- elements

    def __getitem__(self, key: Any) -> "Traced":
        node, is_view = _functions().get(self.node, key)
        return Traced(node, self if is_view else None)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._write(_functions().put(self.node, key, node_of(value, self.dtype)))

    def _write(self, node: Node) -> None:
        alive = [other for other in self._sharing if other() is not None]
        if len(alive) > 1:
            raise NotTraced("an array is written that shares its elements with another one")
        self.node = node


def _functions() -> Any:
    """Return the module of the functions above: it cannot be imported before `Traced` exists."""
    from . import functions

    return functions


def node_of(value: Any, dtype: Any = None) -> Node:
    """Return the node of a traced array or of known values, converted to `dtype` if given."""
    node = value.node if isinstance(value, Traced) else nodes.dense(np.asarray(value))
    return node if dtype is None else cast_to(node, np.dtype(dtype))


def cast_to(node: Node, dtype: DType) -> Node:
    """Return the values converted to another type."""
    if node.dtype == dtype:
        return node
    if isinstance(node, nodes.Scalar):
        return nodes.scalar(node.value, dtype)
    if isinstance(node, nodes.View) and isinstance(node.of, nodes.Scalar):
        return nodes.View(node.shape, dtype, nodes.scalar(node.of.value, dtype), node.axes)
    if isinstance(node, nodes.Dense):
        return nodes.dense(node.values.astype(dtype))
    return nodes.Elementwise(node.shape, dtype, "convert", (node,))


def whole_shape(old: Extents, wanted: Sequence[Any]) -> Extents:
    """Return a shape with -1 replaced by the extent that it stands for. Raises `NotTraced` if the
    number of elements does not fit."""
    total, extents = nodes.count(old), [extent(n) for n in wanted]
    known = nodes.count(n for n in extents if n != -1)
    rest = total // known if known != 0 else 0
    shape = tuple(rest if n == -1 else n for n in extents)
    if nodes.count(shape) != total:
        raise NotTraced(f"{nodes.extents_text(old)} as {nodes.extents_text(wanted)}")
    return shape


def extent(n: Any) -> Extent:
    """Return an extent; as a plain number if it is one."""
    return n if isinstance(n, ExtentTerm) else int(n)


def known(n: Extent) -> int:
    if not isinstance(n, int):
        raise NotTraced("the computation depends on an unknown extent")
    return n


def one_sequence(given: Sequence[Any]) -> Sequence[Any]:
    """Return arguments that NumPy accepts one by one or as one sequence."""
    if len(given) == 1 and isinstance(given[0], Sequence):
        return cast(Sequence[Any], given[0])
    return given


def _axis(axis: int, rank: int) -> int:
    return axis + rank if axis < 0 else axis


def axes_of(axis: Any, rank: int) -> tuple[int, ...]:
    """Return axes as NumPy accepts them (all, one or several, counted from either end) in ascending
    order."""
    if axis is None:
        return tuple(range(rank))
    given = one_sequence((axis,))
    return tuple(sorted({_axis(int(i), rank) for i in given}))
