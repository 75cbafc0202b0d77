"""Single layers as linalg: the cases of `semantics.py`, and which of them are not lowered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from ncnn_opt.analysis.shape_inference import infer
from ncnn_opt.conversion.host_ops import HOST_ONLY
from ncnn_opt.conversion.to_linalg.forms import FORM_ATTRIBUTE
from ncnn_opt.conversion.to_linalg.lowering import convolutions_in
from ncnn_opt.conversion.to_linalg.processors import DEFAULT
from ncnn_opt.conversion.to_linalg.scalars import type_of
from ncnn_opt.conversion.tracing.nodes import Convolve
from ncnn_opt.dialects.fused import FusedOp
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.function import input_name
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.native.lowering import may_be_tiled
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation
from xdsl.rewriter import Rewriter

from ..compiler import load, run_passes
from ..layer_cases import Case, net_of
from ..semantics import all_cases, interpret_module

Array = NDArray[Any]

STYLES = ("gemm", "named")
"""How convolutions are written: as `ncnn-compile` does, and as passes of others know them."""

_BOX = "the extents of its result are values of a blob"

NOT_LOWERED: Mapping[str, str] = {
    "Crop 6 8 | 0=-233 | | normal int32=2,0,0,3,0,0,0,0": _BOX,
    "Crop 4x6 8 | 0=-233 | | normal int32=2,1,0,3,2,0,0,0": _BOX,
    "Crop 8x4x6 8 | 0=-233 | | normal int32=2,1,4,3,2,4,0,0": _BOX,
    "Crop 8x3x4x6 8 | 0=-233 | | normal int32=2,1,0,4,3,2,3,4": _BOX,
    'Reshape 4x6 | 6="round(pow(2,3)),-1"': "no reference semantics",
    "Deconvolution 3x4x5 | 0=4 1=3 3=2 4=-234 20=10 6=108": "no window: a pad is negative (-1)",
}
"""Cases that are not lowered, besides those of layers that run on the host, and why."""


class NotLowered(Exception):
    """A layer stays as it is."""


@dataclass(frozen=True)
class Lowered:
    """A case as a function of upstream dialects, with its inputs and the reference's results."""

    name: str
    func: FuncOp
    inputs: Sequence[Array]
    expected: Sequence[Array]
    may_be_tiled: bool


@dataclass(frozen=True)
class Fused:
    """A case as fused operations and layers, from which code can be made several times."""

    case: Case
    original: ModuleOp
    module: ModuleOp
    inputs: Mapping[str, Array]
    may_be_tiled: bool

    @cached_property
    def expected(self) -> Sequence[Array]:
        """The reference's results."""
        given = {name: value.copy() for name, value in self.inputs.items()}
        return interpret_module(self.original, given)

    def convolution(self) -> tuple[Operation, Convolve]:
        """The operation that computes the convolution of the case, and the convolution."""
        ((op, node),) = convolutions_in(model_of(self.module)).items()
        return op, node

    def lowered(
        self, style: str = STYLES[0], form: str | None = None, processor: str = DEFAULT
    ) -> Lowered:
        """The code of a case, with its convolution in this form. Raises `NotLowered` if its layer
        stays."""
        module = self.module.clone()
        if form is not None:
            op, _ = replace(self, module=module).convolution()
            op.attributes[FORM_ATTRIBUTE] = StringAttr(form)
        passes = (
            f"convert-to-linalg{{conv={style} processor={processor}}}",
            "externalize-weights{allow-partial=true}",
        )
        run_passes(module, passes)
        left = [op.name for op in module.walk() if isinstance(op, LayerOp | FusedOp)]
        if left:
            raise NotLowered(f"{self.case}: {left[0]} is not lowered")
        name = f"{self.case} (conv={style}{'' if form is None else ', ' + form})"
        func = model_of(module)
        inputs = list(self.inputs.values())
        return Lowered(name, func, inputs, self.expected, self.may_be_tiled)


def lowered_cases(cases: Sequence[Case], folder: Path) -> list[Lowered]:
    """Cases, lowered in each style: in the second one only those that it makes other code of.
    Raises `NotLowered`."""
    found: list[Lowered] = []
    for case in cases:
        own = fused(case, folder)
        first, *others = map(own.lowered, STYLES)
        found += [first, *(each for each in others if str(each.func) != str(first.func))]
    return found


def fused(case: Case, folder: Path) -> Fused:
    """A case as fused operations and layers."""
    net = net_of(case)
    module = load(net.write(folder))
    original = module.clone()
    func = model_of(module)
    inputs: dict[str, Array] = {}
    for i in range(len(func.body.block.args)):
        name = input_name(func, i)
        value = inputs[name] = net.inputs[name]
        type_ = TensorType(type_of(value.dtype), value.shape)
        arg = Rewriter.replace_value_with_new_type(func.body.block.args[i], type_)
        infer(func, {cast(BlockArgument, arg): value.shape})
    run_passes(module, ("convert-ncnn-to-fused",))
    return Fused(case, original, module, inputs, may_be_tiled(func))


def module_of(cases: Sequence[Lowered]) -> ModuleOp:
    """Several cases together; their functions are `case0`, `case1` and so on."""
    module = ModuleOp([])
    for i, each in enumerate(cases):
        func = each.func.clone()
        func.sym_name = StringAttr(f"case{i}")
        module.body.block.add_op(func)
    return module


def cases_of(family: str) -> list[Case]:
    """The cases of a family that are lowered."""
    cases = all_cases()[family]
    return [c for c in cases if BY_TYPE[c.type] not in HOST_ONLY and c.line not in NOT_LOWERED]
