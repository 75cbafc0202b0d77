"""A plugin of pytest: of tests that are slow and many, a part, drawn by the commit.

    @pytest.mark.drawn(3)      # one of three cases of this test, or tests of a module

pytest prints the seed; `NCNN_OPT_DRAW` is another one. `--all-cases` runs all of them, and a test
that is named on the command line runs. What is not drawn is not collected.
"""

import os
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

_T = TypeVar("_T")


@cache
def seed_of_draws() -> str:
    """What decides which cases are drawn."""
    if given := os.environ.get("NCNN_OPT_DRAW"):
        return given
    words = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short=12", "HEAD"]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # e.g. an archive of the sources
        return "no commit"


def part_of(cases: Sequence[_T], name: str, every: bool, one_of: int = 4) -> list[_T]:
    """One of so many cases, at least one, in their order; all of them if `every` is set."""
    if every or not cases:
        return list(cases)
    count = -(-len(cases) // one_of)
    chosen = Random(f"{seed_of_draws()} {name}").sample(range(len(cases)), count)
    return [cases[i] for i in sorted(chosen)]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all-cases", action="store_true", help="all cases of slow tests, not a part of them"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "drawn(n): slow tests, of which one of n is drawn")


def pytest_report_header(config: pytest.Config) -> str:
    if config.getoption("--all-cases"):
        return "all cases"
    return f"cases drawn by {seed_of_draws()} (NCNN_OPT_DRAW={seed_of_draws()} draws them again)"


@pytest.fixture(scope="session")
def every(request: pytest.FixtureRequest) -> bool:
    """Whether all cases are tested, not a part of them."""
    return bool(request.config.getoption("--all-cases"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--all-cases") or any("::" in each for each in config.args):
        return
    groups: dict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if mark := item.get_closest_marker("drawn"):
            groups[item.nodeid.partition("::")[0], mark.args[0]].append(item)
    left_out: set[str] = set()
    for (file, one_of), group in groups.items():
        drawn = {item.nodeid for item in part_of(group, file, False, one_of)}
        left_out |= {item.nodeid for item in group} - drawn
    items[:] = [item for item in items if item.nodeid not in left_out]
