"""The conditions of products in tiles of registers, on hand-written code."""

from typing import Any

import pytest
from ncnn_opt.conversion.to_linalg.processors import PROCESSORS
from ncnn_opt.conversion.to_linalg.tiles import tile_products
from ncnn_opt.dialects.ncnn.lookup import model_of
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser


def parsed(text: str) -> ModuleOp:
    context = Context()
    for name in ("arith", "builtin", "func", "linalg", "tensor"):
        context.load_dialect(get_all_dialects()[name]())
    return Parser(context, text).parse_module()


def generic(
    name: str,
    loops: str,
    kinds: str,
    maps: str,
    operands: str,
    types: str,
    out: str,
    body: str,
) -> str:
    """A loop nest; `kinds` has a `p` or an `r` for each loop; the body reads `%x`, `%y`, … and
    yields `%r`."""
    every = ", ".join(f"affine_map<({loops}) -> ({each})>" for each in maps.split("|"))
    words = {"p": '"parallel"', "r": '"reduction"'}
    iterators = ", ".join(words[each] for each in kinds)
    element = out.rsplit("x", 1)[1][:-1]
    count = len(operands.split(","))
    args = ", ".join(f"%{name}{c}: {element}" for c in "xyz"[:count] + "o")
    body = body.replace("$", f"%{name}").replace("ELEMENT", element)
    zero, start = ("0" if element == "i32" else "0.0"), f"%{name}e"
    filled = ""
    if "r" in kinds:
        start = f"%{name}f"
        filled = f"""
    %{name}0 = arith.constant {zero} : {element}
    %{name}f = linalg.fill ins(%{name}0 : {element}) outs(%{name}e : {out}) -> {out}"""
    return f"""
    %{name}e = tensor.empty() : {out}{filled}
    %{name} = linalg.generic {{indexing_maps = [{every}], iterator_types = [{iterators}]}}
      ins({operands} : {types}) outs({start} : {out}) {{
    ^bb0({args}):
      {body}
      linalg.yield $r : {element}
    }} -> {out}
""".replace("$r", f"%{name}r")


MULTIPLY_ADD = "$m = arith.mulf $x, $y : ELEMENT\n $r = arith.addf $o, $m : ELEMENT"


def weight(type_: str) -> str:
    number = "1" if "i32" in type_ else "1.0"
    return f"    %w = arith.constant dense<{number}> : {type_}\n"


def product(
    a: str = "tensor<4x6xf32>",
    b: str = "tensor<8x6xf32>",
    out: str = "tensor<4x8xf32>",
    loops: str = "m, n, k",
    maps: str = "m, k|n, k|m, n",
    body: str = MULTIPLY_ADD,
    more: str = "",
    rows: str = "%a",
) -> str:
    operands = f"{rows}, %w" + (f", {rows}" if more else "")
    types = f"{a}, {b}" + (f", {a}" if more else "")
    kinds = "p" * loops.count(",") + "r"
    return generic("p", loops, kinds, maps, operands, types, out, body)


def groups(rows: int, count: int, outputs: int) -> dict[str, str]:
    """The arguments of products of groups: the batch is behind the rows."""
    return {
        "a": f"tensor<{rows}x{count}x6xf32>",
        "b": f"tensor<{count}x{outputs}x6xf32>",
        "out": f"tensor<{rows}x{count}x{outputs}xf32>",
        "loops": "m, t, n, k",
        "maps": "m, t, k|t, n, k|m, t, n",
    }


def function(a: str, code: str, result: str, type_: str) -> str:
    return f"func.func @main(%a: {a}) -> {type_} {{\n{code}    func.return {result} : {type_}\n}}\n"


def tiled(text: str) -> tuple[list[Any], list[Any]]:
    """The products with tiles, and their readers with tiles."""
    module = parsed(text)
    tile_products(model_of(module), PROCESSORS["avx2"])
    module.verify()
    ops = list(module.walk())
    products = [op for op in ops if "compilation_info" in op.attributes]
    return products, [op for op in ops if "lowering_config" in op.attributes]


def one(b: str = "tensor<8x6xf32>", **changes: str) -> str:
    a, out = changes.get("a", "tensor<4x6xf32>"), changes.get("out", "tensor<4x8xf32>")
    return function(a, weight(b) + product(b=b, **changes), "%p", out)


@pytest.mark.parametrize(
    "text",
    [
        one(),
        one(b="tensor<6x8xf32>", maps="m, k|k, n|m, n"),
        one(
            a="tensor<2x4x6xf32>",
            b="tensor<8x2x6xf32>",
            out="tensor<2x4x8xf32>",
            loops="t, m, n, k",
            maps="t, m, k|n, t, k|t, m, n",
        ),
        one(
            a="tensor<2x2x6xf32>",
            out="tensor<2x2x8xf32>",
            loops="h, w, n, k",
            maps="h, w, k|n, k|h, w, n",
        ),
        one(**groups(4, 4, 8)),
    ],
    ids=["a matrix", "a transposed weight", "a batch", "two axes of rows", "a batch behind them"],
)
def test_a_product_by_a_weight_has_tiles(text: str) -> None:
    assert [len(each) for each in tiled(text)] == [1, 0]


