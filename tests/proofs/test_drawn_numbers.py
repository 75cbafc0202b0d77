"""The random numbers of proofs: the ranges that docstrings state, and the shapes of the inputs."""

from random import Random

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.dialects.ncnn.normalization import BatchNormOp
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.proofs.array import NotExact
from ncnn_opt.proofs.comparison import ROUNDING, float_error, relative_error, wide_error
from ncnn_opt.proofs.field import PRIME
from ncnn_opt.proofs.numbers import RandomElements
from ncnn_opt.proofs.random_instances import (
    changed_shapes,
    input_shapes,
    random_exact,
    replace_weights,
    with_ones,
)
from ncnn_opt.proofs.scaled_extents import candidates, element_count
from xdsl.dialects.builtin import ModuleOp

from .instances import context
from .test_proofs import module_of


def test_numbers_are_in_an_open_interval() -> None:
    """With 2 binary digits behind the point, each number of the interval is drawn."""
    values = random_exact((200,), Random(0), bits=2).values
    assert {*values} == {-0.5, 0.0, 0.5}
    values = random_exact((200,), Random(0), positive=True, bits=2).values
    assert {*values} == {0.75, 1.0, 1.25}
    values = random_exact((200,), Random(0), bits=2, factor=4).values
    assert {*values} == {-2.0, 0.0, 2.0}


def test_numbers_by_key_are_in_their_intervals() -> None:
    draws = RandomElements(3)
    found = [draws.number("n", i) for i in range(200)]
    values = [each.value for each in found]
    assert -1 < min(values) < -0.9
    assert 0.9 < max(values) < 1
    for each in found:
        assert each.residue * (1 << 40) % PRIME == int(each.value * (1 << 40)) % PRIME
    values = [draws.positive("p", i).value for i in range(200)]
    assert 0.5 < min(values) < 0.55
    assert 1.45 < max(values) < 1.5
    flags = [draws.flag("f", i) for i in range(200)]
    assert {each.value for each in flags} == {0, 1}
    assert len({each.residue for each in flags}) == 200
    assert draws.flag("f", 7) == flags[7]


def test_too_many_numbers_are_refused() -> None:
    assert random_exact((64, 64), Random(0)).size == 4096
    with pytest.raises(NotExact, match="4,097 elements"):
        random_exact((4097,), Random(0))


def weights(module: ModuleOp, scale: int | None = None) -> dict[str, np.ndarray]:
    """The weights of a BatchNorm, replaced by random ones."""
    if scale is None:
        replace_weights(module, Random(1), True)
    else:
        replace_weights(module, Random(1), True, scale)
    (op,) = [op for op in module.walk() if isinstance(op, BatchNormOp)]
    return {
        name: value.owner.read().values
        for name, value in op.weight_operands().items()
        if value is not None and isinstance(value.owner, ConstantOp)
    }


def test_variances_are_positive_and_other_weights_have_both_signs() -> None:
    names = ("slope", "mean", "var", "bias")
    numbers = [f"dense<{i + 1}.5> : tensor<32xf32>" for i in range(4)]
    constants = [f"%{n} = ncnn.constant {data}" for n, data in zip(names, numbers, strict=True)]
    types = ", ".join(["T", *["tensor<32xf32>"] * 4])
    layer = (
        '%y = ncnn.batchnorm %x slope %slope mean %mean var %var bias %bias {name = "y"} '
        f": ({types}) -> T"
    )
    module = module_of(*constants, layer, shape="32x1x1")
    for scale in (None, 4):
        found = weights(module.clone(), scale)
        assert len(found) == 4
        for name, values in found.items():
            values = values / (scale or 1)
            if "var" in name:
                assert 0.5 < values.min() < 0.7
                assert 1.3 < values.max() < 1.5
            else:
                assert -1 < values.min() < -0.6
                assert 0.6 < values.max() < 1


def model(*types: str) -> ModuleOp:
    """A function that returns its first input."""
    args = ", ".join(f"%x{i}: tensor<{type_}xf32>" for i, type_ in enumerate(types))
    text = f"""func.func @main({args}) -> tensor<{types[0]}xf32> {{
      %y = ncnn.noop %x0 {{name = "y"}} : (tensor<{types[0]}xf32>) -> tensor<{types[0]}xf32>
      func.return %y : tensor<{types[0]}xf32>
    }}"""
    return parse_ir(context(), text.encode(), "it.mlir")


def test_static_extents_of_inputs_stay() -> None:
    found = list(input_shapes(model_of(model("2x?x7")), Random(0)))
    assert len(found) == 60
    assert {(each[0][0], each[0][2]) for each in found} == {(2, 7)}
    assert {min(6, each[0][1]) for each in found} == {1, 2, 3, 4, 5, 6}
    assert max(each[0][1] for each in found) > 6


def test_inputs_of_unknown_shape_have_few_channels() -> None:
    found = [shape for (shape,) in input_shapes(model_of(model("*")), Random(0))]
    assert {len(shape) for shape in found} == {1, 2, 3, 4}
    assert {shape[0] for shape in found} == {1, 2, 3, 4, 5, 6}
    assert max(n for shape in found for n in shape) == 15
    found = [shape for (shape,) in input_shapes(model_of(model("*")), Random(0), rank=2)]
    assert {len(shape) for shape in found} == {2}


def test_changes_of_an_extent() -> None:
    """One more, 1, twice, 3, and a small number."""
    lasts: set[int] = set()
    for seed in range(40):
        found = [shape[0][0] for shape in changed_shapes([(9,)], [(0, 0)], Random(seed))]
        assert found[:4] == [10, 1, 18, 3]
        lasts |= {*found[4:]}
    assert lasts == {2, 4, 5, 6}  # 3 has been
    given = [shape[0] for shape in changed_shapes([(9, 2)], [(0, 0), (0, 1)], Random(0), [7])]
    assert given == [(7, 2), (7, 7), (9, 7)]


def test_shapes_of_one_extent_come_before_shapes_of_ones() -> None:
    found = list(with_ones([7, 5]))
    assert found[:6] == [(7, 1, 1), (1, 7, 1), (1, 1, 7), (7, 1), (1, 7), (7,)]
    assert (1, 5, 1, 1) in found
    assert found[-4:] == [(1, 1, 1), (1, 1), (1,), (1, 1, 1, 1)]


def test_large_extents_are_tried_last() -> None:
    counts = [element_count(each) for each in candidates([(4096, 32, 32)])]
    assert counts[0] <= 1 << 15 < counts[-1]
    assert [n > 1 << 15 for n in counts] == sorted(n > 1 << 15 for n in counts)


def test_errors_are_relative() -> None:
    """To the largest number, to each number, and for float32 to something between."""
    a, small, large = (np.array([1e5, each]) for each in (1.0, 1.5, 2.0))
    assert relative_error(a, small) == pytest.approx(5e-6)
    assert wide_error(a, large) == pytest.approx(1e-2 * 1 / 2.1)
    assert float_error(a, small) < ROUNDING
    assert float_error(a, a * (1 + 1e-3)) == pytest.approx(1e-4, rel=0.02)
    assert float_error(a, a * 1.5) > ROUNDING
    nothing = np.array([np.nan, np.inf])
    assert relative_error(nothing, nothing) == wide_error(nothing, nothing) == 0
    assert relative_error(a, np.array([np.nan, 1.0])) == np.inf
