"""The release of the ncnn runtime that a model is made for, as a pass."""

from dataclasses import dataclass
from typing import Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType

from ..analysis.target_info.releases import ATTRIBUTE, check_release

OWN = "own"
"""The oldest release that runs the model as it is."""

ANY = "any"
"""No release in particular: all layers and parameters are allowed."""


@dataclass(frozen=True)
class ForRelease(ModulePass):
    """Let the passes that follow make only layers and parameters that a release of the ncnn runtime
    has: `release=20240820`, or `latest`. `own`, the default, is the oldest release that runs the
    model as it is; it changes nothing where the module names a release already. `any` allows all
    layers and parameters again.

    The release is an attribute of the module. Model files of ncnn have no place for it.
    """

    name = "ncnn-for-release"
    release: str = OWN

    def __post_init__(self) -> None:
        """Raises `ValueError` for an unknown release."""
        if self.release not in (OWN, ANY):
            check_release(self.release)

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Take a release without quotes, too, which reads as a number."""
        texts: dict[str, ParameterListType] = {
            key: tuple(map(str, values)) for key, values in spec.parameters.items()
        }
        return super().from_spec(ArgSpec(spec.name, texts))

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.release == ANY:
            op.attributes.pop(ATTRIBUTE, None)
        elif self.release != OWN:
            op.attributes[ATTRIBUTE] = StringAttr(check_release(self.release))
        elif ATTRIBUTE not in op.attributes:
            from ..analysis.required_release import oldest_release

            op.attributes[ATTRIBUTE] = StringAttr(oldest_release(op))
