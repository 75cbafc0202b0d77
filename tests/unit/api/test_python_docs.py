"""The code in docs/python.md runs, and prints what stands below it."""

import io
import re
import shutil
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)


def blocks() -> list[tuple[str, str]]:
    """The pieces of code, each with its output."""
    text = (ROOT / "docs" / "python.md").read_text()
    return [(code, output) for code, output in BLOCK.findall(text)]


def test_the_code_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    assert len(blocks()) >= 4
    for code, output in blocks():
        with redirect_stdout(io.StringIO()) as out:
            exec(code, names)
        assert out.getvalue() == output, code
    assert (tmp_path / "fast.param").exists()


def test_the_page_names_what_the_package_has() -> None:
    import ncnn_opt

    text = (ROOT / "docs" / "python.md").read_text()
    assert all(name in text for name in ncnn_opt.__all__ if name not in ("Blob", "Layer"))
    for attribute in set(re.findall(r"`model\.(\w+)", text)):
        assert hasattr(ncnn_opt.Model, attribute) or attribute in (
            ncnn_opt.Model.__dataclass_fields__
        )
