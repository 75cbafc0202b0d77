"""Messages to processes that run models, and the client of these processes."""

import io
import os
import sys
import time
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.runtime import host, messages, process
from ncnn_opt.runtime.messages import receive, send
from ncnn_opt.runtime.process import Process, archive_of
from ncnn_opt.runtime.stopwatch import Times


def passed(message: object) -> Any:
    """Return a message as it arrives, with another one behind it."""
    stream = io.BytesIO()
    send(stream, {"result": message})
    send(stream, {"result": "the next"})
    stream.seek(0)
    found = receive(stream)["result"]
    assert receive(stream) == {"result": "the next"}
    with pytest.raises(EOFError):
        receive(stream)
    return found


@pytest.mark.parametrize(
    "message",
    [
        None,
        [1, 2.5, True, "x", float("inf")],
        {"a": {"b": []}},
        {"array": "x", "type": "<f4"},
        {"array": [1], "type": ["<f4"]},
        'ä "quoted" \\ \n',
        os.fsdecode(b"no UTF-8: \xff"),
    ],
)
def test_values_of_json(message: object) -> None:
    assert passed(message) == message


def test_records_and_scalars() -> None:
    assert passed(Times([1.0], {"c": [2.0]})) == {"runs": [1.0], "layers": {"c": [2.0]}}
    found = passed([(np.float32(0.5), np.int64(3)), os.environ])
    assert found == [[0.5, 3], dict(os.environ)]
    with pytest.raises(TypeError):
        passed(object())


@pytest.mark.parametrize("kind", ["<f4", ">f4", "<f2", "<i4", "i1", "?", "<f8"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 4), (2, 3, 4, 5)])
def test_arrays(shape: tuple[int, ...], kind: str) -> None:
    values = np.arange(prod(shape)).reshape(shape).astype(kind)
    for array in (values, values.T):
        found = passed(array)
        assert (found.dtype, found.shape) == (array.dtype, array.shape)
        assert found.tobytes() == array.tobytes()
        assert found.flags.writeable


def test_bits_of_nans_stay() -> None:
    values = np.array([0x7FC00001, 0xFF800123, 0x80000000], "<u4").view("<f4")
    assert passed(values).tobytes() == values.tobytes()


def test_arrays_come_in_order_and_may_have_any_name() -> None:
    names = {"array": np.zeros(3), "type": np.ones((2, 2), "<f4"), "result": np.arange(4)}
    found = passed({"x": [names, {"b": np.array([7])}], "a": np.array([8.0])})
    assert {name: each.tolist() for name, each in found["x"][0].items()} == {
        name: each.tolist() for name, each in names.items()
    }
    assert (found["x"][1]["b"].tolist(), found["a"].tolist()) == ([7], [8.0])


def test_streams_that_end_early() -> None:
    stream = io.BytesIO()
    send(stream, {"result": [np.arange(3), np.arange(5)]})
    whole = stream.getvalue()
    for size in (0, 5, whole.index(b"\n"), whole.index(b"\n") + 1, len(whole) - 1):
        with pytest.raises(EOFError):
            receive(io.BytesIO(whole[:size]))


@pytest.mark.parametrize(
    "line", ["hello", "[1]", '"x"', '{"a": {"array": [2], "type": "no"}}', "{" * 100]
)
def test_lines_that_are_no_message(line: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        receive(io.BytesIO(line.encode() + b"\n"))
    assert str(error.value) == line[:80]


ECHO = """
import os, signal, sys, time
from ncnn_opt.runtime.host import Host, Refused

class Echo(Host):
    def echo(self, value):
        return value

    def refuse(self, value):
        os.write(2, b"said before\\n")
        raise Refused(value)

    def fail(self):
        return {}["x"]

    def end(self, status):
        os.write(2, b"last words\\n\\n")
        os._exit(status)

    def sleep(self, seconds):
        time.sleep(seconds)

    def ignore(self):
        signal.signal(signal.SIGALRM, signal.SIG_IGN)

    def chat(self):
        os.write(2, b"not for the answer\\n")
        print("neither", flush=True)

Echo().serve()
"""


def echo(seconds: int = 0) -> Process:
    return Process([sys.executable, "-P", "-c", ECHO], seconds)


def test_large_arrays_go_both_ways() -> None:
    values = np.random.default_rng(0).random((3, 700, 900), np.float32)
    with echo() as host:
        for _ in range(2):
            found = host.call("echo", [values, {"x": values[:, ::2]}])
            assert np.array_equal(found[0], values)
            assert np.array_equal(found[1]["x"], values[:, ::2])


def test_reasons() -> None:
    with echo(1) as host:
        with pytest.raises(RunError) as error:
            host.call("refuse", "no")
        assert str(error.value) == "no (said before)"
        with pytest.raises(RunError, match="passed to or from the runtime: KeyError: 'x'$"):
            host.call("fail")  # the words of another request are not its words
        with pytest.raises(RunError, match="^unknown request 'dance'$"):
            host.call("dance")
        assert host.call("chat") is None
        with pytest.raises(RunError) as error:
            host.call("end", 7)
        assert str(error.value) == "the runtime ended with status 7 (last words)"
        assert host.call("echo", 1) == 1  # in a new process
        with pytest.raises(RunError, match="^the runtime took more than 1 s$"):
            host.call("sleep", 10)
        assert host.call("echo", 2) == 2


def test_a_process_that_does_not_end_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "GRACE", 1)
    with echo(1) as host:
        host.call("ignore")
        start = time.monotonic()
        with pytest.raises(RunError, match="^no answer for 2 s$"):
            host.call("sleep", 60)
        assert time.monotonic() - start < 10
        assert host.call("echo", 3) == 3


def test_a_program_that_answers_otherwise() -> None:
    with Process(["sh", "-c", "echo hello; cat"]) as other:
        with pytest.raises(RunError, match="^the runtime answers 'hello', which is no JSON$"):
            other.call("echo", 1)


@pytest.mark.parametrize("idle", [1, 60])
def test_an_idle_host_ends(idle: int) -> None:
    program = ECHO.replace("def echo", f"idle = {idle}\n\n    def echo")
    with Process([sys.executable, "-P", "-c", program]) as host:
        assert host.call("echo", 1) == 1
        time.sleep(1.5)
        if idle == 1:
            with pytest.raises(RunError, match="took more than"):
                host.call("echo", 2)
        assert host.call("echo", 3) == 3


def test_an_archive_needs_no_package(tmp_path: Path) -> None:
    """Another Python runs it, here one that does not find this package."""
    start = f"from {host.__name__} import Host\n\nHost().serve()\n"
    program = tmp_path / "host.pyz"
    program.write_bytes(archive_of(start, (host, messages)))
    assert program.read_bytes() == archive_of(start, (host, messages))
    packages = str(Path(np.__file__).parents[1])
    code = f"import runpy, sys; sys.path.append({packages!r}); runpy.run_path({str(program)!r})"
    with Process([sys.executable, "-I", "-S", "-c", code]) as other:
        other.call("keep", 3, {"x": np.ones(2)})
        with pytest.raises(RunError, match="KeyError: 'float'"):
            other.call("run", "float", 3)
