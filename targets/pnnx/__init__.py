"""PNNX's own `.pnnx.param` and `.pnnx.bin`."""

from typing import TYPE_CHECKING

from .. import Output, Target, Writing

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class Pnnx(Target):
    """A model in PNNX's own IR."""

    kind = "pnnx.param"

    def begin(self, module: "ModuleOp", output: Output) -> Writing:
        from .export import PnnxWriting

        return PnnxWriting(module, output)

    def keeps(self, module: "ModuleOp") -> bool:
        return [op.name for op in module.ops] == ["pnnx.graph"]

    def write_ir(self, module: "ModuleOp", output: Output) -> None:
        from .export import write_pnnx_mlir

        write_pnnx_mlir(module, output)


TARGETS = (Pnnx(),)
