"""Doing what a command line of `ncnn-run` says of native code that is compiled already."""

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

NOT_MEANT: Mapping[str, Any] = {
    "compare": None,
    "repeat": None,
    "weights": None,
    "pnnx": None,
    "input_shape": [],
    "blob": [],
    "all_blobs": False,
    "custom_weights": [],
    "allow_trailing_weights": False,
}
"""Options that are for models, and what they are where nothing is said."""


class RunCode(Run):
    """What a command line of `ncnn-run` asks for of a `.vmfb`."""

    def execute(self) -> bool:
        """Does it. Raises one of `USER_ERRORS`."""
        args = self.args
        for option, nothing in NOT_MEANT.items():
            if getattr(args, option) != nothing:
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
    """A function that takes what the code takes."""
    types = [
        TensorType(f32, [DYNAMIC_INDEX if n is None else n for n in port.shape]) for port in ports
    ]
    body = Region(Block([ReturnOp()], arg_types=types))
    attrs = ArrayAttr([named(port.name) for port in ports])
    return FuncOp("main", (types, []), body, arg_attrs=attrs)
