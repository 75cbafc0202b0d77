"""IR as text, with the weights inline or in a `.bin` beside it."""

from typing import TYPE_CHECKING

from .. import Output, Target, Writing

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class Mlir(Target):
    """The text of a module."""

    kind = "mlir"

    def begin(self, module: "ModuleOp", output: Output) -> Writing:
        from .mlir_writer import MlirWriting

        return MlirWriting(module, output)


TARGETS = (Mlir(),)
