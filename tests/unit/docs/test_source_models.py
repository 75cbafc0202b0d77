"""The code in docs/export.md and docs/troubleshooting.md runs, and prints what stands below it.
Needs PyTorch and PNNX."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

DOCS = Path(__file__).parents[3] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", ["export.md", "troubleshooting.md"])
def test_the_code_prints_what_the_page_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch", reason="needs PyTorch (the extra export)")
    pytest.importorskip("pnnx", reason="needs PNNX (the extra export)")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    blocks = BLOCK.findall((DOCS / page).read_text())
    assert len(blocks) > 1
    for code, output in blocks:
        with redirect_stdout(io.StringIO()) as out:
            exec(code, names)
        assert out.getvalue() == output, code
