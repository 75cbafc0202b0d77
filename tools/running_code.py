"""The work of `ncnn-run` with a `.vmfb`."""

from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, TensorType, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from ..dialects.ncnn.function import named
from ..driver.errors import UsageError
from ..driver.images import Preprocessing
from ..driver.input_values import read_inputs
from ..native.artifact import load
from ..native.lowering import Port
from ..native.program import Program
from .running import Run

MODEL_OPTIONS: Mapping[str, Any] = {
    "compare": None,
    "repeat": None,
    "trace": None,
    "weights": None,
    "pnnx": None,
    "input_shape": [],
    "blob": [],
    "all_blobs": False,
    "custom_weights": [],
    "allow_trailing_weights": False,
}
"""Options for models only, with their defaults."""


class RunCode(Run):
    """A checked command line of `ncnn-run` with a `.vmfb`."""

    def execute(self) -> bool:
        """Run the code. Raises one of `USER_ERRORS`."""
        args = self.args
        for option, default in MODEL_OPTIONS.items():
            if getattr(args, option) != default:
                name = option.replace("_", "-")
                raise UsageError(f"--{name} is for models, '{self.path}' is compiled")
        if args.engine == "ncnn":
            raise UsageError(f"'{self.path}' is compiled, not for the ncnn runtime")
        compiled = load(self.path)
        how = Preprocessing(args.mean, args.norm, args.to_rgb)
        values = read_inputs(_signature(compiled.inputs), args.input, how, args.seed)
        self.show(Program(compiled)(values))
        return True


def _signature(ports: tuple[Port, ...]) -> FuncOp:
    """Return a function with the inputs of the code."""
    types = [
        TensorType(f32, [DYNAMIC_INDEX if n is None else n for n in port.shape]) for port in ports
    ]
    body = Region(Block([ReturnOp()], arg_types=types))
    attrs = ArrayAttr([named(port.name) for port in ports])
    return FuncOp("main", (types, []), body, arg_attrs=attrs)
