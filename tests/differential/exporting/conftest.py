# pyright: basic, reportMissingImports=false
"""Exports in a folder of their own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder of a test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
