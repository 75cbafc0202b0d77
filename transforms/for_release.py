"""The pass that sets the target release of the ncnn runtime."""

from dataclasses import dataclass
from typing import Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType

from ..analysis.target_info.releases import ATTRIBUTE, check_release

OWN = "own"
"""The oldest release that can run the model."""

ANY = "any"
"""No target release: all layers and parameters are allowed."""


@dataclass(frozen=True)
class ForRelease(ModulePass):
    """Allow later passes to create only layers and parameters that a release of the ncnn runtime
    supports: `release=20240820`, or `latest`. `own`, the default, is the oldest release that can
    run the model; it changes nothing if the module already names a release. `any` allows all layers
    and parameters again.

    The pass stores the release in an attribute of the module. ncnn's files cannot store it.
    """

    name = "ncnn-for-release"
    release: str = OWN

    def __post_init__(self) -> None:
        """Raise `ValueError` for an unknown release."""
        if self.release not in (OWN, ANY):
            check_release(self.release)

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Also accept a release without quotes, which the parser reads as a number."""
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
