"""PNNX's own `.pnnx.param` and `.pnnx.bin`."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .. import Output, Target, Writing

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...dialects.ncnn.weight_file import Scratch


class Pnnx(Target):
    """A model in PNNX's own IR."""

    kind = "pnnx.param"

    @contextmanager
    def begin(
        self, module: "ModuleOp", output: Output, scratch: "Scratch | None" = None
    ) -> Generator[Writing]:
        from .export import PnnxWriting

        yield PnnxWriting(module, output)

    def keeps(self, module: "ModuleOp") -> bool:
        return [op.name for op in module.ops] == ["pnnx.graph"]

    def write_ir(self, module: "ModuleOp", output: Output) -> None:
        from .export import write_pnnx_mlir

        write_pnnx_mlir(module, output)


TARGETS = (Pnnx(),)
