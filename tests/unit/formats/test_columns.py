"""Text on a terminal."""

import pytest
from ncnn_opt.formats.columns import (
    aligned,
    columns_of,
    left_aligned,
    printable,
    right_aligned,
    truncated_suffix,
)


@pytest.mark.parametrize(
    ("text", "columns"),
    [("conv1", 5), ("卷积1", 5), ("가나", 4), ("é", 1), ("e\u0301", 1), ("ﾊﾛ", 2), ("a\u200bb", 2)],
)
def test_columns(text: str, columns: int) -> None:
    assert columns_of(text) == columns
    assert left_aligned(text, 8) == text + " " * (8 - columns)
    assert right_aligned(text, 8) == " " * (8 - columns) + text


def test_wide_characters_are_not_cut_in_two() -> None:
    assert truncated_suffix("卷积层", 5) == "积层"


def test_names_do_not_move_the_cursor() -> None:
    assert printable("a\x1b[2Jb\x07\u202ec\x9b") == r"a\x1b[2Jb\x07\u202ec\x9b"
    assert printable("line\nline é 卷") == "line\nline é 卷"


def test_a_table() -> None:
    rows = [("layer", "kind", "ms"), ("卷积", "int8", "12.5"), ("fc", "", "1")]
    assert aligned(rows, 2) == ["layer  kind    ms", "卷积   int8  12.5", "fc              1"]
    assert aligned([("a", "b"), ("long", "")], 2) == ["a     b", "long"]
