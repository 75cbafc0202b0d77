"""Formulas are found in the graph, however it writes them."""

from math import inf

import pytest
from ncnn_opt.dialects.ncnn import NCNN
from ncnn_opt.dialects.ncnn.formulas import Term, clamped, exp, sigmoid, sqrt, tanh
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.shapes.analysis import Shapes
from ncnn_opt.transforms.canonicalization.patterns import RECOGNIZERS
from ncnn_opt.transforms.canonicalization.recognition.algebra import (
    AnyBlob,
    AnyNumber,
    NumberTerm,
    Product,
    Sum,
    mean,
    normal,
)
from ncnn_opt.transforms.canonicalization.recognition.matching import (
    MAX_LAYERS,
    TOLERANCE,
    Match,
    close,
    matches,
)
from ncnn_opt.transforms.canonicalization.recognition.recognizer import Recognizer, may_end_formula
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.func import Func
from xdsl.parser import Parser

x, y, a, b = AnyBlob("x"), AnyBlob("y"), AnyNumber("a"), AnyNumber("b")
T = "tensor<2x3xf32>"


def parse(*lines: str, results: str = "") -> list[LayerOp]:
    """The layers of a model with these results, or the last blob. Each line is `%name = op operands
    {attributes}`; all blobs, as the inputs `%x` and `%y`, have one shape."""
    body: list[str] = []
    for line in lines:
        head, _, attributes = line.partition(" {")
        operands = ", ".join([T] * (head.count("%") - 1))
        body.append(f"{head} {{{attributes or '}'} : ({operands}) -> {T}")
    returned = results or lines[-1].split(" ")[0]
    types = ", ".join([T] * (returned.count(",") + 1))
    text = f"func.func @f(%x: {T}, %y: {T}) -> ({types}) {{\n" + "\n".join(body)
    context = Context()
    for dialect in (Builtin, Func, NCNN):
        context.load_dialect(dialect)
    text += f"\nfunc.return {returned} : {types}\n}}"
    module = Parser(context, text).parse_module()
    return [op for op in module.walk() if isinstance(op, LayerOp)]


def found(pattern: Term, *lines: str, results: str = "") -> list[Match]:
    """All ways in which the last layer computes a formula."""
    layers = parse(*lines, results=results)
    matched = list(matches([pattern], layers[-1], Shapes()))
    for match in matched:
        assert match.layers[0] is layers[-1]
        assert set(match.layers) <= set(layers)
    return matched


def scalar(name: str, op: str, operand: str, number: float) -> str:
    return f"%{name} = ncnn.binaryop %{operand} {{op_type = {op}, with_scalar = 1, b = {number}}}"


def binary(name: str, op: str, first: str, second: str) -> str:
    return f"%{name} = ncnn.binaryop %{first}, %{second} {{op_type = {op}}}"


@pytest.mark.parametrize(
    "lines",
    [
        [binary("p", "mul", "x", "y"), scalar("z", "mul", "p", 6.0)],
        [scalar("p", "div", "y", 0.5), scalar("q", "mul", "x", 3.0), binary("z", "mul", "p", "q")],
        ["%p = ncnn.eltwise %y, %x {op_type = prod}", "%z = ncnn.dropout %p {scale = 6.0}"],
        ["%p = ncnn.power %x {scale = -6.0}", "%q = ncnn.unaryop %y {op_type = neg}",
         binary("z", "mul", "q", "p")],
        [scalar("p", "rdiv", "x", 0.16666667), binary("z", "rdiv", "p", "y")],
    ],
)  # fmt: skip
def test_order_and_place_of_a_number_make_no_difference(lines: list[str]) -> None:
    (match, *_) = found(6.0 * x * y, *lines)
    assert {value.name_hint for value in match.blobs.values()} == {"x", "y"}
    assert len(match.layers) == len(lines)
    assert not found(5.0 * x * y, *lines)


@pytest.mark.parametrize(
    "lines",
    [
        [scalar("p", "add", "x", 2.0), binary("z", "add", "p", "y")],
        [scalar("p", "rsub", "x", -2.0), binary("z", "sub", "y", "p")],
        ["%p = ncnn.eltwise %x, %y {op_type = sum, coeffs = [0.5, 0.5]}",
         scalar("q", "add", "p", 1.0), scalar("z", "mul", "q", 2.0)],
        [scalar("p", "mul", "x", 3.0), scalar("q", "mul", "y", 3.0), binary("r", "add", "q", "p"),
         scalar("s", "add", "r", 6.0), scalar("z", "div", "s", 3.0)],
    ],
)  # fmt: skip
def test_a_factor_may_be_given_to_all_terms(lines: list[str]) -> None:
    assert found(x + y + 2.0, *lines)
    assert not found(x + y + 3.0, *lines)
    assert not found(x + 2.0 * y + 2.0, *lines)


def test_a_name_stands_for_one_blob() -> None:
    lines = ["%s = ncnn.sigmoid %x", binary("z", "mul", "y", "s")]
    assert found(y * sigmoid(x), *lines)
    assert not found(x * sigmoid(x), *lines)


def test_a_name_stands_for_one_number() -> None:
    lines = [
        scalar("p", "add", "x", 2.0),
        scalar("q", "mul", "y", 2.5),
        binary("z", "mul", "p", "q"),
    ]
    scalars = [match.scalars for match in found((x + a) * (b * y), *lines)]
    assert scalars == [{"a": 2.0, "b": 1.0}, {"a": 2.0, "b": 2.5}]  # y is the product, or in it
    assert not found((x + a) * tanh(a * y), *lines)


