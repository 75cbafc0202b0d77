"""Duplicate layers and dead layers."""

from itertools import islice
from math import prod

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from ...analysis.equal_constants import constants_of
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp, attached_constant, constant_of
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.layer import DESCRIPTIONS, LayerOp
from ...dialects.ncnn.structure import DeepCopyOp, InputOp
from ..rewriting.remarks import emit_remark
from ..rewriting.running_passes import is_enabled
from .identity import may_replace_by, replace_by
from .rewriting import MAX_USERS_COMPARED, in_order

MAX_COMPARED_ELEMENTS = 4096
"""Maximal size of weights that are compared by value; larger ones are compared by identity."""


class EliminateDuplicate(RewritePattern):
    """Replace the results of a layer by the results of an equivalent one (common subexpression
    elimination).

    Algebra: layers are functions of their inputs, weights and parameters. (xDSL's `cse` also
    compares names, so it finds no two layers equal.)

    Conditions, and why:
    - type, parameters, feature mask and input blobs are equal. Constants may be different ones with
      equal values, which must be present: weights that were left out (`--weights none`) are not
      equal;
    - neither layer has unknown parameters or an unknown type. A copy in memory of its own stays
      one;
    - the conditions of `may_replace_by`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LayerOp, rewriter: PatternRewriter) -> None:
        if not op.results or isinstance(op, ConstantOp | CustomOp | InputOp | DeepCopyOp):
            return
        # A weight has one user, so two layers can only share a blob, which may be a constant layer.
        key = next((v for v in op.operands if attached_constant(v) is None), None)
        uses = () if key is None else islice(key.uses, MAX_USERS_COMPARED)
        for other in list(dict.fromkeys(use.operation for use in uses)):
            if other is op or not isinstance(other, LayerOp) or not are_equivalent(op, other):
                continue
            first, second = in_order(op, other)
            if may_replace_by(second, first.results):
                emit_remark(self, first, second)
                replace_by(second, first.results, rewriter)
                return


class ShareConstants(RewritePattern):
    """Replace several MemoryData with the same values by one.

    Algebra: none. (Folding creates such duplicates, for example from two equal Reshapes of one
    MemoryData.)

    Conditions, and why:
    - type, bytes and storage in the file are equal, and the bytes are present (`--weights none`
      omits them). Neither has unknown parameters or a feature mask, which would distinguish it;
    - the conditions of `may_replace_by`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConstantOp, rewriter: PatternRewriter) -> None:
        if not op.is_layer() or not op.has_values() or op.extra or op.featmask:
            return
        for other in constants_of(rewriter).equal_to(op):
            first, second = in_order(op, other)
            if may_replace_by(second, first.results):
                emit_remark(self, first, second)
                replace_by(second, first.results, rewriter)
                return


def are_equivalent(a: LayerOp, b: LayerOp) -> bool:
    """Whether two layers compute the same results."""
    if type(a) is not type(b) or len(a.operands) != len(b.operands) or a.extra or b.extra:
        return False
    if a.parent is not b.parent or len(a.results) != len(b.results):
        return False
    params = [{k: v for k, v in op.properties.items() if k not in DESCRIPTIONS} for op in (a, b)]
    pairs = zip(a.operands, b.operands, strict=True)
    return params[0] == params[1] and all(x is y or are_equal_constants(x, y) for x, y in pairs)


def are_equal_constants(x: SSAValue, y: SSAValue) -> bool:
    """Whether two values are constants of the same type and values."""
    a, b = constant_of(x), constant_of(y)
    if a is None or b is None or x.type != y.type or not (a.has_values() and b.has_values()):
        return False
    if (a.layer_name is None) != (b.layer_name is None):
        return False  # one is a weight, one a layer
    if a.value == b.value:
        return True
    if prod(static_shape_of(x) or ()) > MAX_COMPARED_ELEMENTS:
        return False
    one, other = a.read(), b.read()
    return one.tobytes() == other.tobytes()


class EliminateDead(RewritePattern):
    """Remove a layer whose results have no users and are no outputs of the model.

    Conditions, and why: layers without results stay, since they may keep a blob alive. (The unused
    blobs of a file are its outputs, so a dead layer is the result of other rewrites, or was written
    in IR.)
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LayerOp, rewriter: PatternRewriter) -> None:
        if not is_trivially_dead(op):
            return
        weight = isinstance(op, ConstantOp) and op.layer_name is None
        if weight or is_enabled(self, op):
            if not weight:
                emit_remark(self, op)
            rewriter.erase(op)
