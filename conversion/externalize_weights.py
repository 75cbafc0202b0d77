"""The place of weights in code for other compilers."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from . import WEIGHT_STYLES


@dataclass(frozen=True)
class ExternalizeWeights(ModulePass):
    """Convert the constants of a model in linalg to a form that other compilers can read, in their
    stored element type:

    - `style=parameters`: named parameters of IREE (`util.global`). Their values are in a file;
      unchanged values stay in the model's file;
    - `style=args`: further arguments of the function, in the order of their first use;
    - `style=resources`: `dense_resource` with the bytes after the module;
    - `style=dense`: values at their uses.

    Elements keep their stored type (float16, int8). With `parameters` and `resources`, constants of
    at most 64 elements are values at their uses. Weights that were left out (`--weights none`) can
    be parameters and arguments.

    All layers must have been converted to linalg: other compilers do not read layers. The pass
    fails and names the first layer that is left, unless `allow-partial=true` allows layers.

    The pass removes information that only ncnn-opt reads, such as blob names and shape hints of the
    function and Input layers.
    """

    name = "externalize-weights"

    style: str = "dense"
    allow_partial: bool = False

    def __post_init__(self) -> None:
        """Raises `ValueError` for an unknown style."""
        if self.style not in WEIGHT_STYLES:
            *words, last = WEIGHT_STYLES
            raise ValueError(f"style is {', '.join(words)} or {last}, not '{self.style}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .completeness import check_complete
        from .weight_places import externalize

        if not self.allow_partial:
            check_complete(op)
        externalize(op, self.style)
