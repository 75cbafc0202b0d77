"""The pages of layers, which `make docs` makes of their declarations."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE, FAMILIES
from ncnn_opt.dialects.ncnn.params import DerivedParam

FILE = Path(__file__).parents[3] / "docs/making/layer_pages.py"


@pytest.fixture(scope="module")
def making() -> ModuleType:
    spec = importlib.util.spec_from_file_location("layer_pages", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages(making: ModuleType) -> dict[str, str]:
    return dict(making.layer_pages())


def test_each_layer_has_a_page_and_a_link(pages: dict[str, str]) -> None:
    assert set(pages) == {"layers/index.md", *(f"layers/{name}.md" for name in FAMILIES)}
    links = re.findall(r"\]\((\w+)\.md\)", pages["layers/index.md"])
    assert sorted(links) == sorted(FAMILIES)


@pytest.mark.parametrize("name", FAMILIES)
def test_tables_are_complete(name: str, pages: dict[str, str]) -> None:
    cls, page = BY_TYPE[name], pages[f"layers/{name}.md"]
    rows = [line.split(" | ") for line in page.splitlines() if re.match(r"\| \d+ \| ", line)]
    found = {cells[1].strip("`"): (int(cells[0].strip("| ")), cells[-1]) for cells in rows}
    assert {n: id for n, (id, _) in found.items()} == {n: p.id for n, p in cls.PARAMS.items()}
    assert all(meaning.strip("| ") for _, meaning in found.values()), found
    assert all(f"| `{weight}` |" in page for weight in cls.WEIGHTS)
    assert "## Shapes\n\nnot known" not in page
    assert ("```mlir" in page) is (name not in ("Input", "MemoryData"))


def test_defaults_and_words(pages: dict[str, str]) -> None:
    page = pages["layers/Convolution.md"]
    assert "| 7 |" not in page
    assert "| 11 | `kernel_h` | int | as `kernel_w` | The extent of the window along h" in page
    assert "| 9 | `activation_type` | int | 0 |" in page
    assert "1 relu, 2 leakyrelu" in page
    assert "| 5 | `bias_term` | int | 0 | Whether there is a bias. |" in page
    assert "| `bias` | float32 | depends on the parameters |" in page
    assert "%y = ncnn.convolution %x weight %layer_weight" in page
    assert isinstance(BY_TYPE["Convolution"].PARAMS["bias_term"], DerivedParam)
    assert "| 6 | `scale` | float | from `num_heads` |" in pages["layers/MultiHeadAttention.md"]
    assert "| 2 | `eps` | float | 0.0001 |" in pages["layers/Normalize.md"]
    assert "| 0 | `w` | int | -233 |" in pages["layers/Reshape.md"]
