"""The links of the documentation, and what checks them on its site (`make docs`)."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
CHECK = ROOT / "docs/making/check_links.py"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/*.md"))]


def checked(site: Path) -> tuple[int, list[str]]:
    command = [sys.executable, str(CHECK), str(site)]
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode, result.stdout.splitlines()


def test_links(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "index.html").write_text(
        '<h2 id="here">x</h2><a href="#here">x</a><a href="more/">x</a><a href="https://a.b/c">x</a>'
        '<a href="more/page.html#there">x</a><img src="data:,">'
    )
    (tmp_path / "more/index.html").write_text('<a href="../index.html#here">x</a>')
    (tmp_path / "more/page.html").write_text('<p id="there">x</p>')
    assert checked(tmp_path) == (0, ["all links lead somewhere"])
    (tmp_path / "more/index.html").write_text(
        '<a href="gone.html">x</a><a href="page.html#gone">x</a><script src="https://a.b/c.js"></script>'
    )
    assert checked(tmp_path) == (
        1,
        [
            "more/index.html: there is no gone.html",
            "more/index.html: page.html#gone names no place there",
            "more/index.html: https://a.b/c.js is loaded from elsewhere",
        ],
    )


def test_links_have_titles() -> None:
    """A link says what the page is about, not how its file is called."""
    link = re.compile(r"\[([^\]]+)\]\(([^)#\s]+\.md)[^)]*\)")
    found = [
        f"{page.name}: {text}"
        for page in PAGES
        for text, target in link.findall(page.read_text("utf-8"))
        if Path(text.strip("`")).name == Path(target).name
    ]
    assert found == []
