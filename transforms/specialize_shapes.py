"""The pass that specializes a model to the shapes of its inputs."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..analysis.specialization import Specialization, specialization_of
from .infer_shapes import parse_shapes


@dataclass(frozen=True)
class SpecializeShapes(ModulePass):
    """Specialize later passes to static input shapes (`fixed`) or to largest input shapes
    (`at_most`). The result is valid only for such inputs.

    `fixed` are static shapes, each as `NAME:EXTENTS`, row-major, with `?` for an extent that may
    vary. `at_most` are the largest shapes. An input may have both, for different axes.

    The types of the inputs get these shapes, and the Input layers of a file contain them.
    Attributes of the function's arguments mark the specialized inputs; ncnn's files cannot express
    these attributes.
    """

    name = "ncnn-specialize-shapes"
    fixed: tuple[str, ...] = ()
    at_most: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises `ValueError` for invalid shapes."""
        self.specializations()

    def specializations(self) -> dict[str, Specialization]:
        """Return the specialization of each named input. Raises `ValueError`."""
        fixed = parse_shapes("fixed", self.fixed)
        at_most = parse_shapes("at_most", self.at_most)
        return {name: specialization_of(name, fixed, at_most) for name in {**fixed, **at_most}}

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ..analysis.shape_inference import specialize_shapes
        from ..dialects.ncnn.lookup import model_of

        specialize_shapes(model_of(op), self.specializations())
