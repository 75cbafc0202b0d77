"""Functions of several operations, which are traced as one graph and written once."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from linalg_values import results_of
from ncnn_opt.conversion.to_linalg.lowering import EVERY_KIND, lower
from ncnn_opt.dialects.fused import FusedOp
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.environment import make_context
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.interpreters.run import run
from ncnn_opt.transforms.rewriting.remarks import Remark, listening
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

BLOB = "tensor<2x3x4xf32>"

TANH = "epilogue(%acc: f32) {\n %0 = math.tanh %acc : f32\n fused.yield %0 : f32\n}"


def elementwise(result: str, of: str) -> str:
    return f"%{result} = fused.elementwise %{of} : ({BLOB}) -> {BLOB} {TANH}"


def pointwise(result: str, of: str, attributes: str = "") -> str:
    types = f"({BLOB}, tensor<2x2x1x1xf32>) -> {BLOB}"
    return f"%{result} = fused.conv %{of} weight %w {attributes} : {types} {TANH}"


def module_of(*lines: str) -> ModuleOp:
    weight = 'tensor<2x2x1x1xf32> {ncnn.blob = "w"}'
    head = f'(%x: {BLOB} {{ncnn.blob = "x"}}, %w: {weight}) -> ({BLOB} {{ncnn.blob = "y"}})'
    body = "\n".join([*lines, f"func.return %y : {BLOB}"])
    text = f"func.func @main{head} {{\n{body}\n}}"
    module = Parser(make_context(), text).parse_module()
    module.verify()
    return module


@pytest.mark.parametrize(
    ("lines", "kernels"),
    [
        ([elementwise("a", "x"), elementwise("y", "a")], 1),
        # A kernel of its own is the end of a product, and what two kernels read.
        ([pointwise("a", "x"), elementwise("y", "a")], 2),
        (
            [
                elementwise("a", "x"),
                f"%b = ncnn.permute %a {{order_type = 1}} : ({BLOB}) -> tensor<2x4x3xf32>",
                f"%c = ncnn.permute %b {{order_type = 1}} : (tensor<2x4x3xf32>) -> {BLOB}",
                elementwise("y", "c"),
            ],
            2,  # and two transpositions
        ),
        (
            [
                elementwise("a", "x"),
                pointwise("b", "a"),
                f"%y = ncnn.binaryop %a, %b {{op_type = add}} : ({BLOB}, {BLOB}) -> {BLOB}",
            ],
            3,
        ),
    ],
)
@pytest.mark.parametrize("style", ["named", "gemm"])
def test_an_element_wise_result_is_computed_by_the_kernel_that_reads_it(
    style: str, lines: Sequence[str], kernels: int
) -> None:
    module = module_of(*lines)
    rng = np.random.default_rng(5)
    shapes = {"x": (2, 3, 4), "w": (2, 2, 1, 1)}
    values = {name: rng.normal(size=shape).astype("f4") for name, shape in shapes.items()}
    expected = run(model_of(module), values)
    lower(module, EVERY_KIND, "convert-to-linalg", style)
    module.verify()
    found = Counter(op.name for op in module.walk())
    sums = found["linalg.fill"] if style == "gemm" else 0  # else they are named operations
    assert found["linalg.generic"] == kernels + sums
    (actual,) = results_of(model_of(module), list(values.values()))
    np.testing.assert_allclose(actual, expected["y"], 1e-5, 1e-6)


def test_an_operation_that_cannot_be_written_stays_between_others() -> None:
    """The form is found not to apply only when the convolution is written."""
    form = '{name = "b", ncnn.form = "winograd4"}'
    module = module_of(elementwise("a", "x"), pointwise("b", "a", form), elementwise("y", "b"))
    remarks: list[Remark] = []
    with listening(remarks.append):
        lower(module, EVERY_KIND, "convert-to-linalg", "gemm")
    module.verify()
    (remark,) = remarks
    assert remark.layers == ("fused.conv 'b'",)
    assert remark.note.startswith("form 'winograd4' does not apply")
    assert [op.name for op in model_of(module).body.block.ops] == [
        "tensor.empty",
        "linalg.generic",
        "fused.conv",
        "tensor.empty",
        "linalg.generic",
        "func.return",
    ]
    assert all(use.operation.parent for arg in model_of(module).args for use in arg.uses)


def test_a_border_of_unknown_extents(tmp_path: Path) -> None:
    """The extents of the Convolution are unknown, because its weight contradicts its input. The
    Pooling then stays, and leaves nothing of its border behind."""
    layers = [
        "Input in 0 1 in 0=9 1=9 2=3",
        "Convolution c 1 1 in c 0=2 1=1 6=4",
        "Pooling p 1 1 c p 0=0 1=3 2=2 3=1",
    ]
    path = tmp_path / "m.param"
    path.write_text("\n".join(["7767517", "3 3", *layers, ""]))
    module = read_model(str(path), ReadOptions("random")).module
    remarks: list[Remark] = []
    with listening(remarks.append):
        lower(module, EVERY_KIND, "convert-to-linalg")
    assert [remark.layers for remark in remarks] == [("Convolution 'c'",), ("Pooling 'p'",)]
    names = [op.name for op in model_of(module).body.block.ops if not isinstance(op, ConstantOp)]
    assert names == ["ncnn.convolution", "ncnn.pooling", "func.return"]


def test_operations_of_other_kinds_stay_between_others() -> None:
    add = f"%b = ncnn.binaryop %a, %x {{op_type = add}} : ({BLOB}, {BLOB}) -> {BLOB}"
    module = module_of(elementwise("a", "x"), add, elementwise("y", "b"))
    lower(module, (FusedOp,), "convert-fused-to-linalg")
    module.verify()
    found = [op.name for op in model_of(module).body.block.ops]
    assert found[1:5] == ["linalg.generic", "ncnn.binaryop", "tensor.empty", "linalg.generic"]


def test_a_form_is_that_of_the_convolution_of_its_operation() -> None:
    """The second one is computed from the first one, which has the cheapest form."""
    form = '{ncnn.form = "conv1x1_gemm"}'
    for first, second in (("", form), (form, "")):
        module = module_of(pointwise("a", "x", first), pointwise("y", "a", second))
        lower(module, EVERY_KIND, "convert-to-linalg", "gemm")
        fills = [op for op in module.walk() if op.name == "linalg.fill"]
        flat = ["tensor<12x2xf32>" in str(op.results[0].type) for op in fills]
        assert flat == [bool(first), bool(second)]


def test_a_long_chain_in_which_each_value_is_read_twice() -> None:
    """x * sigmoid(x), 800 times: longer than Python's stack, with 2^800 paths."""
    steps = [
        f"%t{n} = math.tanh %{'acc' if n == 0 else f'p{n - 1}'} : f32\n"
        f"%p{n} = arith.mulf %{'acc' if n == 0 else f'p{n - 1}'}, %t{n} : f32"
        for n in range(800)
    ]
    epilogue = "\n".join(["epilogue(%acc: f32) {", *steps, "fused.yield %p799 : f32", "}"])
    module = module_of(f"%y = fused.elementwise %x : ({BLOB}) -> {BLOB} {epilogue}")
    lower(module, EVERY_KIND, "convert-to-linalg")
    module.verify()
    (kernel,) = (op for op in module.walk() if op.name == "linalg.generic")
    names = [op.name for op in kernel.walk()]
    assert names.count("arith.mulf") == names.count("math.tanh") == 800
