"""Search in the documentation works in pages that are read from a folder."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["index.html", "layers/Crop.html"])
def test_search_from_a_folder(page: str, browser: Any, site: Path) -> None:
    browser.open(site / page)
    browser.run("document.querySelector('[data-md-toggle=search]').click()")
    entry = browser.driver.find_element("css selector", ".md-search__input")
    browser.run("arguments[0].focus()", entry)
    entry.send_keys("spectrogram")
    browser.wait("document.querySelectorAll('.md-search-result__item').length > 0")
    found = browser.run("return document.querySelector('.md-search-result__list').textContent")
    assert "Spectrogram" in found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("material", reason="needs the extra docs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-d", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    return folder
