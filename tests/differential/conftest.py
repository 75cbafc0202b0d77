"""What the differential tests share."""

import os
from collections.abc import Generator, Iterator

import pytest

from .runtime import Runtime
from .tally import Tally

TALLY = pytest.StashKey[Tally]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fired", action="store_true", help="how often each rewrite fired in differential tests"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--fired", False):
        config.stash[TALLY] = Tally()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    tally = item.config.stash.get(TALLY, None)
    if tally is None:
        return (yield)
    with tally.listening():
        return (yield)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if TALLY in config.stash:
        terminalreporter.section("fired")
        for line in config.stash[TALLY].lines():
            terminalreporter.line(line)


@pytest.fixture(scope="session", autouse=True)
def quick() -> Iterator[None]:
    """Nobody waits until models are on the disk, but finds them in memory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", int)
        yield


@pytest.fixture(scope="session")
def runtime() -> Iterator[Runtime]:
    """The ncnn runtime; without it the test is skipped."""
    pytest.importorskip("ncnn")
    with Runtime() as runtime:
        yield runtime


@pytest.fixture(scope="session")
def expendable() -> Iterator[Runtime]:
    """Another one for layers whose blobs do not fit: these may leave its memory in disorder."""
    pytest.importorskip("ncnn")
    with Runtime(seconds=5) as runtime:
        yield runtime
