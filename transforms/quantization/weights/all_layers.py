"""`quantize-weights` on all layers of a model."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

from ....analysis.required_release import release_for, release_of_param
from ....analysis.target_info.releases import BLOCKS
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.lookup import find_layer, model_of
from ....dialects.ncnn.quantization import BlockQuantization, BlockWeights, DynamicInt8
from ....formats.block_table import read_block_table
from ....formats.errors import FormatError, UsageError
from ....interpreters.errors import RunError
from ....samples.reader import read_arrays
from ..blas_threads import one_blas_thread
from ..layer_weights import Array, Unfit
from ..quantize_weights import QuantizeWeights
from ..records import LayerDecision, Outcome, record
from .block_layout import matrices_of, put_blocks
from .block_tables import quantize_by_table
from .rows import TERM, put_int8
from .scaled_integers import CLIP_RATIOS, Packed, quantize_blocks


def quantize_weights(module: ModuleOp, options: QuantizeWeights) -> list[LayerDecision]:
    """Quantize the weights of a model as `QuantizeWeights` describes it. Raises `FormatError`,
    `OSError` and `PassFailedException`."""
    for name in options.keep:
        find_layer(model_of(module), name)
    if options.table:
        with open(options.table, "rb") as f:
            table = read_block_table(f.read(), options.table)
        return quantize_by_table(model_of(module), table, options.table, options.keep)
    if options.data:
        func = model_of(module)
        return quantize_by_samples(func, options, _read_samples(func, options.data))
    records: list[LayerDecision] = []
    for func in module.ops:
        if isinstance(func, FuncOp) and not func.is_declaration:
            for op in _selected(func, options, records):
                records.append(_quantized(op, options))
    return records


def _read_samples(func: FuncOp, paths: Sequence[str]) -> list[Mapping[str, Array]]:
    """Return the samples in `.npz` files. Raises `PassFailedException`."""
    found: list[Mapping[str, Array]] = []
    for path in paths:
        try:
            # Weights do not depend on declared extents, which are hints: a warning is needless.
            samples = read_arrays(func, path, lambda text: None, partial=True)
            for index, place in enumerate(samples.names()):
                found.append(samples.load(index))
                for name, values in found[-1].items():
                    if np.isnan(values).any():
                        raise UsageError(f"{place}: input '{name}' has NaN in it")
        except OSError as e:
            raise PassFailedException(f"{path}: {e.strerror or e}") from e
        except (UsageError, FormatError, RunError) as e:
            raise PassFailedException(str(e)) from e
    return found


def quantize_by_samples(
    func: FuncOp, options: QuantizeWeights, samples: Sequence[Mapping[str, Array]]
) -> list[LayerDecision]:
    """Quantize weights by a method that reads the inputs of matrices. Raises `PassFailedException`
    for samples of another model."""
    from .layer_inputs import quantize_by_inputs, visit_layers  # it imports the interpreter

    block = BlockQuantization(options.bits, options.block, False)
    records: list[LayerDecision] = []

    def visit(op: LayerOp, inputs: Sequence[Sequence[Array]]) -> None:
        def quantize(matrices: Mapping[str, Array]) -> Mapping[str, Packed]:
            return quantize_by_inputs(op, matrices, inputs, block, options.method)

        records.append(_in_blocks(op, options, quantize))

    with one_blas_thread():
        visit_layers(func, _selected(func, options, records), samples, visit)
    return records


def _selected(
    func: FuncOp, options: QuantizeWeights, records: list[LayerDecision]
) -> list[LayerOp]:
    """Return the layers to quantize, and record the reasons for layers that are left out."""
    found: list[LayerOp] = []
    for op in func.body.block.ops:
        if not isinstance(op, LayerOp) or not isinstance(op, DynamicInt8):
            continue
        if options.block and not isinstance(op, BlockWeights):
            continue
        weights = op.weight_operands()
        has_weights = any(weights[name] is not None for name in op.int8_scales())
        if not has_weights and (options.block or not options.products):
            continue
        if (refusal := _refusal(op, options)) is None:
            found.append(op)
        else:
            records.append(refusal)
    return found


def _refusal(op: LayerOp, options: QuantizeWeights) -> LayerDecision | None:
    """Return the record of a layer that stays as it is, `None` if it can be quantized."""
    assert isinstance(op, DynamicInt8)
    if getattr(op, op.INT8_BY):
        return _stays(op, "it is quantized already", state="as it is")
    release = release_for(op)
    first = BLOCKS if options.block else release_of_param(type(op), op.INT8_BY)
    if release is not None and first > release:
        return _stays(op, f"such integers require ncnn {first}")
    if op.layer_name is not None and op.layer_name.data in options.keep:
        return _stays(op, "it is to be kept", "excluded")
    return None


def _quantized(op: LayerOp, options: QuantizeWeights) -> LayerDecision:
    """Quantize the weights of a layer by a method that reads only them."""
    assert isinstance(op, DynamicInt8)
    ratios = CLIP_RATIOS[options.method]
    if options.block:
        block = BlockQuantization(options.bits, options.block, False)
        return _in_blocks(
            op,
            options,
            lambda found: {name: quantize_blocks(w, block, ratios) for name, w in found.items()},
        )
    try:
        if put_int8(op, ratios):
            return _done(op, options)
    except Unfit as e:
        return _stays(op, str(e))
    op.set_params(**{op.INT8_BY: TERM})
    return record(QuantizeWeights.name, op.label(), "quantized", "multiplies blobs in int8")


def _in_blocks(
    op: LayerOp,
    options: QuantizeWeights,
    quantize: Callable[[Mapping[str, Array]], Mapping[str, Packed]],
) -> LayerDecision:
    """Store the weights of a layer in blocks."""
    try:
        packed = quantize(matrices_of(op, options.bits))
    except Unfit as e:
        return _stays(op, str(e))
    put_blocks(op, BlockQuantization(options.bits, options.block, False), packed)
    return _done(op, options)


def _stays(
    op: LayerOp, reason: str, outcome: Outcome = "refused", state: str = "float"
) -> LayerDecision:
    return record(QuantizeWeights.name, op.label(), outcome, f"stays {state}: {reason}")


def _done(op: LayerOp, options: QuantizeWeights) -> LayerDecision:
    blocks = f" in blocks of {options.block}" if options.block else ""
    note = f"weights of {options.bits} bits{blocks}"
    return record(QuantizeWeights.name, op.label(), "quantized", note)
