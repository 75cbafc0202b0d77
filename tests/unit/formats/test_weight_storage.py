"""The enumeration of storages against the tags of ncnn's src/modelbin.cpp, and its derived
tables."""

from typing import get_args

import pytest
from ncnn_opt.analysis.target_info.releases import releases
from ncnn_opt.dialects.ncnn.conversion import CAST_WORDS
from ncnn_opt.dialects.ncnn.weights import ELEMENT_TYPES, dtype_of, storage_of
from ncnn_opt.formats.weight_storage import (
    STORAGE_OPTIONS,
    BinEncoding,
    SliceLayout,
    StorageOption,
    WeightStorage,
)
from ncnn_opt.quantization.recipe import FloatStorage
from xdsl.dialects.builtin import IntegerType, Signedness, f64, i32

TAGS = {
    0x00000000: ("FLOAT32", 4),
    0x0002C056: ("SCALED", 4),
    0x01306B47: ("FLOAT16", 2),
    0x01348B83: ("BFLOAT16", 2),
    0x000D4B38: ("INT8", 1),
    0x00000001: ("TABLE", 1),
    0xFFFFFFFF: ("TABLE", 1),
}


@pytest.mark.parametrize("tag", TAGS)
def test_tags(tag: int) -> None:
    storage = WeightStorage.of_tag(tag)
    name, nbytes = TAGS[tag]
    assert storage.name == name
    head = 4 + 256 * 4 if name == "TABLE" else 0
    assert storage.data_bytes(0) == head
    assert storage.data_bytes(7) == head + 7 * nbytes
    assert storage.tag_bytes == (b"" if name == "TABLE" else tag.to_bytes(4, "little"))


@pytest.mark.parametrize("storage", WeightStorage)
def test_each_storage_has_one_row(storage: WeightStorage) -> None:
    assert WeightStorage.of_element(storage.element, storage.layout) is storage
    assert storage_of(ELEMENT_TYPES[storage], storage.layout) is storage
    if storage is not WeightStorage.TABLE:
        assert dtype_of(ELEMENT_TYPES[storage]) == storage.dtype
        assert int(storage.dtype[-1]) == storage.element_bytes
    assert storage.since is None or storage.since in releases()


@pytest.mark.parametrize("storage", WeightStorage)
@pytest.mark.parametrize("encoding", get_args(BinEncoding))
def test_encodings(storage: WeightStorage, encoding: BinEncoding) -> None:
    readable = {"plain": ["FLOAT32", "SCALED"], "packed": ["INT8"]}.get(encoding)
    assert storage.fits(encoding) == (readable is None or storage.name in readable)


def test_elements_that_no_file_stores() -> None:
    assert storage_of(f64) is None
    assert storage_of(i32) is None
    assert dtype_of(i32) == "<i4"
    unsigned = IntegerType(8, Signedness.UNSIGNED)
    assert storage_of(unsigned) is WeightStorage.INT8
    for layout in (SliceLayout.SCALED, SliceLayout.TABLE):
        assert storage_of(unsigned, layout) is None


def test_options() -> None:
    assert STORAGE_OPTIONS == get_args(StorageOption)
    assert {*get_args(FloatStorage)} <= {*STORAGE_OPTIONS, "keep"}
    assert WeightStorage.of_option("bf16") is WeightStorage.BFLOAT16
    assert WeightStorage.of_option("keep") is None


def test_words_of_a_cast() -> None:
    assert CAST_WORDS == ("auto", "float32", "float16", "int8", "bfloat16")
