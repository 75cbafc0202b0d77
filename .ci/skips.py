"""The tests that a run of CI skipped.

    skips.py left FOLDER        print the tests that no run has passed yet, as arguments of pytest
    skips.py check FOLDER       fail if a test was skipped in all runs and is not in skips.txt

FOLDER holds the outcomes of the runs: `*.json` of `pytest --outcomes`, `*.lit` of `lit -o`. A test
is skipped if it was skipped, deselected, expected to fail, or in a module that was skipped.
"""

import json
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).with_name("skips.txt")
FIRST = "test.json"
"""The outcomes of `make test`."""
LIT_FOLDER = "tests/filecheck/"
RAN = ("passed", "failed", "skipped", "xfailed")
NOT_RUN = ("skipped", "xfailed", "deselected", "skipped modules")


class Allowed(NamedTuple):
    """The content of the list."""

    numbers: dict[str, int]
    patterns: dict[str, str]

    @classmethod
    def read(cls, path: Path) -> "Allowed":
        lines = [line.strip() for line in path.read_text("utf-8").splitlines()]
        lines = [line for line in lines if line and not line.startswith("#")]
        entries = [line.partition("|") for line in lines if "|" in line]
        words = [line.split() for line in lines if "|" not in line]
        patterns = {pattern.strip(): reason.strip() for pattern, _, reason in entries}
        return cls({name: int(number) for name, number in words}, patterns)

    def matches(self, test: str) -> bool:
        """Whether the test is in the list. (`[` stands for itself.)"""
        return any(fnmatchcase(test, pattern.replace("[", "[[]")) for pattern in self.patterns)


class Runs:
    """The outcomes of several runs."""

    def __init__(self, folder: Path) -> None:
        self.first = json.loads((folder / FIRST).read_text())
        runs = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
        runs += [outcomes_of_lit(path) for path in sorted(folder.glob("*.lit"))]
        self.passed = {test for run in runs for test in run["passed"]}
        self.not_run = {test for run in runs for key in NOT_RUN for test in run.get(key, [])}
        self.known = {test for run in runs for tests in run.values() for test in tests}
        self.collected = sum(len(self.first[key]) for key in RAN)

    def skipped(self) -> list[str]:
        """Return the tests and modules that no run has passed."""
        files = {test.partition("::")[0] for test in self.passed}
        return sorted(test for test in self.not_run - self.passed if test not in files)


def outcomes_of_lit(path: Path) -> dict[str, list[str]]:
    """Return the outcomes of lit's tests in the form of those of pytest."""
    found: dict[str, list[str]] = {"passed": [], "failed": [], "skipped": [], "xfailed": []}
    kinds = {"PASS": "passed", "FLAKYPASS": "passed", "XFAIL": "xfailed"}
    kinds |= dict.fromkeys(("UNSUPPORTED", "EXCLUDED", "SKIPPED"), "skipped")
    for test in json.loads(path.read_text())["tests"]:
        name = LIT_FOLDER + test["name"].partition(" :: ")[2]
        found[kinds.get(test["code"], "failed")].append(name)
    return found


def problems(runs: Runs, allowed: Allowed) -> Iterator[str]:
    """Return the reasons for which CI fails."""
    if runs.collected < (least := allowed.numbers["collected"]):
        yield f"`make test` collected {runs.collected} tests; it must collect {least} or more"
    skipped = runs.skipped()
    for test in skipped:
        if not allowed.matches(test):
            yield f"skipped: {test}"
    if len(skipped) > (most := allowed.numbers["skips"]):
        yield f"{len(skipped)} tests were skipped; at most {most} may be"
    for pattern in allowed.patterns:
        # The tests of a stage that was not run are not known.
        file = pattern.partition("::")[0]
        of_file = [test for test in runs.known if test.startswith(file)]
        matched = any(fnmatchcase(test, pattern.replace("[", "[[]")) for test in of_file)
        if not matched and (of_file or not Path(file).exists()):
            yield f"{LIST.name}: no test matches {pattern}"


def main(command: str, folder: str) -> int:
    """Run a command. Return the exit status."""
    runs, allowed = Runs(Path(folder)), Allowed.read(LIST)
    if command == "left":
        tests = [t for t in runs.skipped() if not t.startswith(LIT_FOLDER)]
        print("\n".join(t for t in tests if not allowed.matches(t)))
        return 0
    skipped, found = runs.skipped(), list(problems(runs, allowed))
    print(f"{runs.collected} tests in `make test`, {len(runs.passed)} passed in all stages")
    print(f"{len(skipped)} skipped:", *skipped, sep="\n  ")
    print(*(f"error: {problem}" for problem in found), sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
