"""Constant folding of layers."""

from dataclasses import dataclass
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.blob import shape_of
from ...dialects.ncnn.constant import ConstantOp, constant_of
from ...dialects.ncnn.conversion import PackingOp
from ...dialects.ncnn.function import update_type
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.structure import SplitOp
from ...dialects.ncnn.weights import slice_bytes
from ...formats.weight_storage import SliceLayout
from ..rewriting.fold_limit import FOLD_LIMIT
from ..rewriting.growth import Growth
from ..rewriting.pattern_set import LayerReplacement

MAX_TEMPORARIES = 1 << 20
"""Maximal number of temporary elements of a fold, beyond operands and results."""


@dataclass(frozen=True)
class FoldConstants(LayerReplacement):
    """Evaluate a layer whose operands are all constants, and replace it by MemoryData with its
    names.

    Algebra: none; the reference semantics (`interpreters/ncnn`) are the runtime's.

    Conditions, and why:
    - all operands have values, and the layer has semantics: otherwise it cannot be evaluated;
    - there is no feature mask and no unknown parameter, which specify how the runtime computes; no
      Packing, which concerns the memory layout of the runtime; no Split, which computes nothing;
    - the results are finite float32: the fast paths of the runtime differ in their treatment of
      infinities, and a MemoryData contains only floats;
    - the model grows by at most the limit. The growth is the bytes of the results minus the
      constants that become unused: a Tile of one value may be larger than the rest of the model.
      Where types determine the growth, it is checked before the evaluation;
    - the temporary size of the evaluation is limited as well: a pooling may have any padding;
    - an output of the model keeps its extents. (Its element type may change: the runtime computes a
      result of float16 constants in float32.)
    """

    limit: int | None = None
    """Maximal number of bytes that a fold may add; by default `FOLD_LIMIT`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LayerOp, rewriter: PatternRewriter) -> None:
        if not op.operands or not op.results:
            return
        if op.featmask or op.extra or isinstance(op, PackingOp | SplitOp) or not op.data_operands():
            return
        constants: list[ConstantOp] = []
        for value in op.operands:
            constant = constant_of(value)
            if constant is None or not constant.has_values():
                return
            constants.append(constant)
        limit = FOLD_LIMIT.get() if self.limit is None else self.limit
        allowed = limit + _freed(op, constants)
        if _size(op) > allowed:
            return
        values = _evaluate(op, constants)
        if values is None or sum(v.nbytes for v in values) > allowed:
            return
        types = [TensorType(f32, v.shape) for v in values]
        returned = [
            (shape_of(result.type), type_.get_shape())
            for result, type_ in zip(op.results, types, strict=True)
            if result.type != type_ and any(isinstance(u.operation, ReturnOp) for u in result.uses)
        ]
        if any(shape != new for shape, new in returned):
            return
        growth = Growth.of(op, sum(v.nbytes for v in values) - _freed(op, constants))
        if not growth.is_allowed(self, op):
            return
        growth.record()
        func = op.parent_op()
        folded = [ConstantOp.holding(v) for v in values]
        _name(op, folded)
        rewriter.replace(op, folded, [c.output for c in folded])
        if returned and isinstance(func, FuncOp):
            update_type(func)


def _size(op: LayerOp) -> int:
    """Return the bytes of the results whose shapes follow from the operand types."""
    shapes = [shape_of(type_) or () for type_ in op.infer_types() or ()]
    return sum(4 * prod(shape) for shape in shapes if DYNAMIC_INDEX not in shape)


def _evaluate(op: LayerOp, constants: list[ConstantOp]) -> list[Any] | None:
    """Evaluate a layer; return `None` if that is not possible or the results are not finite
    float32."""
    import numpy as np

    from ...interpreters.ncnn import NoSemantics, evaluate  # slow import, needed for a fold only
    from ...interpreters.ncnn.work_estimate import reach

    if reach(op) > MAX_TEMPORARIES:
        return None
    with np.errstate(all="ignore"):
        try:
            values = evaluate(op, [c.read() for c in constants])
        except (NoSemantics, ValueError, IndexError, ArithmeticError):
            return None  # operands do not fit: leave the layer to the runtime
    if all(v.dtype == np.float32 and np.isfinite(v).all() for v in values):
        return list(values)
    return None


def _freed(op: LayerOp, constants: list[ConstantOp]) -> int:
    """Return the bytes of constants that only this layer uses."""
    return sum(
        slice_bytes(SliceLayout.PLAIN, cast(TensorType[Attribute], c.output.type))
        for c in set(constants)
        if all(use.operation is op for use in c.output.uses)
    )


def _name(op: LayerOp, folded: list[ConstantOp]) -> None:
    """Name the constant after the layer; if there are several, name each after its blob."""
    layer = None if op.layer_name is None else op.layer_name.data
    for constant, blob in zip(folded, names_of(op), strict=True):
        set_names(constant, layer if len(folded) == 1 else blob, [blob])
