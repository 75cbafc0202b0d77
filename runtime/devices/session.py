"""A session with the runner on a device."""

import base64
import json
import os
import select
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, cast
from zipfile import ZipFile, ZipInfo

import numpy as np

from ...paired_times import clock
from ..host import Array
from . import runner as python_runner
from .address import Address, ConnectionLost, DeviceError
from .files import Remote
from .transport import Transport, transport_for

Say = Callable[[str], None]

PROTOCOL = python_runner.PROTOCOL
STARTING = 60
"""The time limit in seconds for the start of a runner."""
WAITING = 60
"""A device that another session uses is tried again for this many seconds."""
LIMIT = 600
"""The default time limit of a request in seconds."""
GRACE = 15
"""A runner ends by itself at the limit. After this many more seconds the session ends it."""
_STATUS = "ncnn-opt-status "


def silent(text: str) -> None:
    """Drop a message."""


class Session:
    """A running runner on a device. Closing the session ends the runner."""

    def __init__(self, remote: Remote, process: "subprocess.Popen[bytes]", words: Any) -> None:
        self.remote = remote
        self.address = remote.transport.address
        self.limit = LIMIT
        self.runner = ""
        """The kind of runner: `python` or `c++`."""
        self.ncnn = ""
        """The release of ncnn on the device."""
        self.used: list[str] = []
        """The files of this session, which stay in the cache folder."""
        self._process = process
        self._words = words
        self._buffer = b""

    @staticmethod
    def open(address: Address, say: Say = silent, waiting: float = WAITING) -> "Session":
        """Start the runner on a device. Wait while another session uses the device, at most
        `waiting` seconds. Raise `DeviceError`."""
        remote = Remote.open(transport_for(address))
        command, deadline = runner_command(remote), None
        while True:
            session = start(remote, command)
            try:
                greeting = session.receive(STARTING)
                if not greeting.get("busy"):
                    session.check_greeting(greeting)
                    return session
            except BaseException:
                session.close()
                raise
            session.close()
            if deadline is None and waiting:
                say(f"{address}: another session measures on this device; waiting")
            deadline = time.monotonic() + waiting if deadline is None else deadline
            if time.monotonic() >= deadline:
                raise DeviceError(
                    f"{address}: another session measures on this device; try again after its end"
                )
            time.sleep(min(1.0, waiting))

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the runner and the connection."""
        process = self._process
        if process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
        try:
            process.wait(3)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if process.stdout is not None:
            process.stdout.close()
        self._words.close()

    def check_greeting(self, greeting: Mapping[str, Any]) -> None:
        """Take the facts of a greeting. Raise `DeviceError` for a runner that does not fit."""
        if "missing" in greeting:
            python = greeting.get("python", "python3")
            raise DeviceError(
                f"{self.address}: {python} there cannot import ncnn ({greeting['missing']}); run "
                f"`{python} -m pip install ncnn` there, or give another Python or a runner to "
                "`ncnn-device prepare`"
            )
        if greeting.get("protocol") != PROTOCOL:
            raise DeviceError(
                f"{self.address}: the runner there has protocol {greeting.get('protocol')}, not "
                f"{PROTOCOL}: build the runner of this release and copy it with "
                f"`ncnn-device prepare {self.address} --runner FILE`"
            )
        self.runner, self.ncnn = str(greeting.get("runner")), str(greeting.get("ncnn"))

    # -- requests

    def ask(self, *words: object) -> dict[str, Any]:
        """Send a request and return the answer. Raise `DeviceError`."""
        line = (" ".join(map(str, words)) + "\n").encode()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except OSError:
            raise self._ended() from None
        answer = self.receive(self.limit + GRACE)
        if "error" in answer:
            raise DeviceError(f"{self.address}: {answer['error']}{self._last_words()}")
        return answer

    def receive(self, seconds: float) -> dict[str, Any]:
        """Return the next line of the runner. Raise `DeviceError`."""
        assert self._process.stdout is not None
        handle, deadline = self._process.stdout.fileno(), time.monotonic() + seconds
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([handle], [], [], left)[0]:
                raise DeviceError(f"{self.address}: no answer for {seconds:.0f} s")
            part = os.read(handle, 1 << 16)
            if not part:
                raise self._ended()
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            text = line[:80].decode(errors="replace")
            raise DeviceError(
                f"{self.address}: the runner there answers '{text}', which is no JSON"
            )
        return cast(dict[str, Any], answer)

    def set_limit(self, seconds: int) -> None:
        """Set the time limit of a request."""
        self.ask("limit", seconds)
        self.limit = seconds

    def load(self, slot: int, param: Path, weights: Path) -> None:
        """Load a model; its files are copied unless the device has them."""
        for path, kind in ((param, "param"), (weights, "bin")):
            self.used.append(self.remote.put(path, kind, self.used))
        self.ask("load", slot, *self.used[-2:])

    def feed(self, inputs: Mapping[str, Array]) -> None:
        """Set the inputs of all models."""
        for name, value in inputs.items():
            data = base64.b64encode(np.ascontiguousarray(value, "<f4").tobytes()).decode()
            self.ask("input", name, ",".join(map(str, value.shape)), data)

    def run(self, slot: int) -> dict[str, Array]:
        """Run a model and return its outputs."""
        outputs: dict[str, Array] = {}
        for name, blob in self.ask("run", slot)["outputs"].items():
            data = base64.b64decode(blob["data"])
            outputs[name] = np.frombuffer(data, "<f4").reshape(blob["shape"])
        return outputs

    # -- the end of a runner

    def _ended(self) -> DeviceError:
        """Return the error for a runner that has ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        text = self._text()
        found = [line for line in text.splitlines() if line.startswith(_STATUS)]
        if not found:
            return ConnectionLost(f"{self.address}: the connection was lost{self._last_words()}")
        status = int(found[-1].removeprefix(_STATUS))
        name = signal.Signals(status - 128).name if 128 < status < 160 else ""
        if name == "SIGALRM":
            return DeviceError(f"{self.address}: the run took more than {self.limit} s")
        if name:
            return DeviceError(f"{self.address}: the model crashes the runner there ({name})")
        return DeviceError(
            f"{self.address}: the runner there ended with status {status}{self._last_words()}"
        )

    def _text(self) -> str:
        self._words.seek(0)
        return self._words.read().decode(errors="replace")

    def _last_words(self) -> str:
        """Return the last line that the runner or the transport printed, in brackets."""
        lines = [line.strip() for line in self._text().splitlines()]
        lines = [line for line in lines if line and not line.startswith(_STATUS)]
        return f" ({lines[-1]})" if lines else ""


