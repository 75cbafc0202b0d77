"""A plugin of pytest: the tests that did not run, in a summary by reason, and the outcomes of all
tests in a file.

    pytest --outcomes FILE

The file is JSON: a list of ids for each outcome, and the seconds that each test took, longest
first. A module that is skipped as a whole and a test that is deselected have an outcome, too.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

PASSED, FAILED, SKIPPED, XFAILED = "passed", "failed", "skipped", "xfailed"
MODULES, DESELECTED, SECONDS = "skipped modules", "deselected", "seconds"

_OUTCOMES = pytest.StashKey["Outcomes"]()


class Outcomes:
    """The outcomes of a run. With xdist, a worker sends what only its collection knows."""

    def __init__(self) -> None:
        self.of_tests: dict[str, str] = {}
        self.reasons: dict[str, str] = {}
        self.modules: dict[str, str] = {}
        self.deselected: set[str] = set()
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.modules[report.nodeid] = _reason(report)

    def pytest_deselected(self, items: Iterable[pytest.Item]) -> None:
        self.deselected |= {item.nodeid for item in items}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # With its fixtures, which the first test of a module makes for the others.
        self.seconds[report.nodeid] += report.duration
        before = self.of_tests.get(report.nodeid)
        if report.skipped:
            expected = hasattr(report, "wasxfail")
            self.of_tests[report.nodeid] = XFAILED if expected else SKIPPED
            self.reasons[report.nodeid] = report.wasxfail if expected else _reason(report)
        elif report.failed:
            self.of_tests[report.nodeid] = FAILED
        elif report.when == "call" and before is None:
            self.of_tests[report.nodeid] = XFAILED if hasattr(report, "wasxfail") else PASSED

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        config: Any = session.config
        if hasattr(config, "workeroutput"):
            config.workeroutput["modules"] = self.modules
            config.workeroutput["deselected"] = sorted(self.deselected)
        elif path := config.getoption("--outcomes"):
            Path(path).write_text(json.dumps(self.as_json(), indent=0))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        output: dict[str, Any] = getattr(node, "workeroutput", {})
        self.modules |= output.get("modules", {})
        self.deselected |= set(output.get("deselected", []))

    def as_json(self) -> dict[str, Any]:
        """Return the ids by outcome, and the seconds by id."""
        found: dict[str, list[str]] = {o: [] for o in (PASSED, FAILED, SKIPPED, XFAILED)}
        for test, outcome in self.of_tests.items():
            found[outcome].append(test)
        longest = sorted(self.seconds.items(), key=lambda item: -item[1])
        seconds = {test: round(time, 2) for test, time in longest}
        others = {MODULES: sorted(self.modules), DESELECTED: sorted(self.deselected)}
        return {**found, **others, SECONDS: seconds}

    def lines(self) -> list[str]:
        """Return a line for each reason that tests were skipped for."""
        tests = Counter(self.reasons[t] for t, o in self.of_tests.items() if o == SKIPPED)
        modules: dict[str, list[str]] = defaultdict(list)
        for module, reason in self.modules.items():
            modules[reason].append(Path(module).name)
        lines: list[str] = []
        for reason in sorted({*tests, *modules}):
            counts = [f"{n} test{'s' * (n > 1)}"] if (n := tests[reason]) else []
            lines.append(f"{reason}: {', '.join(counts + modules[reason])}")
        return lines


def _reason(report: pytest.CollectReport | pytest.TestReport) -> str:
    """Return the reason of a skip: (file, line, reason), or a text."""
    longrepr: Any = report.longrepr
    text = str(longrepr if isinstance(longrepr, str) else longrepr[2])
    return text.removeprefix("Skipped: ")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outcomes", metavar="FILE", help="write the outcomes of all tests to a file")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_OUTCOMES] = Outcomes()
    config.pluginmanager.register(config.stash[_OUTCOMES], "outcomes of tests")


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if lines := config.stash[_OUTCOMES].lines():
        terminalreporter.section("not tested here")
        for line in lines:
            terminalreporter.line(line)
