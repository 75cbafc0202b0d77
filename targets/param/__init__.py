"""ncnn's `.param` or `.param.bin`, with a `.bin`."""

from typing import TYPE_CHECKING

from ...formats.file_names import weights_beside
from .. import Output, Target, Writing
from ..overwriting import check_no_weights, check_outputs

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from .writing import ParamWriting


class Param(Target):
    """A model for the runtime."""

    kind = "param"

    def begin(self, module: "ModuleOp", output: Output) -> Writing:
        if output.graph_only:
            check_no_weights(output.path)
            return self._writing()(module, output, None)
        weights = output.weights or weights_beside(output.path)
        check_outputs(output.path, weights, output.origin)
        return self._writing()(module, output, weights)

    def _writing(self) -> "type[ParamWriting]":
        """Return the writer class, imported on use."""
        from .writing import ParamWriting

        return ParamWriting


class BinaryParam(Param):
    """A model in ncnn2mem's binary format without names, and a header with the names."""

    kind = "param.bin"

    def _writing(self) -> "type[ParamWriting]":
        from .writing import BinaryParamWriting

        return BinaryParamWriting


TARGETS = (Param(), BinaryParam())
