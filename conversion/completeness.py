"""Layers that a lowering to linalg left behind, with reasons and remedies.

Other compilers would refuse such a file with an error about an unknown operation. Here the message
names the layer, why it stayed, and what to do.
"""

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from ..analysis.input_shapes import advice
from ..dialects.fused import FusedOp, YieldOp
from ..dialects.ncnn.blob import rank_of
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.structure import InputOp
from ..transforms import get_all_passes
from .host_ops import HOST, host_module
from .to_linalg.lowering import refusal

OWN = ("ncnn", "fused", "pnnx")
"""Our dialects, which no other tool reads."""


def layers_left(func: FuncOp) -> Iterator[Operation]:
    """Yield the operations of our dialects that are not lowered. Constants and inputs compute
    nothing."""
    for op in func.body.walk():
        computes = not isinstance(op, ConstantOp | InputOp)
        if computes and op.name.partition(".")[0] in OWN and not isinstance(op, YieldOp):
            yield op


def check_complete(module: ModuleOp) -> None:
    """Raise `PassFailedException`, with the reason and the remedy, if a layer of a module is not
    lowered."""
    for func in [op for op in module.ops if isinstance(op, FuncOp)]:
        if (op := next(layers_left(func), None)) is not None:
            raise PassFailedException(_message(func, op))
    if (host := host_module(module)) is not None:
        first = next((op for op in host.walk() if isinstance(op, LayerOp)), host)
        raise PassFailedException(
            f"{label_of(first)} runs on the host, and stays a layer in the module @{HOST}, which "
            "other tools do not read; leave it out with "
            f'--partition-host-ops="drop=true"{_OR_PARTIAL}'
        )


_OR_PARTIAL = ', or keep layers with --externalize-weights="allow-partial=true"'


def _message(func: FuncOp, op: Operation) -> str:
    reason = unknown_input(func) or refusal(op) or _NOT_RUN
    return f"{label_of(op)} is not lowered: {reason}{_OR_PARTIAL}"


_NOT_RUN = "run --convert-fused-to-linalg and --convert-ncnn-to-linalg first"


def unknown_input(func: FuncOp) -> str | None:
    """Return a message about the first input of unknown rank, with advice; `None` if all ranks are
    known."""
    for i, arg in enumerate(func.body.block.args):
        if rank_of(arg) is None:
            # Layers with weights give the advice: fused operations become layers again, in a copy.
            copy = func.clone()
            inverse = get_all_passes()["convert-fused-to-ncnn"]()
            inverse().apply(Context(), ModuleOp([copy]))
            name = input_name(func, i)
            return f"the shape of input '{name}' is not known; {advice(copy, i)}"
    return None


def label_of(op: Operation) -> str:
    """Return the type and name of a layer or fused operation, or the name of another operation."""
    return op.label() if isinstance(op, LayerOp | FusedOp) else f"'{op.name}'"
