"""Writes the lit tests of the whole table of fusions:

    {convolution, deconvolution, 3-D convolution, linear layer}
    x {without, with BatchNorm} x {no add, add with the anchor first, second}
    x {no activation, ReLU, ReLU6}

and, for each anchor, both adds of two of them. `python make_cases.py` writes the files beside this
one; tests/unit/conversion/test_fused_cases.py compares them with what it would write.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

HERE = Path(__file__).parent

HEAD = """\
// RUN: ncnn-opt --convert-ncnn-to-fused %s | filecheck %s --match-full-lines
// Written by make_cases.py.
"""

ADDS = ("", "first", "second")
"""No add, or which operand of it the anchor is."""

ACTIVATIONS = ("", "relu", "relu6")


@dataclass(frozen=True)
class Anchor:
    """A linear layer before and after."""

    name: str
    layer: str
    params: str
    fused: str
    properties: str
    x: str
    weight: str
    y: str
    channels: int

    @property
    def bias(self) -> str:
        return f"tensor<{self.channels}xf32>"

    def layer_line(self, result: str, x: str, name: str) -> str:
        types = f"({self.x}, {self.weight}, {self.bias}) -> {self.y}"
        params = f'{{name = "{name}", {self.params}}}'
        return f"  %{result} = ncnn.{self.layer} %{x} weight %w bias %b {params} : {types}"


ANCHORS = (
    Anchor(
        "conv2d",
        "convolution",
        "num_output = 8, kernel_w = 3, pad_left = 1",
        "conv",
        "pads [1, 1, 1, 1]",
        "tensor<4x6x7xf32>",
        "tensor<8x4x3x3xf32>",
        "tensor<8x6x7xf32>",
        8,
    ),
    Anchor(
        "conv_transpose2d",
        "deconvolution",
        "num_output = 8, kernel_w = 4, stride_w = 2, pad_left = 1",
        "conv_transpose",
        "strides [2, 2] pads [1, 1, 1, 1]",
        "tensor<4x3x5xf32>",
        "tensor<8x4x4x4xf32>",
        "tensor<8x6x10xf32>",
        8,
    ),
    Anchor(
        "conv3d",
        "convolution3d",
        "num_output = 8, kernel_w = 3, pad_left = 1",
        "conv",
        "pads [1, 1, 1, 1, 1, 1]",
        "tensor<4x3x6x7xf32>",
        "tensor<8x4x3x3x3xf32>",
        "tensor<8x3x6x7xf32>",
        8,
    ),
    Anchor(
        "linear",
        "innerproduct",
        "num_output = 10",
        "linear",
        "",
        "tensor<12xf32>",
        "tensor<10x12xf32>",
        "tensor<10xf32>",
        10,
    ),
)


@dataclass(frozen=True)
class Case:
    """One function of a file."""

    anchor: Anchor
    norm: bool
    add: str
    activation: str

    @property
    def name(self) -> str:
        add = f"add_{self.add}" if self.add else ""
        parts = ["bn" if self.norm else "", add, self.activation]
        return "_".join([self.anchor.name, *filter(None, parts)])

    def layers(self) -> list[str]:
        """The body of the function before."""
        a, y = self.anchor, self.anchor.y
        lines = [a.layer_line("anchor", "x", "anchor")]
        value = "anchor"
        if self.norm:
            names = ("slope", "mean", "var", "bias")
            weights = " ".join(f"{name} %bn_{name}" for name in names)
            lines.append(
                f'  %bn = ncnn.batchnorm %{value} {weights} {{name = "bn", eps = 1.0e-05}} : '
                f"({y}, {', '.join([a.bias] * 4)}) -> {y}"
            )
            value = "bn"
        if self.add:
            pair = (value, "r") if self.add == "first" else ("r", value)
            operands = ", ".join(f"%{v}" for v in pair)
            lines.append(
                f'  %add = ncnn.binaryop {operands} {{name = "add", op_type = add}} : '
                f"({y}, {y}) -> {y}"
            )
            value = "add"
        if self.activation:
            layer = {"relu": "relu", "relu6": "clip"}[self.activation]
            bounds = {"relu": "", "relu6": ", min = 0.0, max = 6.0"}[self.activation]
            lines.append(
                f"  %act = ncnn.{layer} %{value} "
                f'{{name = "{self.activation}"{bounds}}} : ({y}) -> {y}'
            )
            value = "act"
        return [*lines, f"  func.return %{value} : {y}"]

    def text(self) -> str:
        a = self.anchor
        head = f"func.func @{self.name}(%x: {a.x}{f', %r: {a.y}' if self.add else ''})"
        body = [
            f"  %w = ncnn.constant #ncnn.elided : {a.weight}",
            f"  %b = ncnn.constant #ncnn.elided : {a.bias}",
        ]
        if self.norm:
            names = ("bn_slope", "bn_mean", "bn_var", "bn_bias")
            body += [f"  %{name} = ncnn.constant #ncnn.elided : {a.bias}" for name in names]
        body += self.layers()
        expected = [f"  {line}" for line in self.expected()]
        return "\n".join(
            [
                f'// CHECK-LABEL: {head} -> ({a.y} {{ncnn.blob = "{self.blob}"}}) {{',
                *(f"// CHECK-NEXT: {line}" for line in expected),
                "// CHECK-NEXT:   }",
                f"{head} -> {a.y} {{",
                *body,
                "}",
                "",
            ]
        )

    @property
    def blob(self) -> str:
        """The name of the result: that of the last layer."""
        names = ["anchor", "bn" * self.norm, "add" if self.add else "", self.activation]
        return [name for name in names if name][-1]

    def expected(self) -> list[str]:
        """The body of the function after: the constants, one operation, the return."""
        a = self.anchor
        lines = [
            f"%w = ncnn.constant #ncnn.elided : {a.weight}",
            f"%b = ncnn.constant #ncnn.elided : {a.bias}",
        ]
        if self.norm:
            lines += [f"%{n} = ncnn.constant #ncnn.elided : {a.bias}" for n in self.norm_values()]
        result = {"anchor": "anchor", "bn": "bn", "add": "add"}.get(self.blob, "act")
        residuals = [(f"%{n}", a.bias, n.removeprefix("bn_")) for n in self.norm_values()]
        if self.add:
            residuals.append(("%r", a.y, "r_1"))
        listed = f" residuals({', '.join(r[0] for r in residuals)})" if residuals else ""
        blob = f', blob = "{self.blob}"' if self.blob != "anchor" else ""
        properties = f" {a.properties}" if a.properties else ""
        types = ", ".join([a.x, a.weight, a.bias, *(r[1] for r in residuals)])
        code = self.code()
        args = ", ".join(f"%{arg}: f32" for arg in ["acc", *(r[2] for r in residuals)])
        lines.append(
            f"%{result} = fused.{a.fused} %x weight %w bias %b{listed}{properties} "
            f'{{name = "anchor"{blob}}} : ({types}) -> {a.y}'
            + (f" epilogue({args}) {{" if code else "")
        )
        if code:
            lines += [f"  {line}" for line in code] + ["}"]
        return [*lines, f"func.return %{result} : {a.y}"]

    def norm_values(self) -> Sequence[str]:
        return ("bn_scale", "bn_shift") if self.norm else ()

    def code(self) -> list[str]:
        """The epilogue."""
        lines: list[str] = []
        count = 0

        def emit(text: str) -> str:
            nonlocal count
            lines.append(f"%{count} = {text} : f32")
            count += 1
            return f"%{count - 1}"

        value = "%acc"
        if self.norm:
            value = emit(f"arith.mulf {value}, %scale")
            value = emit(f"arith.addf {value}, %shift")
        if self.add:
            pair = (value, "%r_1") if self.add == "first" else ("%r_1", value)
            value = emit(f"arith.addf {pair[0]}, {pair[1]}")
        if self.activation:
            zero = emit("arith.constant 0.000000e+00")
            value = emit(f"arith.maximumf {value}, {zero}")
        if self.activation == "relu6":
            six = emit("arith.constant 6.000000e+00")
            value = emit(f"arith.minimumf {value}, {six}")
        return [*lines, f"fused.yield {value} : f32"] if lines else []


def two_anchors(anchor: Anchor, add: str) -> str:
    """A function that adds two anchors: the one that stands last takes the add, whichever operand
    it is."""
    a, y = anchor, anchor.y
    head = f"func.func @two_{a.name}_{add}(%x: {a.x}, %z: {a.x})"
    operands = "%one, %two" if add == "first" else "%two, %one"
    sum_ = "%r, %acc" if add == "first" else "%acc, %r"
    types = f"({a.x}, {a.weight}, {a.bias}"
    listed = f" {a.properties}" if a.properties else ""
    return "\n".join(
        [
            f'// CHECK-LABEL: {head} -> ({y} {{ncnn.blob = "add"}}) {{',
            f"// CHECK-NEXT:   %w = ncnn.constant #ncnn.elided : {a.weight}",
            f"// CHECK-NEXT:   %b = ncnn.constant #ncnn.elided : {a.bias}",
            f'// CHECK-NEXT:   %one = fused.{a.fused} %x weight %w bias %b{listed} {{name = "one"}}'
            f" : {types}) -> {y}",
            f"// CHECK-NEXT:   %add = fused.{a.fused} %z weight %w bias %b residuals(%one)"
            f'{listed} {{name = "two", blob = "add"}} : {types}, {y}) -> {y} '
            "epilogue(%acc: f32, %r: f32) {",
            f"// CHECK-NEXT:     %0 = arith.addf {sum_} : f32",
            "// CHECK-NEXT:     fused.yield %0 : f32",
            "// CHECK-NEXT:   }",
            f"// CHECK-NEXT:   func.return %add : {y}",
            "// CHECK-NEXT:   }",
            f"{head} -> {y} {{",
            f"  %w = ncnn.constant #ncnn.elided : {a.weight}",
            f"  %b = ncnn.constant #ncnn.elided : {a.bias}",
            a.layer_line("one", "x", "one"),
            a.layer_line("two", "z", "two"),
            f'  %add = ncnn.binaryop {operands} {{name = "add", op_type = add}} : '
            f"({y}, {y}) -> {y}",
            f"  func.return %add : {y}",
            "}",
            "",
        ]
    )


def cases(anchor: Anchor) -> list[Case]:
    """The rows of the table for one anchor."""
    return [Case(anchor, *row) for row in product((False, True), ADDS, ACTIVATIONS)]


def files() -> Iterator[tuple[str, str]]:
    """The names and texts of all files."""
    for anchor in ANCHORS:
        texts = [case.text() for case in cases(anchor)]
        yield f"{anchor.name}.mlir", "\n".join([HEAD, *texts])
    pairs = [two_anchors(anchor, add) for anchor in ANCHORS for add in ADDS[1:]]
    yield "two_anchors.mlir", "\n".join([HEAD, *pairs])


if __name__ == "__main__":
    for name, text in files():
        (HERE / name).write_text(text)
