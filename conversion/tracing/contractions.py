"""Matrix products and einsums.

Both become one kind of node, a sum of products over loops. Transposed and repeated factors are not
written as tensors: their axes are assigned to other loops.

Example: `a @ b.T`, of 2x3 and 4x3, has the loops i, j and k. The factors have the axes (i, k) and
(j, k), and the result has (i, j).
"""

from collections.abc import Sequence

import numpy as np

from ...dialects.shapes.terms import Extent
from . import nodes
from .indexing import taken
from .nodes import Node, NotTraced
from .ufuncs import reduced


def matmul(a: Node, b: Node) -> Node:
    """Return `a @ b` as NumPy defines it: for vectors, matrices, and stacks of matrices that
    broadcast."""
    row, column = len(a.shape) == 1, len(b.shape) == 1
    if row:
        a = nodes.reshape(a, (1, *a.shape))
    if column:
        b = nodes.reshape(b, (*b.shape, 1))
    if a.shape[-1] != b.shape[-2]:
        raise NotTraced(
            f"a product of {nodes.extents_text(a.shape)} and {nodes.extents_text(b.shape)}"
        )
    outer = nodes.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    rank = len(outer) + 2
    batch_a = _outer_dims(a.shape[:-2], outer)
    batch_b = _outer_dims(b.shape[:-2], outer)
    a, b = _without_repeated(a, batch_a), _without_repeated(b, batch_b)
    dims_a = [d for d in batch_a if d is not None] + [rank - 2, rank]
    dims_b = [d for d in batch_b if d is not None] + [rank, rank - 1]
    shape = (*outer, a.shape[-2], b.shape[-1])
    result = contract(a, dims_a, b, dims_b, shape)
    if row or column:
        kept = [n for n, gone in zip(shape[-2:], (row, column), strict=True) if not gone]
        result = nodes.reshape(result, (*outer, *kept))
    return result


def _outer_dims(shape: Sequence[Extent], outer: Sequence[Extent]) -> list[int | None]:
    """Return the loop of each outer axis; `None` for a repeated axis."""
    more = len(outer) - len(shape)
    return [None if n == 1 and outer[i] != 1 else i for i, n in enumerate(shape, more)]


def _without_repeated(x: Node, dims: Sequence[int | None]) -> Node:
    kept = [n for i, n in enumerate(x.shape) if i >= len(dims) or dims[i] is not None]
    return nodes.reshape(x, tuple(kept))


def contract(
    a: Node, dims_a: Sequence[int], b: Node, dims_b: Sequence[int], shape: Sequence[Extent]
) -> Node:
    """Return a sum of products in the type of the factors. Factors that only move axes of other
    nodes are replaced by these nodes."""
    if a.dtype != b.dtype:
        raise NotTraced(f"a product of {a.dtype} and {b.dtype}")
    made = a.dtype
    narrow = nodes.before_widening(a), nodes.before_widening(b)
    if all(node.dtype == np.dtype("i1") for node in narrow):
        a, b = narrow
    (a, dims_a), (b, dims_b) = _seen_through(a, dims_a), _seen_through(b, dims_b)
    return nodes.Contract(tuple(shape), made, (a, b), (tuple(dims_a), tuple(dims_b)))


def _seen_through(node: Node, dims: Sequence[int]) -> tuple[Node, Sequence[int]]:
    """Return the operand of a view that only moves axes, with the loops of the operand's axes."""
    if not isinstance(node, nodes.View) or node.repeats or None in node.axes:
        return node, dims
    if len(node.axes) != len(node.of.shape):
        return node, dims
    places = {axis: dim for axis, dim in zip(node.axes, dims, strict=True)}
    return node.of, [places[axis] for axis in range(len(node.of.shape))]


def einsum(equation: str, operands: Sequence[Node]) -> Node:
    """Return NumPy's `einsum`. Raises `NotTraced` for an ellipsis or an implicit result."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    if "." in equation or not arrow or len(set(right)) < len(right):
        raise NotTraced(f"einsum of {equation}")
    tokens, operands = list(left.split(",")), list(operands)
    for i, (token, node) in enumerate(zip(tokens, operands, strict=True)):
        tokens[i], operands[i] = _without_repeated_letters(token, node)
    extents = {
        letter: n
        for token, node in zip(tokens, operands, strict=True)
        for letter, n in zip(token, node.shape, strict=True)
    }
    while len(operands) > 2:  # pair by pair; axes that are still read are kept
        rest = set("".join(tokens[2:]) + right)
        kept = "".join(sorted({c for c in tokens[0] + tokens[1] if c in rest}))
        first = einsum(f"{tokens[0]},{tokens[1]}->{kept}", operands[:2])
        rest_of_nodes: list[Node] = [first, *operands[2:]]
        tokens, operands = [kept, *tokens[2:]], rest_of_nodes
    if len(operands) == 1:
        (token,), (node,) = tokens, operands
        gone = [i for i, letter in enumerate(token) if letter not in right]
        if gone:
            node = reduced("arith.addf", node, gone, 0.0)
        left_over = [letter for letter in token if letter in right]
        order = [left_over.index(letter) for letter in right]
        return nodes.view(node, tuple(extents[letter] for letter in right), order)
    summed = sorted(set("".join(tokens)) - set(right))
    number = {letter: i for i, letter in enumerate([*right, *summed])}
    shape = tuple(extents[letter] for letter in right)
    a, b = ([number[letter] for letter in token] for token in tokens)
    return contract(operands[0], a, operands[1], b, shape)


def _without_repeated_letters(token: str, node: Node) -> tuple[str, Node]:
    """Return the elements whose indices are equal along axes with the same letter."""
    for letter in sorted({letter for letter in token if token.count(letter) > 1}):
        while token.count(letter) > 1:
            i, j = token.index(letter), token.rindex(letter)
            order = [k for k in range(len(token)) if k not in (i, j)]
            n, shape = node.shape[i], tuple(node.shape[k] for k in order)
            if not isinstance(n, int) or node.shape[j] != n:
                raise NotTraced(f"the diagonal of {nodes.extents_text(node.shape)}")
            last = nodes.view(node, (*shape, n, n), [*order, i, j])
            flat = nodes.reshape(last, (*shape, n * n))
            node = taken(flat, nodes.dense(np.arange(n, dtype="i4") * (n + 1)), len(shape))
            token = "".join(token[k] for k in order) + letter
    return token, node
