"""The notebooks of examples/ run, and give what stands in them."""

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[3] / "examples"
NOTEBOOKS = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))


def said(cell: Any) -> str:
    """What a cell has printed, and the value of its last line."""
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs]
    text = "".join(texts)
    if "measured" not in cell.metadata.get("tags", ()):
        return text
    return " ".join(sorted(re.findall(r"[a-z_]\w*", text, re.I)))  # figures depend on the processor


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat: Any = pytest.importorskip("nbformat")
    nbclient: Any = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    folder = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    notebook = nbformat.read(path, as_version=4)
    kept = [said(cell) for cell in notebook.cells if cell.cell_type == "code"]
    assert len([text for text in kept if text]) > 3
    where = {"metadata": {"path": str(tmp_path / "examples/notebooks")}}
    nbclient.NotebookClient(notebook, resources=where, timeout=120).execute()
    assert [said(cell) for cell in notebook.cells if cell.cell_type == "code"] == kept


def test_there_are_two() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["optimize_and_look", "write_a_fusion"]
