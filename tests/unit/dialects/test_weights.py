"""The faces of a weight: a slice of a file, values in the IR, made-up values, none at all."""

import os
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import NCNN
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.weights import (
    WEIGHT_BASE,
    ElidedAttr,
    RandomAttr,
    Weight,
    WeightAttr,
    WeightError,
    WeightFile,
    WeightSlice,
    make_weight,
    random_chunks,
    random_weight,
)
from ncnn_opt.formats.weight_storage import BinEncoding, SliceLayout
from ncnn_opt.targets.param.weights import WeightWriter, slot_bytes
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, IntAttr, TensorType, bf16, f16, f32, f64, i8, i32
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

F32, F16, BF16, I8 = "f32", "f16", "bf16", "i8"
ELEMENTS = {F32: f32, F16: f16, BF16: bf16, I8: i8}
VALUES = np.array([[1.5, -2.0, 0.25], [-0.5, 3.0, 64.0]], "f4")  # exact in all of these types
STORED = {
    F32: VALUES.astype("<f4").tobytes(),
    F16: VALUES.astype("<f2").tobytes(),
    BF16: (VALUES.view("<u4") >> 16).astype("<u2").tobytes(),
    I8: VALUES.astype("i1").tobytes(),
}


def tensor(element: str, *shape: int) -> TensorType[Any]:
    return TensorType(ELEMENTS[element], shape)


def from_file(
    path: Path, offset: int, type_: TensorType[Any], layout: SliceLayout = SliceLayout.PLAIN
) -> ConstantOp:
    value = WeightAttr(WeightSlice(WeightFile.open(path), offset, layout))
    return ConstantOp.of(value, type_)


def expected(element: str) -> Any:
    return VALUES.astype("i1") if element == I8 else VALUES


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("offset", [0, 4, 7])
def test_a_slice_of_a_file(element: str, offset: int, tmp_path: Path) -> None:
    path = tmp_path / "w.bin"
    path.write_bytes(bytes(offset) + STORED[element])
    constant = from_file(path, offset, tensor(element, 2, 3))
    constant.verify()
    assert constant.has_values()
    np.testing.assert_array_equal(constant.read(), expected(element))
    assert constant.read().shape == (2, 3)


@pytest.mark.parametrize("element", ELEMENTS)
def test_values_in_the_ir(element: str) -> None:
    type_ = tensor(element, 2, 3)
    constant = ConstantOp.of(make_weight(VALUES, type_), type_)
    constant.verify()
    np.testing.assert_array_equal(constant.read(), expected(element))
    assert constant.value.data.data == STORED[element]  # pyright: ignore


def table_bytes() -> tuple[bytes, Any]:
    """A quantized weight of the old kind, and its values."""
    table = np.linspace(-1, 1, 256, dtype="<f4")
    indices = np.array([0, 255, 128, 7, 7], "u1")
    return b"\1\0\0\0" + table.tobytes() + indices.tobytes(), table[indices]


def test_a_quantization_table(tmp_path: Path) -> None:
    path = tmp_path / "w.bin"
    stored, values = table_bytes()
    path.write_bytes(bytes(8) + stored)
    constant = from_file(path, 8, tensor(F32, 5), SliceLayout.TABLE)
    constant.verify()
    np.testing.assert_array_equal(constant.read(), values)


def test_mapped_values_cannot_be_changed(tmp_path: Path) -> None:
    path = tmp_path / "w.bin"
    path.write_bytes(STORED[F32])
    values = from_file(path, 0, tensor(F32, 2, 3)).read()
    with pytest.raises(ValueError, match="read-only"):
        values[0, 0] = 5.0


def test_a_slice_is_compared_without_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "w.bin"
    path.write_bytes(STORED[F32])
    file = WeightFile.open(path)
    one, same = WeightAttr(WeightSlice(file, 4)), WeightAttr(WeightSlice(file, 4))
    other = WeightAttr(WeightSlice(file, 8))
    path.unlink()
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != WeightAttr(WeightSlice(file, 4, SliceLayout.SCALED))


