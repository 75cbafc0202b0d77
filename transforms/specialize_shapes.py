"""Shapes that all inputs of a model have, as a pass."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..analysis.specialization import Promise, promise
from .infer_shapes import parse_shapes


@dataclass(frozen=True)
class PromiseShapes(ModulePass):
    """Specialize later passes to static input shapes (`fixed`) or to largest input shapes
    (`at_most`). The result is valid only for such inputs.

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

    def promises(self) -> dict[str, Promise]:
        """What is promised of each named input. Raises `ValueError`."""
        fixed = parse_shapes("fixed", self.fixed)
        most = parse_shapes("at_most", self.at_most)
        return {name: promise(name, fixed, most) for name in {**fixed, **most}}

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ..analysis.shape_inference import promise_shapes
        from ..dialects.ncnn.lookup import model_of

        promise_shapes(model_of(op), self.promises())
