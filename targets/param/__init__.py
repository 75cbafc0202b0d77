"""ncnn's `.param`, or the same as binary, and `.bin`."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...formats.places import weights_beside
from .. import Output, Target, Writing
from ..overwriting import check_outputs

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ...dialects.ncnn.weight_file import Scratch


class Param(Target):
    """A model that the runtime loads."""

    kind = "param"

    @contextmanager
    def begin(
        self, module: "ModuleOp", output: Output, scratch: "Scratch | None" = None
    ) -> Generator[Writing]:
        from .ahead import copying_ahead
        from .writing import ParamWriting

        weights = output.weights or weights_beside(output.path)
        check_outputs(output.path, weights, output.origin)
        with copying_ahead(module, weights, scratch) as ahead:
            yield ParamWriting(module, output, weights, ahead)


class BinaryParam(Target):
    """A model without names, as ncnn2mem makes it, and a header that has them."""

    kind = "param.bin"

    @contextmanager
    def begin(
        self, module: "ModuleOp", output: Output, scratch: "Scratch | None" = None
    ) -> Generator[Writing]:
        from .ahead import copying_ahead
        from .writing import BinaryParamWriting

        weights = output.weights or weights_beside(output.path)
        check_outputs(output.path, weights, output.origin)
        with copying_ahead(module, weights, scratch) as ahead:
            yield BinaryParamWriting(module, output, weights, ahead)


TARGETS = (Param(), BinaryParam())
