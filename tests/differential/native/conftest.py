"""Says at the end how many layers were right as native code, and why others have none."""

from collections import Counter

import pytest

ERRORS = "errors"
"""The property of a test that holds the errors of what was right."""


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    reports = (each for each in terminalreporter.getreports("") if hasattr(each, "user_properties"))
    properties = [pair for report in reports for pair in report.user_properties]
    errors = [error for name, each in properties if name == ERRORS for error in each]
    if not errors or not config.getoption("--all-cases", False):
        return
    from ncnn_opt.dialects.ncnn import BY_TYPE
    from ncnn_opt.transforms.convert_to_linalg.host import HOST_ONLY

    from ..semantics import all_cases
    from .layers import NOT_LOWERED

    terminalreporter.section("layers as native code")
    terminalreporter.line(f"{len(errors)} cases are right, the largest error is {max(errors):.2g}")
    counts = Counter(BY_TYPE[case.type] for cases in all_cases().values() for case in cases)
    for layer, reason in HOST_ONLY.items():
        terminalreporter.line(f"{counts[layer]} on the host: {layer.LAYER_TYPE} ({reason})")
    for line, reason in NOT_LOWERED.items():
        terminalreporter.line(f"not lowered: {line} ({reason})")