def rewrite(path: Path) -> None:
    path.write_bytes(STORED[F32][::-1])
    os.utime(path, ns=(1, 1))


def swap(path: Path) -> None:
    (path.parent / "other").write_bytes(STORED[F32])
    (path.parent / "other").replace(path)


def shorten(path: Path) -> None:
    path.write_bytes(STORED[F32][:-1])


def remove(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("change", [rewrite, swap, shorten, remove])
def test_a_file_that_is_not_what_it_was_is_not_read(change: Any, tmp_path: Path) -> None:
    path = tmp_path / "w.bin"
    path.write_bytes(STORED[F32])
    constant = from_file(path, 0, tensor(F32, 2, 3))
    change(path)
    with pytest.raises(WeightError, match=r"w\.bin"):
        constant.read()
    with pytest.raises(WeightError, match=r"w\.bin"):
        WeightWriter(BytesIO()).write_slot(constant, "plain")


def test_values_that_were_left_out() -> None:
    constant = ConstantOp.of(ElidedAttr(), tensor(F32, 2, 3))
    constant.verify()
    assert not constant.has_values()
    with pytest.raises(WeightError):
        constant.read()
    with pytest.raises(WeightError):
        WeightWriter(BytesIO()).write_slot(constant, "plain")


def random(seed: int, stream: int, positive: int = 0) -> RandomAttr:
    return RandomAttr(IntAttr(seed), IntAttr(stream), IntAttr(positive))


def test_random_values_are_the_same_each_time_and_different_elsewhere() -> None:
    type_ = tensor(F32, 10, 300)
    values = random_weight(random(1, 2), type_)
    np.testing.assert_array_equal(values, random_weight(random(1, 2), type_))
    for other in (random(1, 3), random(2, 2), random(2, 1)):
        assert (random_weight(other, type_) != values).mean() > 0.9
    bound = (3 / 300) ** 0.5
    assert 0.9 * bound < np.abs(values).max() <= bound * 1.0001
    assert abs(values.mean()) < 0.1 * bound


def test_random_values_where_only_positive_ones_make_sense() -> None:
    values = random_weight(random(0, 0, positive=1), tensor(F32, 1000))
    assert values.min() >= 0.5
    assert values.max() < 1.5
    assert values.std() > 0.2


@pytest.mark.parametrize("element", ELEMENTS)
def test_random_values_of_each_type(element: str) -> None:
    values = random_weight(random(0, 0), tensor(element, 40, 50))
    assert values.shape == (40, 50)
    assert np.isfinite(values).all()
    assert len(np.unique(values)) > 100
    if element == I8:
        assert (values.min(), values.max()) == (-127, 127)


@pytest.mark.parametrize("element", ELEMENTS)
def test_large_random_weights_are_made_in_pieces(element: str) -> None:
    type_ = tensor(element, 3, 700_001)
    chunks = [chunk.tobytes() for chunk in random_chunks(random(5, 6), type_)]
    assert len(chunks) > 1
    constant = ConstantOp.of(random(5, 6), type_)
    out = BytesIO()
    WeightWriter(out).write_data(constant)
    written = out.getvalue()
    assert written.startswith(b"".join(chunks))
    stored = ConstantOp.of(make_weight(constant.read(), type_), type_)
    again = BytesIO()
    WeightWriter(again).write_data(stored)
    assert again.getvalue() == written


def write_slot(constant: ConstantOp, encoding: BinEncoding, folder: Path) -> bytes:
    """What a weight is in a `.bin`; its size must be known before."""
    with (folder / "out.bin").open("wb") as out:
        writer = WeightWriter(out)
        writer.write_slot(constant, encoding)
        assert writer.offset == slot_bytes(constant, encoding)
    return (folder / "out.bin").read_bytes()


TAGS = {
    F32: b"\0\0\0\0",
    F16: (0x01306B47).to_bytes(4, "little"),
    BF16: (0x01348B83).to_bytes(4, "little"),
    I8: (0x000D4B38).to_bytes(4, "little"),
}


@pytest.mark.parametrize("face", ["file", "dense"])
@pytest.mark.parametrize("element", ELEMENTS)
def test_writing_with_a_tag(element: str, face: str, tmp_path: Path) -> None:
    path, type_ = tmp_path / "w.bin", tensor(element, 3)
    stored = STORED[element][: len(STORED[element]) // 2]
    path.write_bytes(b"\7" + stored)
    dense = ConstantOp.of(make_weight(VALUES[0], type_), type_)
    constant = from_file(path, 1, type_) if face == "file" else dense
    padding = bytes(-len(stored) % 4)
    assert write_slot(constant, "tagged", tmp_path) == TAGS[element] + stored + padding


@pytest.mark.parametrize("element", [F32, F16, BF16])
def test_writing_without_a_tag_is_float32(element: str, tmp_path: Path) -> None:
    path = tmp_path / "w.bin"
    path.write_bytes(STORED[element])
    constant = from_file(path, 0, tensor(element, 2, 3))
    assert write_slot(constant, "plain", tmp_path) == STORED[F32]


@pytest.mark.parametrize("layout", [SliceLayout.TABLE, SliceLayout.SCALED])
@pytest.mark.parametrize("encoding", ["plain", "tagged"])
def test_writing_other_storage(layout: SliceLayout, encoding: BinEncoding, tmp_path: Path) -> None:
    path = tmp_path / "w.bin"
    stored, values = table_bytes()
    if layout is SliceLayout.SCALED:
        stored = values.tobytes()
    path.write_bytes(stored)
    constant = from_file(path, 0, tensor(F32, 5), layout)
    if encoding == "plain":
        tag, stored = b"", values.tobytes()
    else:
        tag = b"" if layout is SliceLayout.TABLE else (0x0002C056).to_bytes(4, "little")
    assert write_slot(constant, encoding, tmp_path) == tag + stored + bytes(-len(stored) % 4)


def test_int8_values_need_a_tag(tmp_path: Path) -> None:
    constant = ConstantOp.of(make_weight(VALUES, tensor(I8, 2, 3)), tensor(I8, 2, 3))
    with pytest.raises(WeightError):
        write_slot(constant, "plain", tmp_path)


def test_padding_of_a_file_is_copied(tmp_path: Path) -> None:
    path = tmp_path / "w.bin"
    path.write_bytes(STORED[I8][:3] + b"\x55rest")
    constant = from_file(path, 0, tensor(I8, 3))
    assert write_slot(constant, "tagged", tmp_path) == TAGS[I8] + STORED[I8][:3] + b"\x55"
    path.write_bytes(STORED[I8][:3])  # and made up where the file ends
    constant = from_file(path, 0, tensor(I8, 3))
    assert write_slot(constant, "tagged", tmp_path) == TAGS[I8] + STORED[I8][:3] + b"\0"


def test_a_value_must_fit_its_type(tmp_path: Path) -> None:
    path = tmp_path / "w.bin"
    path.write_bytes(bytes(16))
    file = WeightFile.open(path)
    whole = WeightAttr(WeightSlice(file, 0))
    rest = WeightAttr(WeightSlice(file, 12))
    table = WeightAttr(WeightSlice(file, 0, SliceLayout.TABLE))
    scaled = WeightAttr(WeightSlice(file, 0, SliceLayout.SCALED))
    good: list[tuple[Weight, TensorType[Any]]] = [
        (whole, tensor(F32, 4)),
        (whole, tensor(F16, 8)),
        (rest, tensor(F32, 1)),
        (scaled, tensor(F32, 4)),
        (whole, TensorType(i32, [4])),
    ]
    bad: list[tuple[Weight, TensorType[Any]]] = [
        (whole, tensor(F32, 5)),
        (rest, tensor(F32, 2)),
        (whole, tensor(F32, -1)),
        (whole, TensorType(f64, [1])),
        (table, tensor(F32, 4)),
        (scaled, tensor(F16, 4)),
        (make_weight(VALUES, tensor(F32, 2, 3)), tensor(F32, 3, 2)),
        (make_weight(VALUES, tensor(F32, 2, 3)), tensor(I8, 2, 3)),
    ]
    for value, type_ in good:
        ConstantOp.of(value, type_).verify()
    for value, type_ in bad:
        with pytest.raises(VerifyException):
            ConstantOp.of(value, type_).verify()


def printed(constant: ConstantOp, base: Path) -> str:
    out = StringIO()
    token = WEIGHT_BASE.set(str(base))
    try:
        Printer(stream=out).print_op(constant)
    finally:
        WEIGHT_BASE.reset(token)
    return out.getvalue()


def parsed(text: str, path: Path) -> ConstantOp:
    """The constant in this text, as if it stood in the file."""
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(NCNN)
    path.write_text(text)
    op = Parser(context, text, str(path)).parse_op()
    assert isinstance(op, ConstantOp)
    return op


def assert_printing_keeps(constant: ConstantOp, folder: Path) -> str:
    text = printed(constant, folder)
    again = parsed(text, folder / "model.mlir")
    assert again.output.type == constant.output.type
    assert printed(again, folder) == text
    one, other = write_slot(constant, "tagged", folder), write_slot(again, "tagged", folder)
    assert one == other
    return text


@pytest.mark.parametrize("name", ["w.bin", "two words.bin", "Größe.bin", "back\\slash.bin"])
def test_references_are_relative_to_the_file_they_stand_in(name: str, tmp_path: Path) -> None:
    path = tmp_path / "weights" / name
    path.parent.mkdir()
    path.write_bytes(bytes(range(200)))
    constant = from_file(path, 100, tensor(F32, 25))
    text = assert_printing_keeps(constant, tmp_path)
    assert "weights/" in text
    assert str(tmp_path) not in text


@pytest.mark.parametrize("layout", SliceLayout)
@pytest.mark.parametrize("count", [5, 20])
def test_printing_keeps_the_storage(layout: SliceLayout, count: int, tmp_path: Path) -> None:
    path = tmp_path / "w.bin"
    path.write_bytes(np.arange(400, dtype="<f4").tobytes())
    assert_printing_keeps(from_file(path, 8, tensor(F32, count), layout), tmp_path)


SPECIAL = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, 3.4028235e38], "f4")


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("shape", [(1,), (3,), (2, 3), (17,), (2, 2, 2, 2), (0,)], ids=str)
def test_printing_keeps_values(element: str, shape: tuple[int, ...], tmp_path: Path) -> None:
    values = np.random.default_rng(0).integers(-100, 100, shape).astype("f4")
    type_ = tensor(element, *shape)
    assert_printing_keeps(ConstantOp.of(make_weight(values, type_), type_), tmp_path)


@pytest.mark.parametrize(
    "values",
    [SPECIAL[i : i + 1] for i in range(8)]
    + [SPECIAL[4:], SPECIAL[:2], SPECIAL[4:6], SPECIAL[5:6].repeat(4), SPECIAL[:1].repeat(3)],
    ids=str,
)
def test_printing_keeps_every_bit(values: Any, tmp_path: Path) -> None:
    type_ = tensor(F32, *values.shape)
    assert_printing_keeps(ConstantOp.of(make_weight(values, type_), type_), tmp_path)


@pytest.mark.parametrize(
    "value", [ElidedAttr(), random(3, 4), random(0, 0, positive=1)], ids=lambda value: value.name
)
def test_printing_keeps_what_has_no_values(value: Weight, tmp_path: Path) -> None:
    constant = ConstantOp.of(value, tensor(F32, 20))
    again = parsed(printed(constant, tmp_path), tmp_path / "model.mlir")
    assert again.value == value
