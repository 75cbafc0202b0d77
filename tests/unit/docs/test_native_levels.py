"""The levels that docs/native.md shows are those of a lit test."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_levels_are_those_of_the_lit_test() -> None:
    page = (ROOT / "docs/native.md").read_text("utf-8")
    shown = re.findall(r"```mlir\n(.*?)\n```", page, re.DOTALL)
    lines = (ROOT / "tests/filecheck/conversion/native-levels.mlir").read_text("utf-8").splitlines()
    for level, text in zip(("LAYERS", "FUSED", "LINALG"), shown, strict=True):
        pinned = [
            line.split(": ", 1)[1].strip()
            for line in lines
            if re.match(f"// {level}(-NEXT)?: ", line)
        ]
        assert [line.strip() for line in text.splitlines()] == pinned
