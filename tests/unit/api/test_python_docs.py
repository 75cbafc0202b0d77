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


@pytest.mark.parametrize("index", range(len(blocks())))
def test_each_piece_runs_by_itself(
    index: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, output = blocks()[index]
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    with redirect_stdout(io.StringIO()) as out:
        exec(code, names)
    assert out.getvalue() == output, code
    assert "save(" not in code or [*tmp_path.glob("*.param")]


def test_the_page_has_code() -> None:
    assert len(blocks()) >= 8


def test_the_page_names_what_the_package_has() -> None:
    import ncnn_opt

    text = (ROOT / "docs" / "python.md").read_text()
    assert all(name in text for name in ncnn_opt.__all__ if name not in ("Blob", "Layer"))
    for attribute in set(re.findall(r"`model\.(\w+)", text)):
        assert hasattr(ncnn_opt.Model, attribute) or attribute in (
            ncnn_opt.Model.__dataclass_fields__
        )
