"""Layers that are there twice, or for nothing."""

from functools import partial
from itertools import islice
from math import prod

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp, attached_constant, constant_of
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.structure import DeepCopyOp, InputOp
from ..analysis.constants import constants_of
from ..remarks import tell
from ..selection import Selection
from .identity import replace_by
from .rewriting import MOST_READERS, in_order
from .selective import SelectivePattern

MOST_ELEMENTS = 4096
"""Weights of at most so many elements are compared by value, larger ones by where they are."""

OWN_NAMES = ("name", "blobs", "shape_hints")
"""Properties in which two layers that do the same may differ."""


class EliminateDuplicate(RewritePattern):
    """Lets the results of one layer stand for those of another that does the same.

    Algebra: layers are functions of their inputs, weights and parameters. (xDSL's `cse` compares
    all properties, names too, so that no two layers are the same to it.)

    Conditions, and why:
    - the same type, parameters, feature mask, and input blobs; constants may be different ones of
      the same values, which are known to be that: weights left out (`--weights none`) are not;
    - neither has parameters that we do not know, or is of a type that we do not know; a copy in
      memory of its own stays one;
    - and those of `replace_by`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LayerOp, rewriter: PatternRewriter) -> None:
        if not is_comparable(op):
            return
        # Weights have one reader each: what two layers share is a blob, even if that is constant.
        key = next((v for v in op.operands if attached_constant(v) is None), None)
        uses = () if key is None else islice(key.uses, MOST_READERS)
        for other in list(dict.fromkeys(use.operation for use in uses)):
            if other is op or not isinstance(other, LayerOp) or not do_the_same(op, other):
                continue
            first, second = in_order(op, other)
            told = partial(tell, self, first, second)
            if replace_by(second, first.results, rewriter, told):
                return


class ShareConstants(RewritePattern):
    """Lets one MemoryData stand for others of the same values.

    Algebra: none. (What is folded apart, say two equal Reshapes of one MemoryData, is there once
    again.)

    Conditions, and why:
    - the same type and bytes, which are known (`--weights none` leaves them out), and the same
      storage in the file; neither has parameters or a feature mask that set it apart;
    - and those of `replace_by`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConstantOp, rewriter: PatternRewriter) -> None:
        if not op.is_layer() or not op.has_values() or op.extra or op.featmask:
            return
        for other in constants_of(rewriter).like(op):
            first, second = in_order(op, other)
            if replace_by(second, first.results, rewriter, partial(tell, self, first, second)):
                return


def is_comparable(op: LayerOp) -> bool:
    """Whether a layer may be the same as another."""
    return bool(op.results) and not isinstance(op, ConstantOp | CustomOp | InputOp | DeepCopyOp)


def do_the_same(a: LayerOp, b: LayerOp) -> bool:
    """Whether two layers give the same results."""
    if type(a) is not type(b) or len(a.operands) != len(b.operands) or a.extra or b.extra:
        return False
    if a.parent is not b.parent or len(a.results) != len(b.results):
        return False
    params = [{k: v for k, v in op.properties.items() if k not in OWN_NAMES} for op in (a, b)]
    pairs = zip(a.operands, b.operands, strict=True)
    return params[0] == params[1] and all(x is y or are_equal_constants(x, y) for x, y in pairs)


def are_equal_constants(x: SSAValue, y: SSAValue) -> bool:
    """Whether two values are constants of the same type and values."""
    a, b = constant_of(x), constant_of(y)
    if a is None or b is None or x.type != y.type or not (a.has_values() and b.has_values()):
        return False
    if (a.layer_name is None) != (b.layer_name is None):
        return False  # a weight and a blob
    if a.value == b.value:
        return True
    if prod(static_shape_of(x) or ()) > MOST_ELEMENTS:
        return False
    one, other = a.read(), b.read()
    return one.tobytes() == other.tobytes()


class EliminateDead(SelectivePattern):
    """Removes a layer whose results nothing uses and that are no outputs of the model.

    Conditions, and why: layers without results stay, they may be there to keep a blob alive. (The
    blobs at the ends of a file are its outputs: what is dead became so by other rewrites, or was
    written in IR.)
    """

    selection: Selection
    """Of the layer. (Weights are none: they go with those that read them.)"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LayerOp, rewriter: PatternRewriter) -> None:
        if not is_trivially_dead(op):
            return
        weight = isinstance(op, ConstantOp) and op.layer_name is None
        if self.selection.has(op) or weight:
            if not weight:
                tell(self, op)
            rewriter.erase(op)
