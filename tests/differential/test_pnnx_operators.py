"""Single operators of PNNX, one by one: the real runtime computes what NumPy does, and operators
that are a little different are left alone."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.driver.environment import make_context
from ncnn_opt.driver.pipelines import run_pipeline
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.transforms import REPAIR
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from .compiler import save
from .runtime import Array, Failure, Runtime
from .test_pnnx_legalization import ints, tensor

Shape = tuple[int, ...]


def values(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")


def text(
    kind: str,
    params: str,
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    keys: str,
    constants: Sequence[Array],
) -> str:
    """A function with one operator between flat blobs; further operands are constants."""
    sizes = [int(np.prod(s)) for s in inputs]
    ends = [int(np.prod(s)) for s in outputs]
    flat = [f"tensor<{n}xf32>" for n in ends]
    args = ", ".join(f'%x{i}: tensor<{n}xf32> {{ncnn.blob = "x{i}"}}' for i, n in enumerate(sizes))
    results = ", ".join(f'{t} {{ncnn.blob = "y{i}"}}' for i, t in enumerate(flat))
    lines = [
        f"%t{i} = pnnx.cast %x{i} : tensor<{n}xf32> to {tensor(s)}"
        for i, (n, s) in enumerate(zip(sizes, inputs, strict=True))
    ]
    for array in constants:
        numbers = ", ".join(f"{x:.8e}" for x in array)
        lines.append(f"%t{len(lines)} = ncnn.constant dense<[{numbers}]> : {tensor(array.shape)}")
    inputs = [*inputs, *(array.shape for array in constants)]
    made = ", ".join(f"%u{i}" for i in range(len(outputs)))
    given = ", ".join(f"%t{i}" for i in range(len(inputs)))
    types = ", ".join(map(tensor, inputs)), ", ".join(map(tensor, outputs))
    lines.append(
        f'{made} = pnnx.op "{kind}" "op"({given}) {{params = {{{params}}}{keys}}} : '
        f"({types[0]}) -> ({types[1]})"
    )
    for i, (t, s) in enumerate(zip(flat, outputs, strict=True)):
        lines.append(f"%v{i} = pnnx.cast %u{i} : {tensor(s)} to {t}")
        lines.append(f'%y{i} = ncnn.relu %v{i} {{name = "y{i}", slope = 1.0}} : ({t}) -> {t}')
    names = ", ".join(f"%y{i}" for i in range(len(flat)))
    lines.append(f"func.return {names} : {', '.join(flat)}")
    body = "\n  ".join(lines)
    return f"func.func @main({args}) -> ({results}) {{\n  {body}\n}}\n"


def legalized(source: str) -> ModuleOp:
    module = parse_ir(make_context(), source.encode(), "operator")
    run_pipeline(module, ",".join(REPAIR))
    return module


class Case:
    """An operator, its operands, and what it gives."""

    def __init__(
        self,
        kind: str,
        params: str,
        inputs: Sequence[Array],
        *outputs: Array | Shape,
        keys: Sequence[str] = (),
        constants: Sequence[Array] = (),
    ) -> None:
        self.kind, self.params, self.inputs, self.outputs = kind, params, inputs, outputs
        self.constants = constants
        self.keys = f", keys = [{', '.join(map(repr, keys))}]".replace("'", '"') if keys else ""

    def text(self) -> str:
        shapes = [o.shape if isinstance(o, np.ndarray) else o for o in self.outputs]
        return text(
            self.kind,
            self.params,
            [x.shape for x in self.inputs],
            shapes,
            self.keys,
            self.constants,
        )


def name_of(case: Case) -> str:
    return f"{case.kind}({case.params})"


X = values(2, 3, 4, 5)
"""An operand of four dims."""

LONG = values(2, 3, 2, 3, 2, 2, 3)
"""An operand of more dims than a blob has."""


def conv(x: Array, weight: Array, stride: Shape, pad: Shape, dilation: Shape, groups: int) -> Array:
    """A convolution, by its definition."""
    x = np.pad(x[0], ((0, 0), (pad[0], pad[0]), (pad[1], pad[1])))
    outputs, inputs, *kernel = weight.shape
    size = [
        (n - d * (k - 1) - 1) // s + 1
        for n, k, s, d in zip(x.shape[1:], kernel, stride, dilation, strict=True)
    ]
    y = np.zeros((1, outputs, *size), "f4")
    for o, i, j in product(range(outputs), range(size[0]), range(size[1])):
        first = o // (outputs // groups) * inputs
        for c, a, b in product(range(inputs), range(kernel[0]), range(kernel[1])):
            at = i * stride[0] + a * dilation[0], j * stride[1] + b * dilation[1]
            y[0, o, i, j] += x[(first + c, *at)] * weight[o, c, a, b]
    return y


def window(stride: Shape, pad: Shape, dilation: Shape, groups: int) -> str:
    return (
        f"stride = {ints(stride)}, padding = {ints(pad)}, dilation = {ints(dilation)}, "
        f"groups = {groups} : i32"
    )


def convolutions() -> list[Case]:
    cases: list[Case] = []
    for kernel, stride, pad, dilation, groups, biased in [
        ((3, 3), (1, 1), (0, 0), (1, 1), 1, False),
        ((3, 2), (2, 1), (1, 0), (1, 1), 1, True),
        ((2, 3), (1, 2), (0, 2), (1, 1), 1, True),
        ((3, 2), (1, 1), (2, 1), (2, 3), 1, False),
        ((2, 2), (1, 1), (0, 1), (1, 1), 2, True),
        ((1, 3), (1, 1), (0, 1), (1, 2), 4, False),
    ]:
        x, weight = values(1, 4, 7, 8), values(8, 4 // groups, *kernel, seed=1)
        bias = values(8, seed=2)
        y = conv(x, weight, stride, pad, dilation, groups)
        given, keys = [x, weight], ["input", "weight"]
        if biased:
            given, keys, y = [*given, bias], [*keys, "bias"], y + bias[:, None, None]
        params = window(stride, pad, dilation, groups)
        cases.append(Case("F.conv2d", params, given, y, keys=keys))
    x, weight = values(1, 2, 5, 5), values(3, 2, 3, 3, seed=1)
    y = conv(x, weight, (2, 2), (1, 1), (1, 1), 1)
    keys = ["input", "weight"]
    plain = "stride = 2 : i32, padding = 1 : i32"
    cases.append(Case("F.conv2d", plain, [x, weight], y, keys=keys))
    single = 'stride = array<i32: 2>, padding = array<i32: 1>, padding_mode = "zeros"'
    cases.append(Case("F.conv2d", single, [x, weight], y, keys=keys))
    return cases


def cut(*axes: tuple[int, int, int, int]) -> str:
    """The parameters of a slice: axis, start, end, step of each."""
    columns = zip(*(axis + (2**31 - 1,) for axis in axes), strict=True)
    names = ("dims", "starts", "ends", "steps", "selects")
    return ", ".join(f"{n} = {ints(c)}" for n, c in zip(names, columns, strict=True))


def with_selects(params: str, *selects: int) -> str:
    """The parameters of a slice, of which some axes are single elements."""
    return f"{params.partition(', selects')[0]}, selects = {ints(selects)}"


def movements() -> list[Case]:
    last = 2**31 - 1
    wide = values(7, 23)
    joined = [values(2, n, 3, seed=n) for n in (1, 4, 2)]
    return [
        Case("Tensor.reshape", "", [X], X.reshape(6, 20)),
        Case("torch.squeeze", "", [X[:1]], X[0]),
        Case("Tensor.permute", f"dims = {ints((0, -1, 1, 2))}", [X], X.transpose(0, 3, 1, 2)),
        Case("torch.transpose", "dim0 = 1 : i32, dim1 = -1 : i32", [X], X.swapaxes(1, 3)),
        Case("torch.transpose", "dim0 = 0 : i32, dim1 = 6 : i32", [LONG], LONG.swapaxes(0, 6)),
        Case("torch.unbind", "dim = 1 : i32", [X], *X.transpose(1, 0, 2, 3)),
        Case("torch.unbind", "", [X], *X),
        Case("torch.unbind", "dim = 3 : i32", [LONG], *np.moveaxis(LONG, 3, 0)),
        Case("torch.unbind", "dim = -1 : i32", [LONG], *np.moveaxis(LONG, 6, 0)),
        Case("torch.chunk", "dim = 1 : i32", [wide], wide[:, :8], wide[:, 8:16], wide[:, 16:]),
        Case("torch.split", "dim = -1 : i32", [wide], wide[:, :20], wide[:, 20:]),
        Case("torch.tensor_split", "", [wide], wide[:3], wide[3:5], wide[5:]),
        Case("torch.split", "dim = 5 : i32", [LONG], LONG[..., :1, :], LONG[..., 1:, :]),
        *(
            Case("Tensor.slice", cut((1, start, stop, step)), [wide], wide[:, start:stop:step])
            for start, stop, step in [
                (0, last, 2),
                (3, 20, 1),
                (-5, -1, 1),
                (1, last, 22),
                (22, last, 5),
                (2, -3, 4),
                (0, 23, 3),
                (5, 23, 6),
                (4, 23, 7),
                (1, 21, 10),
                (-4, last, 3),
                (-99, 2, 1),
            ]
        ),  # fmt: skip
        Case("Tensor.slice", cut((0, 1, 2, 1), (-1, 1, 4, 2)), [X], X[1:2, ..., 1:4:2]),
        Case("Tensor.slice", cut((2, 1, 2, 1), (5, 1, 2, 1)), [LONG], LONG[:, :, 1:2, :, :, 1:2]),
        Case("Tensor.slice", "dim = 2 : i32, start = 1 : i32", [X], X[:, :, 1:]),
        Case("Tensor.slice", "dim = 2 : i32, end = 3 : i32, step = 2 : i32", [X], X[:, :, :3:2]),
        Case(
            "Tensor.slice",
            with_selects(cut((1, 0, last, 1), (2, 0, last, 2)), -2, last),
            [X],
            X[:, 1, ::2],
        ),
        Case("Tensor.select", "dim = 1 : i32, index = 2 : i32", [X], X[:, 2]),
        Case("torch.select", "dim = -1 : i32, index = -5 : i32", [X], X[..., 0]),
        Case("Tensor.select", "dim = 4 : i32, index = 1 : i32", [LONG], LONG[:, :, :, :, 1]),
        Case("torch.cat", "dim = 1 : i32", joined, np.concatenate(joined, 1)),
        Case("torch.cat", "", [wide, wide[:2]], np.concatenate([wide, wide[:2]])),
        Case("torch.cat", "dim = -2 : i32", [LONG, LONG], np.concatenate([LONG, LONG], 5)),
        Case("torch.cat", "dim = 0 : i32", [X[:1], X], np.concatenate([X[:1], X])),
        Case("torch.stack", "dim = -1 : i32", [wide, wide], np.stack([wide, wide], -1)),
        Case("torch.stack", "", [X, X], np.stack([X, X])),
        Case("torch.stack", "dim = 2 : i32", [X, -X], np.stack([X, -X], 2)),
    ]


def normalized(x: Array, axis: int, eps: float = 1e-12) -> Array:
    norm = np.sqrt((x.astype("f8") ** 2).sum(axis, keepdims=True))
    return (x / np.maximum(norm, eps)).astype("f4")


def arithmetic() -> list[Case]:
    a, b, c = values(2, 1, 4, 5, seed=4), values(3, 1, 1, seed=5), X
    one = values(1, seed=6)
    scale, mean, bias = (values(3, seed=n) for n in (7, 8, 9))
    var = np.abs(values(3, seed=10)) + 0.5
    rows = values(4, 3, seed=11)
    weights = ["input", "slope", "mean", "var", "bias"]

    def norm(x: Array, eps: float) -> Array:
        at = (slice(None), *(None,) * (x.ndim - 2))
        return ((x - mean[at]) / np.sqrt(var[at] + eps) * scale[at] + bias[at]).astype("f4")

    def expression(words: str, inputs: Sequence[Array], y: Array) -> Case:
        return Case("pnnx.Expression", f'expr = "{words}"', inputs, y)

    return [
        Case("F.normalize", "dim = 2 : i32, eps = 0.5 : f32", [X / 9],
             normalized(X / 9, 2, 0.5)),
        Case("F.normalize", "p = 2 : i32", [X], normalized(X, 1)),
        Case("F.normalize", f"dim = {ints((-1,))}, p = 2.0 : f32", [LONG], normalized(LONG, 6)),
        Case("F.normalize", "dim = 0 : i32", [LONG], normalized(LONG, 0)),
        Case("torch.addcmul", "", [a, b, c], a + b * c),
        Case("torch.addcmul", "value = 2.5 : f32", [c, a, b], c + 2.5 * a * b),
        Case("torch.addcmul", "value = -3 : i32", [c, one, b], c - 3 * one * b),
        Case("nn.BatchNorm1d", "eps = 0.5 : f32", [rows], norm(rows, 0.5),
             keys=weights, constants=[scale, mean, var, bias]),
        Case("nn.BatchNorm1d", "", [X[0].swapaxes(0, 1)],
             norm(X[0].swapaxes(0, 1), 1e-5), keys=weights, constants=[scale, mean, var, bias]),
        expression("add(@0,@1)", [a, b], a + b),
        expression("sub(@1,@0)", [a, c], c - a),
        expression("div(@0,@1)", [b, np.abs(c) + 1], b / (np.abs(c) + 1)),
        expression("mul(@0,mul(@0,@1))", [c, b], c * c * b),
        expression("sub(2,@0)", [c], 2 - c),
        expression("sub(@0,2)", [c], c - 2),
        expression("div(1,add(abs(@0),1.5))", [c], 1 / (np.abs(c) + 1.5)),
        expression("atan2(@0,@1)", [c, a], np.arctan2(c, a)),
        expression("max(@0,@1)", [one, c], np.maximum(one, c)),
        expression("min(0.25,@0)", [c], np.minimum(0.25, c)),
        expression("exp(neg(square(@0)))", [LONG], np.exp(-(LONG**2))),
        expression("mul(@0,@1)", [LONG, values(3, 2, 1, 3, seed=12)],
                   LONG * values(3, 2, 1, 3, seed=12)),
    ]  # fmt: skip


@pytest.mark.parametrize("case", [*convolutions(), *movements(), *arithmetic()], ids=name_of)
def test_layers_compute_the_operator(case: Case, runtime: Runtime, tmp_path: Path) -> None:
    param = save(legalized(case.text()), tmp_path / "operator.param")
    inputs = {f"x{i}": x.reshape(-1) for i, x in enumerate(case.inputs)}
    got = runtime.run(param, inputs, [f"y{i}" for i in range(len(case.outputs))])
    assert not isinstance(got, Failure), (got, param.read_text())
    for i, y in enumerate(case.outputs):
        assert isinstance(y, np.ndarray)
        assert np.allclose(got[f"y{i}"], y.reshape(-1), rtol=1e-5, atol=1e-5), i


WEIGHTS = [values(3, seed=n) for n in range(4)]
NORM = ["input", "slope", "mean", "var", "bias"]
IMAGE, KERNEL = values(1, 4, 6, 6), values(8, 4, 3, 3)
CONV = ["input", "weight"]

MISSES: dict[str, Case] = {
    "batch of two": Case("F.conv2d", "", [values(2, 4, 6, 6), KERNEL], (2, 8, 4, 4), keys=CONV),
    "other channels": Case("F.conv2d", "", [IMAGE, KERNEL[:, :2]], (1, 8, 4, 4), keys=CONV),
    "other groups": Case(
        "F.conv2d", "groups = 2 : i32", [IMAGE, KERNEL], (1, 8, 4, 4), keys=CONV
    ),
    "groups in words": Case(
        "F.conv2d", 'groups = "1"', [IMAGE, KERNEL], (1, 8, 4, 4), keys=CONV
    ),
    "padding by reflection": Case(
        "F.conv2d", 'padding_mode = "reflect"', [IMAGE, KERNEL], (1, 8, 4, 4), keys=CONV
    ),
    "padding in words": Case(
        "F.conv2d", 'padding = "valid"', [IMAGE, KERNEL], (1, 8, 4, 4), keys=CONV
    ),
    "other height": Case("F.conv2d", "", [IMAGE, KERNEL], (1, 8, 5, 4), keys=CONV),
    "other width": Case("F.conv2d", "", [IMAGE, KERNEL], (1, 8, 4, 5), keys=CONV),
    "three strides": Case(
        "F.conv2d", f"stride = {ints((1, 1, 1))}", [IMAGE, KERNEL], (1, 8, 4, 4), keys=CONV
    ),
    "bias of other channels": Case(
        "F.conv2d", "", [IMAGE, KERNEL, values(4)], (1, 8, 4, 4), keys=[*CONV, "bias"]
    ),
    "of one dim": Case(
        "F.conv2d", "", [IMAGE[..., 0], KERNEL[..., 0]], (1, 8, 4), keys=CONV
    ),
    "reshape of fewer": Case("Tensor.reshape", "", [X], (6, 19)),
    "permute twice the same": Case("Tensor.permute", f"dims = {ints((0, 0, 2, 3))}", [X], X.shape),
    "permute without the first": Case(
        "Tensor.permute", f"dims = {ints((1, 1, 2, 3))}", [X], (3, 3, 4, 5)
    ),
    "permute of other extents": Case(
        "Tensor.permute", f"dims = {ints((0, 2, 1, 3))}", [X], X.shape
    ),
    "permute of nothing": Case("Tensor.permute", "", [X], X.shape),
    "transpose of no axis": Case("torch.transpose", "dim0 = 0 : i32, dim1 = 4 : i32", [X], X.shape),
    "unbind of fewer": Case("torch.unbind", "dim = 1 : i32", [X], (2, 4, 5), (2, 4, 5)),
    "unbind of other extents": Case("torch.unbind", "", [X], (3, 4, 5), (3, 5, 4)),
    "unbind of no axis": Case("torch.unbind", "dim = 4 : i32", [X], (2, 3, 4, 5)),
    "split of a part": Case("torch.split", "dim = 1 : i32", [X], (2, 1, 4, 5), (2, 1, 4, 5)),
    "split of other extents": Case("torch.split", "dim = 1 : i32", [X], (2, 1, 4, 5), (2, 2, 5, 4)),
    "split of other dims": Case("torch.split", "dim = 1 : i32", [X], (2, 1, 4, 5), (2, 2, 20)),
    "slice of other extents": Case("Tensor.slice", cut((1, 0, 2, 1)), [X], (2, 3, 4, 5)),
    "slice of nothing": Case("Tensor.slice", cut((3, 4, 4, 1)), [X], (2, 3, 4, 1)),
    "slice backwards": Case("Tensor.slice", cut((3, 0, 5, -1)), [X], X.shape),
    "slice by nothing": Case("Tensor.slice", cut((3, 0, 5, 0)), [X], X.shape),
    "slice twice": Case("Tensor.slice", cut((1, 0, 2, 1), (-3, 0, 2, 1)), [X], (2, 2, 4, 5)),
    "slice of no axis": Case("Tensor.slice", cut((4, 0, 1, 1)), [X], X.shape),
    "slice of lists unlike": Case(
        "Tensor.slice", f"dims = {ints((0, 1))}, starts = {ints((0,))}", [X], X.shape
    ),
    "select beyond": Case("Tensor.select", "dim = 1 : i32, index = 3 : i32", [X], (2, 4, 5)),
    "select without index": Case("Tensor.select", "dim = 1 : i32", [X], (2, 4, 5)),
    "select by a list beyond": Case(
        "Tensor.slice", with_selects(cut((1, 0, 1, 1)), -4), [X], (2, 4, 5)
    ),
    "cat of other extents": Case("torch.cat", "dim = 1 : i32", [X, X[:, :, :3]], (2, 6, 4, 5)),
    "cat of more": Case("torch.cat", "dim = 1 : i32", [X, X], (2, 7, 4, 5)),
    "cat of other dims": Case("torch.cat", "dim = 0 : i32", [X, X[0]], (3, 3, 4, 5)),
    "stack of no axis": Case("torch.stack", "dim = 5 : i32", [X, X], (2, 2, 3, 4, 5)),
    "sum of magnitudes": Case("F.normalize", "p = 1.0 : f32", [X], X.shape),
    "over two axes": Case("F.normalize", f"dim = {ints((1, 2))}", [X], X.shape),
    "over no axis": Case("F.normalize", "dim = 4 : i32", [X], X.shape),
    "eps in words": Case("F.normalize", 'eps = "1e-12"', [X], X.shape),
    "normalize of other extents": Case("F.normalize", "", [X], (2, 3, 20)),
    "addcmul of two": Case("torch.addcmul", "", [X, X], X.shape),
    "addcmul in words": Case("torch.addcmul", 'value = "1"', [X, X, X], X.shape),
    "addcmul that does not broadcast": Case("torch.addcmul", "", [X, X[:, :2], X], X.shape),
    "addcmul of other extents": Case("torch.addcmul", "", [X, X, X], (2, 3, 20)),
    "norm of other channels": Case("nn.BatchNorm1d", "", [X[0, 0]], (4, 5),
        keys=NORM, constants=WEIGHTS),
    "norm of a vector": Case("nn.BatchNorm1d", "", [X[0, 0, :3, 0]], (3,),
        keys=NORM, constants=WEIGHTS),
    "norm without bias": Case(
        "nn.BatchNorm1d", "", [values(4, 3)], (4, 3), keys=NORM[:4], constants=WEIGHTS[:3]
    ),
    "no such function": Case("pnnx.Expression", 'expr = "gamma(@0)"', [X], X.shape),
    "no such operand": Case("pnnx.Expression", 'expr = "add(@0,@1)"', [X], X.shape),
    "of too many operands": Case("pnnx.Expression", 'expr = "abs(@0,@0)"', [X], X.shape),
    "of too few operands": Case("pnnx.Expression", 'expr = "add(@0)"', [X], X.shape),
    "more behind it": Case("pnnx.Expression", 'expr = "abs(@0))"', [X], X.shape),
    "cut off": Case("pnnx.Expression", 'expr = "add(@0,1"', [X], X.shape),
    "of infinity": Case("pnnx.Expression", 'expr = "add(@0,1e99)"', [X], X.shape),
    "of other extents": Case("pnnx.Expression", 'expr = "abs(@0)"', [X], (2, 3, 20)),
    "that does not broadcast": Case(
        "pnnx.Expression", 'expr = "add(@0,@1)"', [X, X[:, :2]], X.shape
    ),
}  # fmt: skip
"""Operators that no layers compute, each but for one thing one that they do."""


@pytest.mark.parametrize("miss", MISSES)
def test_other_operators_are_left_alone(miss: str) -> None:
    with pytest.raises(PassFailedException, match="'op' has no form in ncnn's layers"):
        legalized(MISSES[miss].text())
