"""ncnn's `.param` or `.param.bin` with a `.bin`, or both in a `.mem.h`."""

from typing import TYPE_CHECKING

from .. import Output, Target, Writing

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class Param(Target):
    """A model for the runtime."""

    kind = "param"

    def begin(self, module: "ModuleOp", output: Output) -> Writing:
        from .param_writer import ParamWriting

        return ParamWriting(module, output)


class BinaryParam(Target):
    """A model in ncnn2mem's binary format without names, and a header with the names."""

    kind = "param.bin"

    def begin(self, module: "ModuleOp", output: Output) -> Writing:
        from .param_writer import BinaryParamWriting

        return BinaryParamWriting(module, output)


class MemoryHeader(Target):
    """A model as arrays to compile into a program, as ncnn2mem writes them, and a header with the
    names."""

    kind = "mem.h"

    def begin(self, module: "ModuleOp", output: Output) -> Writing:
        from .param_writer import MemoryHeaderWriting

        return MemoryHeaderWriting(module, output)


TARGETS = (Param(), BinaryParam(), MemoryHeader())
