"""Transpositions in front of matrix products, which products do themselves."""

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.constant import constant_of
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.matmul import GemmOp, MatMulOp
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.shapes.analysis import Shapes
from ..rewriting.pattern_set import LayerReplacement
from ..rewriting.release_conditions import Replacement
from .rewriting import agrees, changed, only_producer, successor

TRANSPOSE = 1
"""Permute's order_type that exchanges the two innermost axes, for each rank; a 1-D blob stays."""


class FoldTranspositionIntoMatMul(LayerReplacement):
    """Fold a Permute that transposes an operand of a MatMul into the product.

    Algebra: MatMul transposes the two innermost axes of B if `transB` is set, as a Permute with
    order_type 1 does for each rank. Two transpositions cancel. A Gemm of two blobs also transposes
    A.

    Conditions, and why:
    - the transposed blob has no other user and is no output: the Permute would stay;
    - for A: both operands are provably 2-D and none is a constant. A Gemm multiplies matrices only;
      a MatMul with a constant becomes a Gemm with a weight (`replace-matmul-with-gemm`);
    - for A: the release that the module is made for has Gemm.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MatMulOp, rewriter: PatternRewriter) -> None:
        if op.extra is not None:
            return
        a, b = op.inputs
        if (permute := _transposition(b, op)) is not None:
            new = changed(op, [a, permute.input], transB=int(not op.transB))
            _replace(op, permute, new, rewriter)
        elif (permute := _transposition(a, op)) is not None:
            self._fold_left(op, permute, rewriter)

    def _fold_left(self, op: MatMulOp, permute: PermuteOp, rewriter: PatternRewriter) -> None:
        shapes, blobs = shapes_of(rewriter), [permute.input, op.inputs[1]]
        if not _are_matrices(blobs, shapes) or any(constant_of(v) is not None for v in blobs):
            return
        params = {"transA": 1, "transB": int(bool(op.transB))}
        if Replacement(self, [op, permute], GemmOp).is_unsupported(blobs, params, rewriter):
            return
        _replace(op, permute, successor(op, GemmOp, blobs, {}, params), rewriter)


class FoldTranspositionIntoGemm(LayerReplacement):
    """Fold a Permute that transposes a blob operand of a Gemm into `transA` or `transB`.

    Algebra: as for MatMul, for each of the two operands.

    Conditions, and why:
    - the transposed blob has no other user and is no output: the Permute would stay;
    - it is provably 2-D: a Gemm reads a 3-D blob by its channels;
    - B is no constant: with a transposed A, the weights of a Gemm can no longer be quantized in
      blocks, and a Gemm on the pixels of an image does not become a convolution;
    - the Gemm is not quantized: scales belong to the rows of the stored matrices.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GemmOp, rewriter: PatternRewriter) -> None:
        if op.extra is not None or op.quantize_term or op.constantB or not op.inputs:
            return
        shapes = shapes_of(rewriter)
        names = ("transB",) if op.constantA else ("transA", "transB")
        for place, name in enumerate(names):
            permute = _transposition(op.inputs[place], op)
            if permute is None or not _are_matrices([permute.input], shapes):
                continue
            blobs = list(op.inputs)
            blobs[place] = permute.input
            new = changed(op, blobs, **{name: int(not getattr(op, name))})
            _replace(op, permute, new, rewriter)
            return


def _transposition(value: SSAValue, user: LayerOp) -> PermuteOp | None:
    """Return the Permute that transposes a value for `user` alone."""
    permute = only_producer(value, user)
    return permute if isinstance(permute, PermuteOp) and permute.order_type == TRANSPOSE else None


def _are_matrices(values: Sequence[SSAValue], shapes: Shapes) -> bool:
    return all(shapes.rank(value) == 2 for value in values)


def _replace(
    op: LayerOp,
    permute: PermuteOp,
    new: LayerOp,
    rewriter: PatternRewriter,
) -> None:
    """Replace a product by one that transposes, unless the declared shapes contradict."""
    if not agrees(new):
        new.drop_all_references()
        return
    rewriter.replace(op, new)
    rewriter.erase(permute)