def start(remote: Remote, command: str) -> Session:
    """Start a runner in the cache folder."""
    words = tempfile.TemporaryFile()
    folder = shlex.quote(remote.folder)
    # The shell reports the status: ssh's own status is 255 both for a crash and a lost connection.
    script = f"cd {folder} && {command}; echo {_STATUS}$? >&2"
    try:
        return Session(remote, remote.transport.start(script, words.fileno()), words)
    except BaseException:
        words.close()
        raise


def runner_command(remote: Remote) -> str:
    """Return the command that starts the prepared runner, by default Python's. Copy Python's runner
    if it is missing."""
    kind, _, value = (remote.prepared or f"python {remote.transport.address.python}").partition(" ")
    if kind == "program":
        return f"./{shlex.quote(value)}"
    with tempfile.NamedTemporaryFile(prefix="ncnn-device-") as file:
        file.write(program())
        file.flush()
        name = remote.put(Path(file.name), "pyz")
    return f"{shlex.quote(value)} {name}"


def program() -> bytes:
    """Return Python's runner as one file: an archive of the runner and the clock, which Python runs
    as a program. Equal sources make equal bytes."""
    files = {"__main__": b"from ncnn_opt.runtime.devices.runner import main\n\nmain()\n"}
    for module in (python_runner, clock):
        *packages, name = module.__name__.split(".")
        for end in range(1, len(packages) + 1):
            files["/".join([*packages[:end], "__init__"])] = b""
        files["/".join([*packages, name])] = Path(str(module.__file__)).read_bytes()
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(f"{name}.py"), content)
    return buffer.getvalue()


def prepare(
    address: Address, runner: Path | None = None, python: str | None = None, say: Say = silent
) -> Session:
    """Copy a runner, or select a Python, and start it once. Raise `DeviceError`; the device then
    keeps its former runner."""
    transport: Transport = transport_for(address)
    remote = Remote.open(transport)
    former = remote.prepared
    if runner is not None:
        name = remote.put(runner, "runner")
        remote.remove([n for n in remote.sizes if n.endswith(".runner") and n != name])
        transport.run(f"chmod 700 {shlex.quote(f'{remote.folder}/{name}')}")
        remote.write_prepared(f"program {name}")
    else:
        remote.write_prepared(f"python {python or address.python}")
    try:
        return Session.open(address, say)
    except BaseException:
        remote.write_prepared(former or f"python {address.python}")
        raise