def test_numbers_that_are_open_are_told() -> None:
    lines = [
        scalar("p", "mul", "x", 0.5),
        scalar("q", "add", "p", 1.0),
        "%r = ncnn.relu %q",
        scalar("z", "min", "r", 4.0),
    ]
    scalars = [match.scalars for match in found(clamped(a * x + b, 0.0, AnyNumber("most")), *lines)]
    assert {"a": 0.5, "b": 1.0, "most": 4.0} in scalars
    assert not found(clamped(a * x + b, 0.0, inf), *lines)


def test_tolerance() -> None:
    assert close(1.0, 1.0 + TOLERANCE / 2)
    assert not close(1.0, 1.0 + 2 * TOLERANCE)
    assert not close(0.0, 1e-30)
    assert close(inf, inf)
    assert not close(1.0, inf)
    assert not close(float("nan"), float("nan"))
    for digits, matched in (("0.1666667", True), ("0.166666", False)):
        lines = ["%s = ncnn.sigmoid %x", scalar("z", "mul", "s", float(digits))]
        assert bool(found(sigmoid(x) / 6.0, *lines)) == matched


def test_powers_of_powers() -> None:
    square = "%q = ncnn.unaryop %x {op_type = square}"
    sum_ = scalar("s", "add", "q", 1.0)
    inverse_root = x / sqrt(x**2.0 + a)
    roots = ["%r = ncnn.unaryop %s {op_type = sqrt}", binary("z", "div", "x", "r")]
    assert found(inverse_root, square, sum_, *roots)
    roots = ["%r = ncnn.unaryop %s {op_type = rsqrt}", binary("z", "mul", "r", "x")]
    assert found(inverse_root, square, sum_, *roots)
    roots = ["%r = ncnn.power %s {power = -0.5}", binary("z", "mul", "r", "x")]
    assert found(inverse_root, square, sum_, *roots)
    # A sign goes with an even power.
    negative = ["%n = ncnn.unaryop %x {op_type = neg}", "%q = ncnn.unaryop %n {op_type = square}"]
    assert found(inverse_root, *negative, sum_, *roots)
    # The root of a square is the number without its sign.
    lines = [square, "%z = ncnn.unaryop %q {op_type = sqrt}"]
    assert found(sqrt(x**2.0), *lines)
    assert not found(1.0 * x, *lines)


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 1), (0, 1)])
def test_reductions_along_the_same_axes(first: int, second: int) -> None:
    kind = "{operation = mean, reduce_all = 0, axes = [AXIS], keepdims = 1, fixbug0 = 1}"
    axes = [
        match.axes
        for match in found(
            mean(x) + mean(exp(x)),
            f"%p = ncnn.reduction %x {kind.replace('AXIS', str(first))}",
            "%e = ncnn.unaryop %x {op_type = exp}",
            f"%q = ncnn.reduction %e {kind.replace('AXIS', str(second))}",
            binary("z", "add", "p", "q"),
        )
    ]
    assert axes == ([frozenset({first})] if first == second else [])


def test_what_others_use_is_no_part() -> None:
    lines = ["%s = ncnn.sigmoid %x", "%t = ncnn.tanh %s", binary("z", "mul", "x", "s")]
    assert not found(x * sigmoid(x), *lines, results="%z, %t")
    assert not found(x * sigmoid(x), lines[0], lines[2], results="%z, %s")
    assert found(x * sigmoid(x), *lines, results="%z")  # nobody uses what uses it


@pytest.mark.parametrize("op", ["mul", "add", "max"])
def test_long_chains_end_somewhere(op: str) -> None:
    names = ["x", *(f"v{i}" for i in range(40 * MAX_LAYERS))]
    lines = [scalar(new, op, old, 1.5) for old, new in zip(names, names[1:], strict=False)]
    assert not found(y * sigmoid(y), *lines)
    assert len(found(a * x, *lines)) <= MAX_LAYERS


@pytest.mark.parametrize("recognizer", RECOGNIZERS, ids=lambda each: type(each).__name__)
def test_no_recognizer_has_a_formula_that_is_a_multiple_of_a_sum(recognizer: Recognizer) -> None:
    for spelling in map(normal, recognizer.SPELLINGS):
        factors = spelling.factors if isinstance(spelling, Product) else (spelling,)
        others = [each for each in factors if not isinstance(each, NumberTerm | AnyNumber)]
        assert len(others) > 1 or not isinstance(others[0], Sum)


@pytest.mark.parametrize(
    ("last", "ends"),
    [
        (binary("z", "mul", "y", "s"), True),
        (binary("z", "max", "y", "s"), True),
        (scalar("z", "min", "s", 1.0), True),
        ("%z = ncnn.eltwise %s, %y {op_type = prod}", True),
        ("%z = ncnn.relu %s", True),
        (binary("z", "mul", "y", "x"), False),
        ("%z = ncnn.relu %y", False),
        (binary("z", "add", "y", "s"), False),
        (scalar("z", "rsub", "s", 1.0), False),
        ("%z = ncnn.eltwise %s, %y {op_type = sum, coeffs = [0.5, 0.5]}", False),
    ],
)  # fmt: skip
def test_a_formula_ends_with_no_sum_and_behind_another_layer(last: str, ends: bool) -> None:
    assert may_end_formula(parse("%s = ncnn.sigmoid %x", last)[-1]) is ends
