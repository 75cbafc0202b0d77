"""What README.md and docs/report.md show of the command is what it prints."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.tools.ncnn_opt_main import main as optimize

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[4]

Report = Callable[..., str]


def excerpts(document: str) -> list[str]:
    """The blocks of a document that show a table or sums of a report."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", (ROOT / document).read_text(), re.M | re.S)
    return [b for b in blocks if re.match(r" +before +after| *# +type", b)]


@pytest.mark.parametrize(("document", "number"), [("README.md", 1), ("docs/report.md", 2)])
def test_excerpts(document: str, number: int, report: Report, folder: Path) -> None:
    for ending in ("param", "bin"):
        shutil.copy(ROOT / f"examples/small_cnn.{ending}", folder)
    optimize(["-O", "small_cnn.param", "-o", "fast.param"])
    one, two = report("small_cnn.param"), report("small_cnn.param", "fast.param")
    found = excerpts(document)
    assert len(found) == number
    for block in found:
        printed = one if "# " in block else two
        for piece in re.split(r"^ *…\n|…$", block, flags=re.M):
            assert piece.strip("\n") in printed
