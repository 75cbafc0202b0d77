"""IR as text, with the weights inline or in a `.bin` beside it."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .. import Output, Target, Writing

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...dialects.ncnn.weight_file import Scratch


class Mlir(Target):
    """The text of a module."""

    kind = "mlir"

    @contextmanager
    def begin(
        self, module: "ModuleOp", output: Output, scratch: "Scratch | None" = None
    ) -> Generator[Writing]:
        from .writing import MlirWriting

        yield MlirWriting(module, output)


TARGETS = (Mlir(),)
