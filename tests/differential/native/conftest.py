"""Says at the end how many layers were right as native code, and why others have none."""

from collections import Counter

import pytest

ERRORS = "errors"
"""The property of a test that holds the errors of what was right, by its name."""

READ = "read"
"""The property that says which program has read the code of how many cases."""


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    reports = (each for each in terminalreporter.getreports("") if hasattr(each, "user_properties"))
    properties = [pair for report in reports for pair in report.user_properties]
    errors = {k: v for name, each in properties if name == ERRORS for k, v in each.items()}
    if not errors or not config.getoption("--all-cases", False):
        return
    from ncnn_opt.conversion.host_ops import HOST_ONLY
    from ncnn_opt.dialects.ncnn import BY_TYPE

    from ..semantics import all_cases
    from .layers import NOT_LOWERED, STYLES

    terminalreporter.section("layers as native code")
    for style in STYLES:
        own = [error for name, error in errors.items() if f"conv={style}" in name]
        terminalreporter.line(
            f"{len(own)} cases are right with conv={style}, the largest error is {max(own):.2g}"
        )
    read: Counter[str] = Counter()
    for name, each in properties:
        if name == READ:
            read[each[0]] += each[1]
    for parser, count in read.items():
        terminalreporter.line(f"{parser} reads the code of {count}")
    counts = Counter(BY_TYPE[case.type] for cases in all_cases().values() for case in cases)
    for layer, reason in HOST_ONLY.items():
        terminalreporter.line(f"{counts[layer]} on the host: {layer.LAYER_TYPE} ({reason})")
    for line, reason in NOT_LOWERED.items():
        terminalreporter.line(f"not lowered: {line} ({reason})")
