"""Comparisons of shapes. What is unknown equals nothing: not another unknown shape, and not itself.
Python's `==` on tuples and on `None` does not know that (see `provably_equal`). Every comparison of
inferred shapes by `==` or `in` is here, with the reason why it is right."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

FOLDERS = (
    "analysis", "conversion", "dialects", "driver", "frontends", "interpreters", "native", "proofs",
    "quantization", "report", "runtime", "samples", "targets", "tools", "transforms",
)  # fmt: skip

SOURCES = frozenset(
    {
        "_find", "_look", "broadcast", "certain", "expand", "extents", "extents_in", "infer_shapes",
        "infer_types", "logical_input", "logical_output", "of",
    }
)  # fmt: skip
"""Functions that return shapes, or lists of them, that may be unknown."""

HANDING_ON = frozenset({"list", "map", "numbers", "tuple"})
"""Functions whose result has what their arguments have."""

NUMBERS = "compares numbers: extents and counts, no shapes"
AXES = "compares axes, which are known"

PLACES: Mapping[str, str] = {
    "transforms/caches/attention_kinds.py kind_of: each == own": "compares sets of inputs",
    "conversion/epilogues/operands.py _axes_in: expanded[:more] == (1,) * more": (
        "a tuple of known extents equals no unknown ones"
    ),
    "conversion/epilogues/operands.py _axes_in: shape != (1,)": (
        "a tuple of known extents equals no unknown ones"
    ),
    "conversion/epilogues/operands.py _quantize_operands: shapes.of(v) != (1,)": (
        "a tuple of known extents equals no unknown shape"
    ),
    "conversion/fused_to_ncnn/instruction_selection.py _agree: "
    "numbers(expanded) == self._spread_shape(small, len(other))": (
        "both are the extents of one blob; only the axes that they are put along may differ"
    ),
    "dialects/ncnn/innerproduct.py linear_input: columns == inputs": NUMBERS,
    "dialects/ncnn/innerproduct.py linear_input: inputs % channels == 0": NUMBERS,
    "dialects/shapes/analysis.py _renew: self._find(result) != before": (
        "whether the analysis has to look again; it names each unknown extent"
    ),
    "dialects/shapes/analysis.py same: first == other": "an unranked value equals only itself",
    "transforms/canonicalization/grouped_query_attention.py repeated: "
    "wanted[0] == shape[0] * times": NUMBERS,
    "transforms/canonicalization/parallel_branches.py branch_beside: "
    "channels != host.num_input()": NUMBERS,
    "transforms/canonicalization/recognition/multihead_attention.py _heads: value[1] != keys": (
        NUMBERS
    ),
    "transforms/canonicalization/recognition/multihead_attention.py _heads: "
    "key[0] == value[0] == heads": NUMBERS,
    "transforms/canonicalization/recognition/multihead_attention.py _heads: "
    "key[2] == value[2] == features": NUMBERS,
    "transforms/canonicalization/recognition/normalizations.py layer: "
    "axes != innermost(len(axes), len(shape))": AXES,
    "transforms/canonicalization/recognition/normalizations.py layer: "
    "axes not in (channels, positions, channels | positions)": AXES,
    "transforms/canonicalization/reshapes.py _as_reshape: numbers(shape) == numbers(wanted)": (
        "`reshape_params` proves all extents but one, and the number of elements is the same"
    ),
    "transforms/pnnx_legalization/arithmetic.py legalize: "
    "broadcast(tensors[0].shape, product) != b.outputs[0]": "PNNX's tensors have known extents",
    "transforms/pnnx_legalization/tensor_layouts.py layout_of: shape == tensor": (
        "PNNX's tensors have known extents"
    ),
    "transforms/pnnx_legalization/tensor_layouts.py layout_of: "
    "(*tensor[:k], *tensor[k + 1:]) == shape": "PNNX's tensors have known extents",
}
"""Comparisons by file, function and text."""


def is_shape(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression is a shape or holds one; `names`: the variables that do."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=args):
            handed = any(
                is_shape(a, names) or (isinstance(a, ast.Attribute) and a.attr in SOURCES)
                for a in args
            )
            return name in SOURCES or (name in HANDING_ON and handed)
        case ast.Name(id=name):
            return name in names
        case ast.List(elts=some) | ast.Tuple(elts=some) | ast.BoolOp(values=some):
            return any(is_shape(each, names) for each in some)
        case ast.Subscript(value=of, slice=ast.Slice()) | ast.Starred(value=of):
            return is_shape(of, names)
        case ast.BinOp(left=a, right=b) | ast.IfExp(body=a, orelse=b):
            return is_shape(a, names) or is_shape(b, names)
        case ast.NamedExpr(value=of) | ast.ListComp(elt=of) | ast.GeneratorExp(elt=of):
            return is_shape(of, names)
        case _:
            return False


def shape_names(function: ast.FunctionDef) -> set[str]:
    """The parameters and variables of a function that hold shapes."""
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    names = {a.arg for a in given if a.annotation and "Extents" in ast.unparse(a.annotation)}
    before = -1
    while len(names) > before:
        before = len(names)
        for node in ast.walk(function):
            match node:
                case ast.Assign(targets=targets, value=value) if is_shape(value, names):
                    stored = [n for t in targets for n in ast.walk(t)]
                    names |= {
                        n.id
                        for n in stored
                        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
                    }
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                    names |= {name} if "Extents" in ast.unparse(annotation) else set[str]()
                case ast.NamedExpr(target=ast.Name(id=name), value=value):
                    names |= {name} if is_shape(value, names) else set[str]()
                case _:
                    pass
    return names


def comparisons(text: str) -> Iterator[str]:
    """The comparisons of shapes in a file, each with its function."""
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef):
            continue
        names = shape_names(function)
        for node in ast.walk(function):
            if not isinstance(node, ast.Compare):
                continue
            operands = [node.left, *node.comparators]
            for i, op in enumerate(node.ops):
                sides = operands[i : i + 2] if isinstance(op, ast.Eq | ast.NotEq) else operands[:1]
                by_value = isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn)
                if by_value and any(is_shape(side, names) for side in sides):
                    yield f"{function.name}: {ast.unparse(node)}"
                    break


def test_every_comparison_has_a_reason() -> None:
    found = {
        f"{path.relative_to(ROOT)} {each}"
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        for each in comparisons(path.read_text())
    }
    assert found - PLACES.keys() == set(), "compare by `provably_equal`, or give the reason"
    assert PLACES.keys() - found == set(), "there is no such comparison any more"


@pytest.mark.parametrize(
    "body",
    [
        "return op.infer_shapes(changed) != op.infer_shapes(given)",
        "wanted = op.infer_shapes(given)\n    return op.infer_shapes(changed) == wanted",
        "return [self.shapes.of(a)] == [self.shapes.of(b)]",
        "a, b = map(shapes.of, values)\n    return a == b",
        "return shape[1:] == other",
        "return (found := shapes.of(value)) in (shape, other)",
    ],
)
def test_a_comparison_is_found(body: str) -> None:
    text = f"def same(op, given, changed, values, other, shape: Extents | None):\n    {body}\n"
    assert list(comparisons(text))


def test_other_comparisons_are_not() -> None:
    text = "def same(shape: Extents, n, names):\n    return shape[0] == n and n in names\n"
    assert not list(comparisons(text))
