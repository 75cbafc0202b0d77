"""Compilers as processes: their errors in a line, and their end."""

import sys
import time
from collections.abc import Sequence

import pytest
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.iree_compile import run_tool


def script(text: str) -> Sequence[str]:
    return [sys.executable, "-I", "-S", "-c", text]


def nothing() -> None:
    pass


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            r"sys.stderr.write('note: a\nm.mlir:3:4: error: no tiles \nm.mlir:5:1: error: b\n');"
            "sys.exit(1)",
            "no tiles",
        ),
        (r"sys.stderr.write('\n  Cannot open it\nUsage\n'); sys.exit(2)", "Cannot open it"),
        ("sys.exit(3)", "status 3"),
        ("import os; os.kill(os.getpid(), 9)", "it was ended by SIGKILL"),
    ],
)
def test_the_reason_is_one_line(text: str, reason: str) -> None:
    with pytest.raises(NativeError) as caught:
        run_tool(script(f"import sys; {text}"), nothing, "clang")
    assert str(caught.value) == f"clang does not compile the model: {reason}"


def test_success_is_no_error_whatever_is_printed() -> None:
    run_tool(script("import sys; sys.stderr.write('error: none'); print('much')"), nothing)


def test_the_caller_is_called_while_a_tool_works() -> None:
    ticks: list[float] = []
    run_tool(script("import time; time.sleep(0.35)"), lambda: ticks.append(time.monotonic()))
    assert len(ticks) >= 2


def test_a_tool_ends_with_its_caller() -> None:
    class Interrupted(BaseException):
        pass

    def tick() -> None:
        raise Interrupted

    started = time.monotonic()
    with pytest.raises(Interrupted):
        run_tool(script("import time; time.sleep(60)"), tick)
    assert time.monotonic() - started < 30
