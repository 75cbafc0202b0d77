"""ncnn's `.param` or `.param.bin`, with a `.bin`."""

from typing import TYPE_CHECKING

from .. import Output, Target, Writing

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class Param(Target):
    """A model for the runtime."""

    kind = "param"

    def begin(self, module: "ModuleOp", output: Output) -> Writing:
        from .writing import ParamWriting

        return ParamWriting(module, output)


class BinaryParam(Target):
    """A model in ncnn2mem's binary format without names, and a header with the names."""

    kind = "param.bin"

    def begin(self, module: "ModuleOp", output: Output) -> Writing:
        from .writing import BinaryParamWriting

        return BinaryParamWriting(module, output)


TARGETS = (Param(), BinaryParam())
