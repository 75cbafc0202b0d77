"""Where weights go in code for other compilers."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

STYLES = ("parameters", "args", "resources", "dense")


@dataclass(frozen=True)
class ExternalizeWeights(ModulePass):
    """Convert the constants of a model in linalg to a form that other compilers can read, in their
    stored element type:

    - `style=parameters`: named parameters of IREE (`util.global`), whose values lie in a file, that
      of the model where they are unchanged;
    - `style=args`: further arguments of the function, in the order in which they are used first;
    - `style=resources`: `dense_resource` with the bytes behind the module;
    - `style=dense`: values where they are used.

    Elements stay as they are stored (float16, int8). With `parameters` and `resources`, constants
    of at most 64 elements are values where they are used. Weights that were left out (`--weights
    none`) can be parameters and arguments. What only our own dialects read is
    taken away: names of blobs and shape hints of the function, Input layers among others.
    """

    name = "externalize-weights"

    style: str = "dense"

    def __post_init__(self) -> None:
        """Raises `ValueError` for another word than those of `STYLES`."""
        if self.style not in STYLES:
            *words, last = STYLES
            raise ValueError(f"style is {', '.join(words)} or {last}, not '{self.style}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .weight_places import externalize

        externalize(op, self.style)
