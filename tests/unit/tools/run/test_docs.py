"""The code in docs/run.md runs, and prints what stands below it."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[4]


def test_the_code_prints_what_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "run.md").read_text()
    ((code, output),) = re.findall(r"^```python\n(.*?)^```\n\n```\n(.*?)^```\n", text, re.S | re.M)
    with redirect_stdout(io.StringIO()) as out:
        exec(code, {})
    assert out.getvalue() == output