NEAR_MISSES = {
    "three rows": one(a="tensor<3x6xf32>", out="tensor<3x8xf32>"),
    "integers": one(
        a="tensor<4x6xi32>",
        b="tensor<8x6xi32>",
        out="tensor<4x8xi32>",
        body="$m = arith.muli $x, $y : ELEMENT\n $r = arith.addi $o, $m : ELEMENT",
    ),
    "float64": one(a="tensor<4x6xf64>", b="tensor<8x6xf64>", out="tensor<4x8xf64>"),
    "rows that are the weight": one(a="tensor<8x6xf32>", out="tensor<8x8xf32>").replace(
        "%a, %w", "%w, %a"
    ),
    "a third factor that nothing reads": one(more="yes", maps="m, k|n, k|m, k|m, n"),
    "sums that start with a blob": one(out="tensor<4x6xf32>", b="tensor<6x6xf32>").replace(
        "outs(%pf", "outs(%a"
    ),
    "another operation": one(body=MULTIPLY_ADD.replace("addf", "maximumf")),
    "a transposed result": one(out="tensor<8x4xf32>", maps="m, k|n, k|n, m"),
    "a transposed factor": one(a="tensor<6x4xf32>", maps="k, m|n, k|m, n"),
    "a batch between two axes of rows": one(
        a="tensor<4x3x4x6xf32>",
        b="tensor<3x8x6xf32>",
        out="tensor<4x3x4x8xf32>",
        loops="h, t, w, n, k",
        maps="h, t, w, k|t, n, k|h, t, w, n",
    ),
    "the same outputs": one(b="tensor<6xf32>", maps="m, k|k|m, n"),
    "two axes of outputs": one(
        a="tensor<4x6xf32>",
        b="tensor<2x8x6xf32>",
        out="tensor<4x2x8xf32>",
        loops="m, h, n, k",
        maps="m, k|h, n, k|m, h, n",
    ),
}


@pytest.mark.parametrize("case", NEAR_MISSES)
def test_another_loop_nest_has_none(case: str) -> None:
    assert tiled(NEAR_MISSES[case]) == ([], [])


def test_a_weight_is_computed_from_weights_only() -> None:
    """A sum of a weight and a blob is none."""
    a = "tensor<8x6xf32>"
    total = generic(
        "s",
        "i, j",
        "pp",
        "i, j|i, j|i, j",
        "%c, %a",
        f"{a}, {a}",
        a,
        "$r = arith.addf $x, $y : ELEMENT",
    )
    code = weight(a).replace("%w", "%c") + total
    code += product(a=a, b=a, out="tensor<8x8xf32>").replace("%w", "%s")
    assert tiled(function(a, code, "%p", "tensor<8x8xf32>")) == ([], [])


def test_a_slice_of_a_weight_is_no_weight() -> None:
    """It is one of many groups, and each would be laid out by itself."""
    b = "tensor<8x6xf32>"
    code = weight("tensor<16x6xf32>").replace("%w", "%c")
    code += f"    %w = tensor.extract_slice %c[0, 0] [8, 6] [1, 1] : tensor<16x6xf32> to {b}\n"
    assert tiled(function("tensor<4x6xf32>", code + product(), "%p", "tensor<4x8xf32>")) == ([], [])


@pytest.mark.parametrize(
    ("a", "rows", "order", "out", "loops", "maps", "count"),
    [
        ("6x4", "4x6", [1, 0], "4x8", "m, n, k", "m, k|n, k|m, n", 0),
        ("6x2x2", "2x2x6", [1, 2, 0], "2x2x8", "h, w, n, k", "h, w, k|n, k|h, w, n", 1),
    ],
    ids=["one axis of rows", "two axes of rows"],
)
def test_a_transposed_blob(
    a: str, rows: str, order: list[int], out: str, loops: str, maps: str, count: int
) -> None:
    """IREE would fuse the transposition into the product, unless there is a reshape between."""
    a, rows, out = (f"tensor<{each}xf32>" for each in (a, rows, out))
    code = weight("tensor<8x6xf32>") + f"    %e = tensor.empty() : {rows}\n"
    code += f"    %t = linalg.transpose ins(%a : {a}) outs(%e : {rows}) permutation = {order}\n"
    code += product(a=rows, out=out, loops=loops, maps=maps, rows="%t")
    assert [len(each) for each in tiled(function(a, code, "%p", out))] == [count, 0]


RELU = "$z = arith.constant 0.0 : ELEMENT\n $r = arith.maximumf $x, $z : ELEMENT"
SUM = "$r = arith.addf $x, $y : ELEMENT"


