"""Shapes that all inputs of a model have, as a pass."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.passes import ModulePass

from .infer_shapes import parse_shapes

if TYPE_CHECKING:
    from ..dialects.ncnn.slots import Shape


@dataclass(frozen=True)
class PromiseShapes(ModulePass):
    """Let the passes that follow rely on the shapes of inputs: the model is for these only.

    `fixed` are shapes that inputs always have, each as `NAME:EXTENTS`, row-major and with `?` for
    an extent of which nothing is promised; `at_most` are shapes that they never exceed. An input
    may have both, for different axes.

    The inputs have these shapes then, which the Input layers of a file say; that they are promised
    is in attributes of the function's arguments, which no file of ncnn's has a place for.
    """

    name = "ncnn-promise-shapes"
    fixed: tuple[str, ...] = ()
    at_most: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises `ValueError` for what is no promise."""
        self.promises()

    def promises(self) -> "dict[str, Promise]":
        """What is promised of each named input. Raises `ValueError`."""
        fixed = parse_shapes("fixed", self.fixed)
        most = parse_shapes("at_most", self.at_most)
        return {name: promise(name, fixed, most) for name in {**fixed, **most}}

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .finding import model_of
        from .shapes import promise_shapes

        promise_shapes(model_of(op), self.promises())


class Promise(NamedTuple):
    """What all inputs of one name have in common."""

    shape: "Shape"
    """Their extents, or the greatest ones."""
    at_most: tuple[int, ...] = ()
    """The axes along which they may have less."""


def promise(name: str, fixed: "Mapping[str, Shape]", most: "Mapping[str, Shape]") -> Promise:
    """What is promised of an input by these shapes, by name. Raises `ValueError` if they do not go
    together."""
    rank = len(fixed.get(name) or most[name])
    nothing = (DYNAMIC_INDEX,) * rank
    exact, bounds = fixed.get(name, nothing), most.get(name, nothing)
    if len(exact) != len(bounds):
        raise ValueError(f"'{name}' is to have {len(exact)} dims, and at most {len(bounds)}")
    for n, bound in zip(exact, bounds, strict=True):
        if DYNAMIC_INDEX not in (n, bound) and n > bound:
            raise ValueError(f"an extent of '{name}' is to be {n}, and at most {bound}")
    shape = tuple(b if n == DYNAMIC_INDEX else n for n, b in zip(exact, bounds, strict=True))
    bounded = (i for i, n in enumerate(exact) if n == DYNAMIC_INDEX != bounds[i])
    return Promise(shape, tuple(bounded))
