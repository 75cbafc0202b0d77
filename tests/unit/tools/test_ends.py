"""How commands end that are told to, that run out of memory, or that lack standard streams."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")]

Command = Callable[..., subprocess.CompletedProcess[str]]
Popen = subprocess.Popen[str]

PROGRAM = Path(sys.executable).with_name("ncnn-opt")


def start(folder: Path, arguments: Sequence[str]) -> Popen:
    return subprocess.Popen(
        [str(PROGRAM), *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Where the tests run under nohup, too: an ignored signal stays so in a new process.
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )


def wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def hidden(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


@pytest.fixture
def stuck(folder: Path) -> Iterator[Path]:
    """A folder that another process has, so that commands wait which are to write there."""
    fcntl: Any = pytest.importorskip("fcntl")
    (folder / "stuck").mkdir()
    handle = os.open(folder / "stuck", os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    yield folder
    os.close(handle)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_leaves_nothing_behind(name: str, stuck: Path) -> None:
    (stuck / "weights").mkdir()
    number = signal.Signals[name]
    command = ["-O", "model.param", "-o", "stuck/m.param", "--output-weights", "weights/m.bin"]
    with start(stuck, command) as process:
        wait_until(lambda: hidden(stuck / "weights"))
        process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (128 + number, "", "")
    assert not list((stuck / "weights").iterdir())


@pytest.mark.parametrize("who", ["the first process", "all processes"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_ends_all_processes_of_many_models(name: str, who: str, stuck: Path) -> None:
    for letter in "abcd":
        (stuck / f"{letter}.param").write_bytes((stuck / "model.param").read_bytes())
        (stuck / f"{letter}.bin").write_bytes((stuck / "model.bin").read_bytes())
    models = [f"{letter}.param" for letter in "abcd"]
    with start(stuck, ["-O", *models, "--output-dir", "stuck", "-j3"]) as process:
        wait_until(lambda: children(process.pid) == 3)
        begin = time.monotonic()
        if who == "all processes":  # as by Ctrl-C
            os.killpg(process.pid, signal.Signals[name])
        else:
            process.send_signal(signal.Signals[name])
        _, err = process.communicate()  # until the last one has closed its end
    assert process.returncode == 128 + signal.Signals[name]
    assert time.monotonic() - begin < 9
    assert err == ""
    assert not list((stuck / "stuck").iterdir())


def children(process: int) -> int:
    listed = Path(f"/proc/{process}/task/{process}/children")
    if not listed.exists():
        pytest.skip("the children of a process are not listed here")
    return len(listed.read_text().split())


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_that_is_to_be_ignored(name: str, stuck: Path) -> None:
    script = f"trap '' {name[3:]}; exec {PROGRAM} model.param -o stuck/m.param"
    with subprocess.Popen(
        ["sh", "-c", script], cwd=stuck, stderr=subprocess.PIPE, text=True
    ) as process:
        time.sleep(1)
        process.send_signal(signal.Signals[name])
        time.sleep(0.5)
        assert process.poll() is None
        process.kill()


@pytest.mark.parametrize("closed", [(2,), (0, 1, 2)], ids=lambda c: "".join(map(str, c)))
def test_without_standard_streams(closed: tuple[int, ...], command: Command, folder: Path) -> None:
    def close() -> None:
        for number in closed:
            os.close(number)

    runs = {
        "ncnn-opt": ["-O", "model.param", "-o", "new.param"],
        "ncnn-compile": ["model.param", "-o", "new.mlir"],
        "ncnn-report": ["model.param"],
        "ncnn-run": ["model.param", "--input", "random"],
        "ncnn-optimize": ["model.param", "model.bin", "newer.param", "newer.bin", "0"],
    }
    for tool, arguments in runs.items():
        command(arguments, tool=tool, preexec_fn=close)
    command(["model.param"], preexec_fn=close)
    assert command(["none.param"], preexec_fn=close, check=False).returncode == 1
    expected = command(["-O", "model.param", "-o", "expected.param"])
    assert "2 layers" in expected.stderr
    assert (folder / "new.param").read_text() == (folder / "expected.param").read_text()
    assert (folder / "new.bin").read_bytes() == (folder / "expected.bin").read_bytes()


OUT_OF_MEMORY = """
import sys
from ncnn_opt.driver import optimizer
from ncnn_opt.tools import ncnn_opt_main
def run(self):
    raise MemoryError("1 TiB is too much")
optimizer.Optimizer.optimize = run
sys.argv[0] = "ncnn-opt"
ncnn_opt_main.main()
"""


@pytest.mark.parametrize("arguments", [["-o", "out.param"], ["--output-dir", "new"]], ids=" ".join)
def test_out_of_memory(arguments: list[str], folder: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", OUT_OF_MEMORY, "model.param", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    (message,) = result.stderr.splitlines()
    assert message.startswith("ncnn-opt: error: ")
    assert message.endswith("not enough memory: 1 TiB is too much")
    assert (folder / "out.param").read_bytes() == b"old param"


SIGNALS = """
import sys
sys.argv = [{program!r}]
import ncnn_opt
from signal import SIG_DFL, SIGINT, default_int_handler, getsignal
from ncnn_opt.tools.process import running
words = {{SIG_DFL: "ends", default_int_handler: "raises"}}
print(words[getsignal(SIGINT)])
with running("it"):
    print(words[getsignal(SIGINT)])
print(words[getsignal(SIGINT)])
"""


@pytest.mark.parametrize(
    ("program", "told"),
    [("/usr/bin/ncnn-opt", "ends raises ends"), ("/usr/bin/theirs", "raises raises raises")],
)
def test_ctrl_c_before_and_after_the_work_has_no_traceback(program: str, told: str) -> None:
    code = SIGNALS.format(program=program)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == told.split()


@pytest.mark.parametrize("name", ["opt", "optimize", "table", "int8", "merge", "quantize", "run"])
def test_a_closed_pipe_ends_the_help(name: str) -> None:
    call = f"from ncnn_opt.tools.ncnn_{name}_main import main; main(['--help'])"
    with subprocess.Popen(
        [sys.executable, "-c", call], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
