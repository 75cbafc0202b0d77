"""The lit tests of the table of fusions are what their script writes."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "filecheck" / "conversion" / "convert-ncnn-to-fused"


def load_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_cases", FOLDER / "make_cases.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FILES = dict(load_script().files())


@pytest.mark.parametrize("name", FILES)
def test_file_is_what_the_script_writes(name: str) -> None:
    assert (FOLDER / name).read_text() == FILES[name]


def test_the_table_is_whole() -> None:
    assert sum(text.count("\nfunc.func @") for text in FILES.values()) == 72 + 2 * 4
