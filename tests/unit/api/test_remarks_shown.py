"""The remarks of `optimize` in a session and in a notebook."""

from pathlib import Path

from ncnn_opt.driver.api_pipelines import Remarks
from ncnn_opt.transforms.rewriting.remarks import Remark

import ncnn_opt

NET = """7767517
4 4
Input x 0 1 x 0=3
Dropout one 1 1 x a
Dropout two 1 1 a b
ReLU r 1 1 b y
"""


def test_remarks_are_a_short_table(tmp_path: Path) -> None:
    (tmp_path / "m.param").write_text(NET)
    (tmp_path / "m.bin").touch()
    model = ncnn_opt.load(str(tmp_path / "m.param"))
    remarks = model.optimize(["eliminate-dropout"])
    assert isinstance(remarks, list)
    assert remarks == model.remarks
    heading, heads, *rows = repr(remarks).splitlines()
    assert (heading, heads.split()) == ("2 remarks", ["rewrite", "layers", "note"])
    assert [row.split() for row in rows] == [
        ["eliminate-dropout", "Dropout", f"'{name}'"] for name in ("one", "two")
    ]
    html = getattr(remarks, "_repr_html_")()
    assert "<b>2 remarks</b>" in html
    assert "<td>eliminate-dropout</td>" in html
    assert str(remarks).splitlines() == [str(remark) for remark in remarks]
    assert repr(model.optimize(["eliminate-dropout"])) == "0 remarks"


def test_many_remarks_are_cut() -> None:
    many = Remarks(Remark("fuse", (f"ReLU 'r{i}'",)) for i in range(13))
    assert repr(many).splitlines()[-1] == "and 3 more: see print()"
    assert len(str(many).splitlines()) == 13
