"""Writing an `.mlir` and its weight file: both or none.

The weights of a module may be in several files, or in memory. References in the text are to one
file.
"""

import os

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.weights import WeightAttr, WeightFile, WeightSlice
from ...formats.errors import FormatError
from ...formats.weight_storage import BinEncoding, SliceLayout
from .. import Writing, targets
from ..atomic_files import OutputFiles, naming
from ..output_checks import check_outputs, check_unused, choose_weight_file, weights_beside_mlir
from ..param.export import export_module
from ..param.weights import WeightWriter
from .ir_printer import print_module, references, weights_lie_in


class MlirWriting(Writing):
    """An `.mlir` that is being written.

    Weights printed as references move to the `.bin` beside it or to the named file, so that the two
    files are self-contained. If all are already there, they stay.
    """

    def finish(self) -> None:
        module, output = self.module, self.output
        if (keeper := next((t for t in targets().values() if t.keeps(module)), None)) is not None:
            keeper.write_ir(module, output)
            return
        path, given, printing = output.path, output.weights, output.printing
        beside = weights_beside_mlir(path)
        constants = references(module, printing)
        if given is not None or constants:
            check_outputs(path, given or beside, output.origin)
        with naming(path), OutputFiles() as files:
            if constants and (given is not None or not weights_lie_in(module, beside)):
                weights = self._move(constants, given or beside, files)
                files.before_replacing(lambda: check_unused(files, path, weights, output.origin))
            base = os.path.dirname(os.path.abspath(path))
            files.create(path, "w").write(print_module(module, printing, base))

    def _move(self, constants: list[ConstantOp], path: str, files: OutputFiles) -> str:
        """Write the weights, redirect the constants to them, and return the final path. For an ncnn
        model the file has the layout of a `.bin`, so that a `.param` of the same name can share it.
        """
        writer = WeightWriter(files.create(path, "wb"))
        offsets: dict[ConstantOp, int] = {}
        for constant, encoding in _model_weights(self.module):
            if (offset := writer.write_slot(constant, encoding)) is not None:
                offsets[constant] = offset
        for constant in constants:
            if constant not in offsets:
                offsets[constant] = writer.offset
                writer.write_data(constant)
        # Only after all copies: a constant may refer to the file that is being replaced.
        size = writer.finish()
        if self.output.weights is None and (other := choose_weight_file(files, path)) != path:
            if self.output.note is not None:
                reason = f"since '{path}' belongs to an ncnn model"
                self.output.note(f"the weights go to '{other}', {reason}")
            path = other
        file = WeightFile(os.path.abspath(path), size, 0, 0)
        for constant in constants:
            value = constant.value
            layout = value.data.layout if isinstance(value, WeightAttr) else SliceLayout.PLAIN
            constant.value = WeightAttr(WeightSlice(file, offsets[constant], layout))
        return path


def _model_weights(module: ModuleOp) -> list[tuple[ConstantOp, BinEncoding]]:
    """Return the module's weights in the order of a `.bin`, with their encodings; empty if the
    module is not a model, or lacks some of its weights."""
    try:
        weights = export_module(module).weights
    except (FormatError, VerifyException):
        return []
    complete = all(constant.has_values() for constant, _, _ in weights)
    return [(constant, encoding) for constant, encoding, _ in weights] if complete else []
