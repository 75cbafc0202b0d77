"""Models at the fused level: converted, computed in NumPy, and converted back."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from ncnn_opt.dialects.fused import FusedOp
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.dialects.ncnn.structure import InputOp
from ncnn_opt.interpreters.run import run
from ncnn_opt.transforms.rewriting.remarks import Remark, listening
from xdsl.dialects.builtin import ModuleOp

from .compiler import load, run_passes, save
from .nets import Net
from .runtime import Blobs, Failure, Runtime

TOLERANCE = 1e-4
"""Of the largest value of a blob."""


@dataclass(frozen=True)
class Conversion:
    """A model at the fused level."""

    module: ModuleOp
    remarks: Sequence[Remark]

    @property
    def fused(self) -> list[FusedOp]:
        """The fused operations."""
        return [op for op in self.module.walk() if isinstance(op, FusedOp)]

    @property
    def left(self) -> list[LayerOp]:
        """The layers that were not converted. (Input is none.)"""
        ops = [op for op in self.module.walk() if isinstance(op, LayerOp)]
        return [op for op in ops if not isinstance(op, ConstantOp | InputOp)]

    def compute(self, inputs: Blobs) -> Blobs:
        """The outputs, in NumPy."""
        return run(model_of(self.module), inputs)

    def back(self, param: Path) -> Path:
        """The model as layers again, in a file; nothing fused may be left."""
        module = self.module.clone()
        run_passes(module, ["convert-fused-to-ncnn"])
        assert not [op for op in module.walk() if isinstance(op, FusedOp)]
        return save(module, param)


def converted(param: Path, passes: Sequence[str] = ()) -> Conversion:
    """A model after some passes and the conversion."""
    module, remarks = load(param), list[Remark]()
    with listening(remarks.append):
        run_passes(module, [*passes, "convert-ncnn-to-fused"])
    return Conversion(module, remarks)


def check_equal(
    before: Blobs, after: Blobs | Failure, tolerance: float = TOLERANCE, least: float = 0.0
) -> None:
    """Asserts that blobs have the same values. The tolerance is of the largest of them, or of
    `least`: where all cancels out, what is left is the rounding of larger ones."""
    assert not isinstance(after, Failure), after
    for name, expected in before.items():
        assert after[name].shape == expected.shape, name
        error = np.abs(after[name].astype("f8") - expected).max(initial=0)
        assert error <= tolerance * np.abs(expected).max(initial=least), (name, error)


def check(
    net: Net,
    param: Path,
    runtime: Runtime,
    passes: Sequence[str] = (),
    after: Sequence[str] = (),
    tolerance: float = TOLERANCE,
) -> Conversion | None:
    """Converts a model and back, with passes before and after; asserts that both give what it gives
    in the runtime. `None` if that gives no numbers."""
    names = [name for name in net.outputs if name not in net.inputs]
    before = runtime.run(param, net.inputs, names)
    if isinstance(before, Failure) or not all(np.isfinite(b).all() for b in before.values()):
        return None
    result = converted(param, passes)
    run_passes(result.module, after)
    check_equal(before, result.compute(net.inputs), tolerance)
    back = result.back(param.with_name("back.param"))
    check_equal(before, runtime.run(back, net.inputs, names), tolerance)
    return result
