"""Matrix products: Linear, matmul, addmm, einsum."""

from collections.abc import Mapping, Sequence
from math import prod

from xdsl.ir import SSAValue

from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.extents import permutation
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.matmul import GemmOp, MatMulOp
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.pnnx.cast import CastOp
from ...dialects.pnnx.operations import OperatorOp
from ...transforms.rewriting.axis_merging import broadcast_shapes
from ...transforms.rewriting.layer_builder import Shape
from .lowering import Array, Lowering, OperatorBuilder, Refusal, shown


def linear(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `x @ weight.T + bias`: an InnerProduct of one row, else a Gemm of all rows."""
    weight = b.weight("weight")
    bias = b.weight("bias") if "bias" in op.weight_types() else None
    return [affine(b, op.inputs[0], weight, bias)]


def functional_linear(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `F.linear`, whose weight and bias are operands."""
    x, weight, bias = (
        b.operand(key, place) for place, key in enumerate(("input", "weight", "bias"))
    )
    if x is None or weight is None:
        raise Refusal("it has no input or no weight")
    if weight not in b.constants:
        if bias is not None:
            raise Refusal("its weight is no constant")
        rows, columns = b.shape(weight)
        left = (prod(b.shape(x)[:-1]), columns)
        blobs = [b.reshape(x, left), b.reshape(weight, (rows, columns))]
        return b.layer(MatMulOp, blobs, (left[0], rows), transB=1)
    values = None if bias is None else b.known(bias, "its bias")
    return [affine(b, x, b.known(weight, "its weight"), values)]


def affine(b: OperatorBuilder, x: SSAValue, weight: Array, bias: Array | None) -> SSAValue:
    """Return `x @ weight.T + bias` along the innermost axis of a tensor."""
    shape = b.shape(x)
    inputs = weight.shape[1]
    if not shape or shape[-1] != inputs:
        raise Refusal(f"its weight has {inputs} columns for an input of {shown(shape)}")
    return rows_times(b, x, prod(shape[:-1]), weight, bias)


def rows_times(
    b: OperatorBuilder, x: SSAValue, rows: int, weight: Array, bias: Array | None
) -> SSAValue:
    """Return `x @ weight.T + bias` of a number of rows."""
    outputs, inputs = weight.shape
    matrix = b.constant(weight)
    added = None if bias is None else b.constant(bias.reshape(-1))
    if rows == 1:
        weights = {"weight": matrix, "bias": added}
        return b.layer_with_weights(
            InnerProductOp, [b.reshape(x, (inputs,))], weights, (outputs,), num_output=outputs
        )[0]
    if added is not None and bias is not None:
        added = b.constant(bias.reshape(1, -1))
    return b.layer_with_weights(
        GemmOp,
        [b.reshape(x, (rows, inputs))],
        {"B": matrix, "C": added},
        (rows, outputs),
        transB=1,
        constantB=1,
        constantC=1,
        constantN=outputs,
        constantK=inputs,
        constant_broadcast_type_C=-1 if added is None else 4,
    )[0]


def matmul(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a matrix product whose outer axes broadcast."""
    if len(op.inputs) != 2:
        raise Refusal(f"it has {len(op.inputs)} operands")
    return [product(b, op.inputs[0], op.inputs[1], *b.inputs)]


def before_transposition(y: SSAValue) -> SSAValue | None:
    """Return the blob whose last two axes a Permute exchanges to make a tensor, if one does."""
    op = _blob_of(y).owner
    if not isinstance(op, PermuteOp) or (shape := static_shape_of(op.output)) is None:
        return None
    n = len(shape)
    swap = (*range(n - 2), n - 1, n - 2)
    return op.input if n > 1 and permutation(op.order_type, n) == swap else None


def product(b: OperatorBuilder, x: SSAValue, y: SSAValue, left: Shape, right: Shape) -> SSAValue:
    """Return the product of two tensors of these shapes as `torch.matmul` computes it. A Permute
    that transposes the second one becomes a parameter of the MatMul."""
    if not left or not right:
        raise Refusal("an operand has no axes")
    a = (1, *left) if len(left) == 1 else left
    c = (*right, 1) if len(right) == 1 else right
    if a[-1] != c[-2]:
        raise Refusal(f"{shown(left)} and {shown(right)} do not multiply")
    outer = b.fold_together([a[:-2] or (1,), c[:-2] or (1,)])
    if outer is None or len(outer[0]) > 2:
        outer = _merged(a[:-2], c[:-2])
    if prod(c[:-2]) == 1:  # one matrix for all rows
        first, second = (prod(a[:-1]), a[-1]), c[-2:]
        out: Shape = (first[0], c[-1])
    elif outer is None:
        raise Refusal(f"{shown(left)} and {shown(right)} broadcast in more than four dims")
    else:
        if all(o == (1,) for o in outer):
            outer = [(), ()]
        first, second = (*outer[0], *a[-2:]), (*outer[1], *c[-2:])
        out = (*(max(pair) for pair in zip(*outer, strict=True)), a[-2], c[-1])
    source, shape = before_transposition(y), static_shape_of(_blob_of(y))
    if source is None or shape is None or shape[-2:] != second[-2:]:
        return b.layer(MatMulOp, [b.reshape(x, first), b.reshape(y, second)], out)[0]
    turned = (*second[:-2], second[-1], second[-2])
    return b.layer(MatMulOp, [b.reshape(x, first), b.reshape(source, turned)], out, transB=1)[0]


def _blob_of(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, CastOp):
        value = value.owner.input
    return value


def _merged(a: Shape, c: Shape) -> Sequence[Shape] | None:
    """Return outer axes of one rank that broadcast in at most two dims; `None` if they need
    more."""
    return broadcast_shapes([a or (1,), c or (1,)], 2)


def addmm(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `beta * c + alpha * a @ b`."""
    c, x, y = op.inputs
    alpha, beta = b.number("alpha", 1.0), b.number("beta", 1.0)
    value = product(b, x, y, b.inputs[1], b.inputs[2])
    if alpha != 1:
        value = b.scalar("mul", value, alpha, b.outputs[0])
    if beta != 1:
        c = b.scalar("mul", c, beta, b.inputs[0])
    return [b.broadcast("add", c, value, [b.inputs[0], b.outputs[0]])]


def einsum(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower an einsum of two operands: permute, multiply as a batch of matrices, permute back."""
    text = str(op.param("equation", "")).replace(" ", "")
    terms, arrow, out = text.partition("->")
    words = terms.split(",")
    if not arrow or "." in text or len(words) != len(op.inputs) or len(words) != 2:
        raise Refusal(f"the equation is '{text}'")
    sizes: dict[str, int] = {}
    for word, shape in zip(words, b.inputs, strict=True):
        if len(set(word)) != len(word) or len(word) != len(shape):
            raise Refusal(f"the equation is '{text}'")
        sizes |= dict(zip(word, shape, strict=True))
    left, right = words
    batch = [c for c in left if c in right and c in out]
    inner = [c for c in left if c in right and c not in out]
    rows = [c for c in left if c not in right]
    columns = [c for c in right if c not in left]
    if any(c not in out for c in (*rows, *columns)):
        raise Refusal(f"the equation is '{text}'")
    values: list[SSAValue] = []
    for value, word, order in (
        (op.inputs[0], left, (*batch, *rows, *inner)),
        (op.inputs[1], right, (*batch, *inner, *columns)),
    ):
        shape = tuple(sizes[c] for c in word)
        values.append(b.permute(value, shape, [word.index(c) for c in order]))
    count, m, k, n = (prod(sizes[c] for c in group) for group in (batch, rows, inner, columns))
    made = product(b, values[0], values[1], (count, m, k), (count, k, n))
    found = [*batch, *rows, *columns]
    b.expect(tuple(sizes[c] for c in out))
    return [b.permute(made, [sizes[c] for c in found], [found.index(c) for c in out])]


LOWERINGS: Mapping[str, Lowering] = {
    "nn.Linear": linear,
    "F.linear": functional_linear,
    **dict.fromkeys(("torch.matmul", "torch.bmm", "torch.mm", "Tensor.matmul"), matmul),
    **dict.fromkeys(("torch.addmm", "torch.baddbmm"), addmm),
    "torch.einsum": einsum,
}
