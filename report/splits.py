"""The number of Split layers of a model. IR needs no Splits: a value may have several uses."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import VerifyException

from ..dialects.ncnn.structure import SplitOp
from ..formats.errors import FormatError
from ..targets.param.export import export_module


def count_splits(func: FuncOp) -> int:
    """Return the number of Splits in the model's `.param`; in the IR if it cannot be exported."""
    module = func.parent_op()
    if isinstance(module, ModuleOp):
        try:
            layers = export_module(module).graph.layers
        except (FormatError, VerifyException):
            pass
        else:
            return sum(layer.type == SplitOp.LAYER_TYPE for layer in layers)
    return sum(isinstance(op, SplitOp) for op in func.body.block.ops)
