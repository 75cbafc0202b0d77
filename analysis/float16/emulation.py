"""A model in float16, emulated in NumPy.

A layer runs on the GPU unless `target_info/vulkan.py` gives a reason against it. The GPU stores
blobs and weights in float16; layers on the CPU compute and exchange float32. Feature masks have the
same effect as in the runtime (`get_masked_option` in `src/net.cpp`).

On arm, layers whose code supports float16 blobs take the place of those on the GPU.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import input_name, output_names, outputs_of
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import layers_of
from ...dialects.ncnn.structure import SplitOp
from ...interpreters.errors import RunError
from ...interpreters.ncnn import NoSemantics, evaluate, semantics_of
from ..vulkan import cpu_reason
from .arm_layers import compute_arm_layer, has_float32_weights, misreads, stores_float16
from .cpu_layers import operands_on_cpu
from .gpu_layers import compute_layer
from .half_array import MAX, Arithmetic, Array

NO_FLOAT16_ARITHMETIC = 1 << 0
"""The bit of a feature mask that makes a layer compute in float32."""

Blobs = Mapping[str, Array]


@dataclass(frozen=True)
class Device:
    """The facts about a device with float16 blobs."""

    stores_float16: Callable[[LayerOp], bool]
    """Whether a layer reads and writes float16; otherwise it computes and exchanges float32."""
    has_float32_weights: Callable[[LayerOp], bool]
    compute: Callable[[LayerOp, Sequence[Array], Arithmetic, bool, str], Sequence[Array]]
    """Computes a layer with float16 blobs."""
    float32_operands: Callable[[LayerOp, Sequence[Array]], Sequence[Array]] = lambda _, x: x
    """The operands that another layer computes with."""
    misreads: Callable[[LayerOp], bool] = lambda _: False
    """Whether a layer reads a blob with another storage than it has: its results are undefined."""


DEVICES: Mapping[str, Device] = {
    "vulkan": Device(
        lambda op: cpu_reason(op) is None,
        lambda op: op.LAYER_TYPE == "BatchNorm",
        compute_layer,
        operands_on_cpu,
    ),
    "arm": Device(stores_float16, has_float32_weights, compute_arm_layer, misreads=misreads),
}
"""A GPU, and a 64-bit arm processor with half-precision arithmetic."""


@dataclass(frozen=True)
class Setting:
    """The precision of an emulation."""

    arithmetic: bool = True
    """Whether the arithmetic is float16, too; otherwise only the storage."""
    limit: float = MAX
    """Larger magnitudes count as infinite."""
    rounds: bool = True
    """Whether values are rounded; otherwise only magnitudes are recorded."""
    release: str = ""
    """The oldest release that must run the model; empty for any supported release."""
    device: str = "vulkan"
    """One of `DEVICES`."""


EXACT = Setting(limit=np.inf, rounds=False)
"""Without float16."""


@dataclass(frozen=True)
class ComputedLayer:
    """A computed layer."""

    op: LayerOp
    operands: Sequence[Array]
    """The blobs, then the weights."""
    results: Sequence[Array]
    peak: float
    """The largest magnitude of an intermediate value, a sum or a result."""


def computed(op: LayerOp, operands: Sequence[Array], setting: Setting) -> ComputedLayer:
    """Compute one layer. Raise `RunError`."""
    if semantics_of(type(op)) is None:
        raise RunError(f"{op.label()}: it has no reference semantics")
    store, device = Arithmetic(setting.limit, setting.rounds), DEVICES[setting.device]
    try:
        if not device.stores_float16(op):
            results = evaluate(op, device.float32_operands(op, operands))
            if device.misreads(op):
                results = [np.full_like(x, np.nan) if x.dtype.kind == "f" else x for x in results]
            return ComputedLayer(op, operands, results, _largest(results))
        half = setting.arithmetic and not op.featmask & NO_FLOAT16_ARITHMETIC
        with np.errstate(all="ignore"):
            exact = len(op.data_operands()) if device.has_float32_weights(op) else len(operands)
            taken = [_stored(store, v) for v in operands[:exact]]
            given = [*taken, *operands[exact:]]
            results = device.compute(op, given, store, half, setting.release)
            largest = _largest(results)
            results = [_stored(store, value) for value in results]
    except (NoSemantics, ValueError, IndexError, ArithmeticError) as e:
        raise RunError(f"{op.label()}: {e}") from e
    return ComputedLayer(op, operands, results, max(store.peak, largest))


def _stored(store: Arithmetic, value: Array) -> Array:
    return store.stored(np.asarray(value, "f4")) if value.dtype.kind == "f" else value


def _largest(values: Sequence[Array]) -> float:
    return max((float(np.abs(v[np.isfinite(v)]).max(initial=0)) for v in values), default=0.0)


def walk(
    func: FuncOp,
    inputs: Blobs,
    setting: Setting,
    compute: Callable[[LayerOp, Sequence[Array], Setting], ComputedLayer] = computed,
) -> Iterator[tuple[ComputedLayer, Mapping[SSAValue, Array]]]:
    """Yield each computed layer and the values of all live blobs. Raise `RunError`."""
    block = func.body.block
    values: dict[SSAValue, Array] = {}
    for i, arg in enumerate(block.args):
        if (name := input_name(func, i)) not in inputs:
            raise RunError(f"input '{name}' is missing; it is {arg.type}")
        values[arg] = inputs[name]
    left = Counter(value for op in block.ops for value in op.operands)
    store = Arithmetic(setting.limit, setting.rounds)
    for op in layers_of(func):
        if isinstance(op, ConstantOp):
            values[op.output] = evaluate(op, [])[0]
            continue
        step = compute(op, [values[v] for v in op.operands], setting)
        for value, result in zip(op.results, step.results, strict=True):
            # The file has a Split for a blob with several readers, and it runs on the GPU.
            split = left[value] > 1 and not isinstance(op, SplitOp)
            values[value] = _stored(store, result) if split else result
        yield step, values
        left.subtract(op.operands)
        for value in op.operands:
            if left[value] == 0:
                values.pop(value, None)


def emulate(func: FuncOp, inputs: Blobs, setting: Setting = Setting()) -> dict[str, Array]:
    """Return the outputs of a model in float16. Raise `RunError`."""
    values: Mapping[SSAValue, Array] = {}
    for _, values in walk(func, inputs, setting):
        pass
    names = output_names(func)
    return {n: values[v] for n, (v, _) in zip(names, outputs_of(func), strict=True)}
