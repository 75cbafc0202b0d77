"""The table of PNNX's operators in docs/pnnx.md is the one of the declarations."""

from pathlib import Path
from runpy import run_path

ROOT = Path(__file__).parents[3]


def test_the_table_is_up_to_date() -> None:
    page = (ROOT / "docs/pnnx.md").read_text()
    making = run_path(str(ROOT / "docs/making/pnnx_operators.py"))
    assert making["BEGIN"] in page
    assert making["END"] in page
    assert making["replaced"](page) == page
    assert "`torch.topk`" in page
