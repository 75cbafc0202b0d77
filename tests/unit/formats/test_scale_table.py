"""Tables of int8 scales, as ncnn's tools read and write them."""

import struct
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.scale_table import ScaleTable, read_scale_table, write_scale_table

OF_NCNN = b"""conv1_param_0 254.000000 inf 0.500000 \r
a_param_1 3.000000 \r

conv1 31.750000 \r
"""


def test_what_ncnn2table_writes() -> None:
    table = read_scale_table(OF_NCNN, "t")
    assert table.weights == {("conv1", 0): (254.0, float("inf"), 0.5), ("a", 1): (3.0,)}
    assert table.blobs == {"conv1": (31.75,)}
    assert table.layers() == ["conv1", "a"]
    assert table.lines == {"conv1": 1, "a": 2}


def test_numbers_stay_the_same() -> None:
    rng = np.random.default_rng(0)
    bits = rng.integers(1, 0x7F800000, 2000, dtype=np.uint32)
    scales = tuple(float(x) for x in bits.view(np.float32))
    table = ScaleTable({("x", 0): scales}, {"x": (1e-45,)})
    again = read_scale_table(write_scale_table(table), "t")
    assert struct.pack("<2000f", *again.weights["x", 0]) == struct.pack("<2000f", *scales)
    assert np.float32(again.blobs["x"][0]) == np.float32(1e-45)


def test_a_table_is_saved_as_it_is_written(tmp_path: Path) -> None:
    table = read_scale_table(OF_NCNN, "t")
    table.save(tmp_path / "t")
    assert (tmp_path / "t").read_bytes() == write_scale_table(table)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "t: the table has no scales"),
        (b"x 1\nx 2\n", "t:2: 'x' appears twice"),
        (b"x_param_0 1\nx_param_0 2\n", "t:2: 'x_param_0' appears twice"),
        (b"x 1\nconv\n", "t:2: 'conv' has no scales"),
        (b"x one\n", "t:1: 'one' is not a scale"),
        (b"x 1 nan\n", "t:1: a scale must be a positive number, not nan"),
        (b"x -1\n", "t:1: a scale must be a positive number, not -1"),
        (b"x 1\n\xff\xfe 2\n", "t:2: this is not a table: not UTF-8"),
    ],
)
def test_what_is_no_table(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as raised:
        read_scale_table(data, "t")
    assert str(raised.value) == message
