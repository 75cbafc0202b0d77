"""The errors of a model in emulated float16, relative to float32."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from xdsl.dialects.func import FuncOp

from ...analysis.float16.emulation import DEVICES, ComputedLayer, Setting, computed, emulate, walk
from ...analysis.float16.half_array import MAX, Array
from ...analysis.shape_inference import with_shapes
from ...dialects.ncnn.function import input_name
from ...dialects.ncnn.layer import LayerOp
from ...interpreters.ncnn import evaluate
from ...interpreters.run import run

Blobs = Mapping[str, Array]

BROKEN = 0.05
"""A layer breaks if its own error is larger than this, relative to its largest value."""


def error_of(actual: Array, expected: Array) -> float:
    """Return the largest difference relative to the largest expected value; infinity if an element
    is not finite where the expected one is."""
    finite = np.isfinite(expected)
    if not finite.any():
        return 0.0
    if not np.isfinite(actual[finite]).all():
        return float("inf")
    largest = float(np.abs(expected[finite]).max())
    difference = float(np.abs(actual[finite].astype("f8") - expected[finite]).max())
    return difference / largest if largest else float(difference > 0)


@dataclass
class Float16Evaluator:
    """The samples of a model, and its float32 outputs."""

    func: FuncOp
    samples: Sequence[Blobs]
    expected: Sequence[Blobs]
    setting: Setting

    @staticmethod
    def of(
        func: FuncOp, samples: Sequence[tuple[str, Blobs]], margin: float, release: str = ""
    ) -> "tuple[Float16Evaluator, list[str]]":
        """Return the evaluator for the samples whose float32 outputs are finite, and the names of
        the others. Raise `RunError`."""
        used: list[Blobs] = []
        expected: list[Blobs] = []
        unused: list[str] = []
        for name, inputs in samples:
            outputs = run(shaped_for(func, inputs), inputs)
            if all(np.isfinite(value).all() for value in outputs.values()):
                used.append(inputs)
                expected.append(outputs)
            else:
                unused.append(name)
        setting = Setting(limit=MAX / margin, release=release)
        return Float16Evaluator(func, used, expected, setting), unused

    def on(self, device: str) -> "Float16Evaluator":
        """Return the evaluator of the same samples on another device, without a margin."""
        return replace(self, setting=replace(self.setting, device=device, limit=MAX))

    def error(self) -> float:
        """Return the largest error of an output over the samples, with the present masks."""
        return max(
            error_of(actual[name], value)
            for inputs, outputs in zip(self.samples, self.expected, strict=True)
            for actual in [emulate(self.func, inputs, self.setting)]
            for name, value in outputs.items()
        )

    def is_broken(self, op: LayerOp, operands: Sequence[Array]) -> bool:
        """Whether a layer overflows, or loses accuracy, by itself for these operands. Operands that
        are not finite break no further layer."""
        if not all(np.isfinite(v).all() for v in operands if v.dtype.kind == "f"):
            return False
        results = computed(op, operands, self.setting).results
        pairs = zip(results, exactly(op, operands).results, strict=True)
        return any(error_of(actual, expected) > BROKEN for actual, expected in pairs)

    def visit_broken(
        self, visit: Callable[[LayerOp, Sequence[Array]], object], repaired: bool = False
    ) -> None:
        """Call `visit` with each layer in float16 that breaks by itself, and its operands, for all
        samples and in program order. The layer is computed after the call; in float32 if it counts
        as `repaired`, so that layers behind it get right operands."""

        def compute(op: LayerOp, operands: Sequence[Array], setting: Setting) -> ComputedLayer:
            if DEVICES[setting.device].stores_float16(op) and self.is_broken(op, operands):
                visit(op, operands)
                if repaired:
                    return exactly(op, operands)
            return computed(op, operands, setting)

        for inputs in self.samples:
            for _ in walk(self.func, inputs, self.setting, compute):
                pass


def shaped_for(func: FuncOp, inputs: Blobs) -> FuncOp:
    """Return a copy of a model with the shapes of these inputs: declared shapes are hints."""
    names = {input_name(func, arg.index): arg.index for arg in func.body.block.args}
    return with_shapes(func, {names[n]: v.shape for n, v in inputs.items() if n in names})


def exactly(op: LayerOp, operands: Sequence[Array]) -> ComputedLayer:
    """Compute a layer in float32."""
    with np.errstate(all="ignore"):
        return ComputedLayer(op, operands, evaluate(op, operands), 0.0)
