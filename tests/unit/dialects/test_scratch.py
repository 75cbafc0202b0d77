"""Weights that passes make, in a file instead of in memory."""

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.weight_file import Scratch, scratch_file
from ncnn_opt.dialects.ncnn.weights import WeightAttr, make_weight, read_weight
from ncnn_opt.driver.model_files import write_model
from ncnn_opt.targets import Output
from ncnn_opt.targets.mlir.ir_printer import print_module
from ncnn_opt.targets.options import MlirOptions
from xdsl.dialects.builtin import ModuleOp, TensorType, f16, f32

LARGE = Scratch.LEAST // 4
"""So many float32 are as many bytes as go to the file."""


def numbers(count: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(count).astype("f4")


def test_only_large_weights_go_there() -> None:
    small, large = numbers(LARGE - 1), numbers(LARGE)
    assert not isinstance(make_weight(large, TensorType(f32, [LARGE])), WeightAttr)
    with scratch_file():
        kept = make_weight(small, TensorType(f32, [LARGE - 1]))
        moved = make_weight(large, TensorType(f32, [LARGE]))
    assert not isinstance(kept, WeightAttr)
    assert isinstance(moved, WeightAttr)
    assert read_weight(kept, TensorType(f32, [LARGE - 1])).tobytes() == small.tobytes()
    assert read_weight(moved, TensorType(f32, [LARGE])).tobytes() == large.tobytes()


@pytest.mark.parametrize("element", [f32, f16])
def test_many_weights_of_any_form(element: Any) -> None:
    shapes = [(2, LARGE + 1), (LARGE // 2 + 3, 4), (3 * LARGE,)]
    values = [numbers(int(np.prod(shape)), i).reshape(shape) for i, shape in enumerate(shapes)]
    values[0] = np.asfortranarray(values[0])
    with scratch_file():
        made = [make_weight(v, TensorType(element, v.shape)) for v in values]
    for value, weight in zip(values, made, strict=True):
        assert isinstance(weight, WeightAttr)
        again = read_weight(weight, TensorType(element, value.shape))
        assert again.shape == value.shape
        assert np.array_equal(again, value.astype(again.dtype))


def test_equal_weights_are_one() -> None:
    type_ = TensorType(f32, [LARGE])
    one, other = numbers(LARGE), numbers(LARGE)
    other[LARGE // 2] += 1  # both ends are the same
    with scratch_file():
        first, second, third = (make_weight(v, type_) for v in (one, other, one.copy()))
    assert first == third
    assert first != second
    assert read_weight(second, type_).tobytes() == other.tobytes()


def test_without_room_they_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    values, type_ = numbers(LARGE), TensorType(f32, [LARGE])
    monkeypatch.setattr(os, "pwrite", full)
    with scratch_file():
        weight = make_weight(values, type_)
    assert not isinstance(weight, WeightAttr)
    assert read_weight(weight, type_).tobytes() == values.tobytes()


def module_of(values: Any) -> ModuleOp:
    type_ = TensorType(f32, values.shape)
    with scratch_file():
        return ModuleOp([ConstantOp.of(make_weight(values, type_), type_)])


def test_they_are_printed_as_values() -> None:
    values = numbers(LARGE)
    text = print_module(module_of(values), MlirOptions())
    assert f'dense<"0x{values.tobytes().hex().upper()}"> : tensor<{LARGE}xf32>' in text


def test_they_move_to_the_weights_of_ir(tmp_path: Path) -> None:
    values, path = numbers(LARGE), str(tmp_path / "m.mlir")
    write_model(module_of(values), Output(path))
    assert (tmp_path / "m.bin").read_bytes() == values.tobytes()
    assert f'#ncnn.weight<"m.bin", 0> : tensor<{LARGE}xf32>' in (tmp_path / "m.mlir").read_text()
