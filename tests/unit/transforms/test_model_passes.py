"""`convert-storage`, `cut-model` and `keep-blobs` below the level of files: what is read, and how
the passes are spelt."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.weights import WeightAttr, WeightFile
from ncnn_opt.transforms.extraction.cut_model import CutModel
from ncnn_opt.transforms.extraction.keep_blob import KeepBlob
from ncnn_opt.transforms.storage import element_types as storage
from ncnn_opt.transforms.storage.convert_storage import ConvertStorage
from ncnn_opt.transforms.storage.element_types import to_float16
from xdsl.context import Context
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_spec

import ncnn_opt

EXAMPLE = Path(__file__).parents[3] / "examples" / "small_cnn.param"


@pytest.fixture
def model() -> ncnn_opt.Model:
    return ncnn_opt.load(EXAMPLE)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[int, int]]]:
    """The places in files that are read."""
    places: list[tuple[int, int]] = []
    read = WeightFile.map

    def spy(self: WeightFile, offset: int, nbytes: int) -> object:
        places.append((offset, nbytes))
        return read(self, offset, nbytes)

    with monkeypatch.context() as patch:
        patch.setattr(WeightFile, "map", spy)
        yield places


def constants_of(model: ncnn_opt.Model) -> list[ConstantOp]:
    return [op for op in model.module.walk() if isinstance(op, ConstantOp)]


def test_only_what_is_converted_is_read(
    model: ncnn_opt.Model, reads: list[tuple[int, int]], tmp_path: Path
) -> None:
    ncnn_opt.optimize(model, ["convert-storage{storage=fp16}"])
    converted = [c for c in constants_of(model) if not isinstance(c.value, WeightAttr)]
    assert len(converted) == 6
    assert len(reads) == 6  # each once
    assert all("xf16>" in str(c.output.type) for c in converted)
    assert len(constants_of(model)) > 20
    reads.clear()
    ncnn_opt.save(model, tmp_path / "half.param")
    half = ncnn_opt.load(tmp_path / "half.param")
    ncnn_opt.optimize(half, ["convert-storage{storage=fp16}"])
    ncnn_opt.optimize(half, ["convert-storage{storage=keep}"])
    ncnn_opt.optimize(half, ["cut-model{from=conv3 to=bn3}", "keep-blobs{names=conv3}"])
    assert not reads


@pytest.mark.parametrize("chunk", [1, 7, 1 << 20])
def test_pieces_make_no_difference(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "_CHUNK", chunk)
    values = np.random.default_rng(0).standard_normal((3, 5, 7)).astype("f4")
    values[1, 2, 3], values[2, 4, 6] = 1e-9, np.inf
    half = to_float16(values)
    assert half.values is not None
    assert half.values.dtype == np.float16
    np.testing.assert_array_equal(half.values, values.astype("f2"))
    assert half.note == "1 value of 105 became 0"
    values[0, 0, 0], values[2, 0, 0] = 7e4, -1e5
    assert to_float16(values).values is None
    assert to_float16(values).note == "2 values of up to 1e+05 would become infinite"


@pytest.mark.parametrize(
    ("largest", "fits"), [(2.0**-14, True), (2.0**-14 * (1 - 2.0**-12), False), (0.0, True)]
)
def test_the_smallest_weights_that_are_converted(largest: float, fits: bool) -> None:
    values = np.array([largest, -largest / 3, largest / 1000, 0], "f4")
    half = to_float16(values)
    assert (half.values is not None) == fits
    if half.values is not None:
        assert np.abs(half.values - values).max() <= largest / 2048


def test_no_values_at_all() -> None:
    half = to_float16(np.zeros((0, 3), "f4"))
    assert half.values is not None
    assert half.values.shape == (0, 3)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("convert-storage{storage=fp16}", ConvertStorage("fp16")),
        ("cut-model{from=a}", CutModel(start="a")),
        ("cut-model{to=12}", CutModel(end="12")),
        ('cut-model{from="a/b, c" to=true}', CutModel("a/b, c", "true")),
        ("keep-blobs{names=a,12}", KeepBlob(("a", "12"))),
    ],
)
def test_a_pass_and_its_text(text: str, wanted: ModulePass) -> None:
    read = type(wanted).from_spec(parse_spec(text))
    assert read == wanted
    assert type(wanted).from_spec(parse_spec(str(read.spec()))) == wanted


def test_a_cut_without_bounds_is_none(model: ncnn_opt.Model) -> None:
    before = str(model)
    CutModel().apply(Context(), model.module)
    assert str(model) == before