def with_reader(
    maps: str,
    body: str = RELU,
    out: str = "tensor<4x8xf32>",
    more: str = "",
    kinds: str = "pp",
) -> str:
    operands, types = "%p", "tensor<4x8xf32>"
    code = weight("tensor<8x6xf32>") + product()
    if more:
        code += f"    %f = arith.constant dense<2.0> : {more}\n"
        operands, types = "%p, %f", f"{types}, {more}"
    code += generic("q", "m, n", kinds, maps, operands, types, out, body)
    return function("tensor<4x6xf32>", code, "%q", out)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (with_reader("m, n|m, n"), 1),
        (with_reader("m, n|n|m, n", SUM, more="tensor<8xf32>"), 1),
        (with_reader("m, n|m, n|m, n", SUM, more="tensor<4x8xf32>"), 1),
        (with_reader("m, n|m|m, n", SUM, more="tensor<4xf32>"), 0),
        (with_reader("m, n|n, m", out="tensor<8x4xf32>"), 0),
        # a sum over axes of one element, which has no loops for them
        (with_reader("m, n|m, n", "$r = arith.addf $x, $o : ELEMENT"), 0),
        (with_reader("m, n|m", "$r = arith.addf $x, $o : ELEMENT", "tensor<4xf32>", kinds="pr"), 0),
        (with_reader("m, n|n", "$r = arith.addf $x, $o : ELEMENT", "tensor<8xf32>", kinds="rp"), 0),
    ],
    ids=[
        "alone",
        "a bias",
        "a blob",
        "a factor of rows",
        "transposed",
        "a sum of one element",
        "a sum",
        "a sum of rows",
    ],
)
def test_the_reader_of_a_product(text: str, count: int) -> None:
    assert [len(each) for each in tiled(text)] == [1, count]


def test_a_reader_that_computes_integers_has_none() -> None:
    """Tiles of its vectors would be others."""
    body = "$r = arith.fptosi $x : f32 to i32"
    text = with_reader("m, n|m, n", body, "tensor<4x8xi32>").replace("%qx: i32", "%qx: f32")
    assert [len(each) for each in tiled(text)] == [1, 0]


def test_a_batch_is_not_divided_among_threads() -> None:
    text = one(
        a="tensor<2x96x6xf32>",
        b="tensor<2x6x128xf32>",
        out="tensor<2x96x128xf32>",
        loops="t, m, n, k",
        maps="t, m, k|t, k, n|t, m, n",
    )
    ((op,), _) = tiled(text)
    assert "distribution = [1, 96, 16, 8, 0]" in str(op.attributes["compilation_info"])


def grouped(shape: str, reassociation: str) -> str:
    """Products of 3 groups; the sums of all groups, in another shape, plus a bias."""
    channels = shape.rsplit("x", 1)[1]
    code = weight("tensor<3x8x6xf32>") + product(**groups(4, 3, 8))
    out, bias = f"tensor<{shape}xf32>", f"tensor<{channels}xf32>"
    code += f"    %s = tensor.collapse_shape %p {reassociation} : tensor<4x3x8xf32> into {out}\n"
    code += f"    %f = arith.constant dense<2.0> : {bias}\n"
    code += generic("q", "m, n", "pp", "m, n|n|m, n", "%s, %f", f"{out}, {bias}", out, SUM)
    return function("tensor<4x3x6xf32>", code, "%q", out)


@pytest.mark.parametrize(
    ("shape", "reassociation"), [("4x24", "[[0], [1, 2]]"), ("12x8", "[[0, 1], [2]]")]
)
def test_the_reader_of_products_of_groups(shape: str, reassociation: str) -> None:
    """A single vector of outputs is no axis: IREE would fold it, and forget the tiles."""
    ((op,), (reader,)) = tiled(grouped(shape, reassociation))
    assert "vector_common_parallel = [12, 1, 8, 0]" in str(op.attributes["compilation_info"])
    assert "vector_common_parallel = [12, 1, 8]" in str(reader.attributes["lowering_config"])


def test_a_reader_with_a_bias_of_other_axes_has_none() -> None:
    """96 outputs of the reader are no axes of 6 rows, 2 groups, and 2 vectors of 8 outputs."""
    code = weight("tensor<2x16x6xf32>") + product(**groups(6, 2, 16))
    flat, out, bias = "tensor<192xf32>", "tensor<2x96xf32>", "tensor<96xf32>"
    code += f"    %s = tensor.collapse_shape %p [[0, 1, 2]] : tensor<6x2x16xf32> into {flat}\n"
    code += f"    %e = tensor.expand_shape %s [[0, 1]] output_shape [2, 96] : {flat} into {out}\n"
    code += f"    %f = arith.constant dense<2.0> : {bias}\n"
    code += generic("q", "m, n", "pp", "m, n|n|m, n", "%e, %f", f"{out}, {bias}", out, SUM)
    found = tiled(function("tensor<6x2x6xf32>", code, "%q", out))
    assert [len(each) for each in found] == [1, 0]
