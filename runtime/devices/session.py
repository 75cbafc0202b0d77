"""A session with the runner on a device.

It is the client of `runtime/process.py`, whose process runs on the device, and copies models there.
"""

import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ...interpreters.errors import RunError
from ...paired_times import clock
from .. import host, messages, timed_net
from ..host import Array
from ..process import Process, archive_of
from . import runner as python_runner
from . import start
from .address import Address, ConnectionLost, DeviceError
from .file_cache import Remote
from .transport import Transport, transport_for

Say = Callable[[str], None]

STARTING = 60
"""The time limit in seconds for the start of a runner."""
WAITING = 60
"""A device that another session uses is tried again for this many seconds."""
LIMIT = 600
"""The default time limit of a request in seconds."""
ENDING = 5
"""The time limit in seconds for the end of a runner."""
SAMPLE = 0
"""The number of the inputs of all models."""
_STATUS = "ncnn-opt-status "


def silent(text: str) -> None:
    """Drop a message."""


class Session(Process):
    """A running runner on a device. Closing the session ends the runner, even in the middle of a
    request."""

    name = "the runner there"

    def __init__(self, remote: Remote) -> None:
        """The runner starts in the cache folder."""
        # The shell reports the status: ssh's own status is 255 both for a crash and a lost
        # connection.
        folder, command = shlex.quote(remote.folder), runner_command(remote)
        script = f"cd {folder} && {command}; echo {_STATUS}$? >&2"
        super().__init__(remote.transport.words(script), LIMIT, new_session=True)
        self.remote = remote
        self.address = remote.transport.address
        self.runner = ""
        """The kind of runner: `python` or `c++`."""
        self.ncnn = ""
        """The release of ncnn on the device."""
        self.used: list[str] = []
        """The files of this session, which stay in the cache folder."""

    @staticmethod
    def open(address: Address, say: Say = silent, waiting: float = WAITING) -> "Session":
        """Start the runner on a device. Wait while another session uses the device, at most
        `waiting` seconds. Raise `DeviceError`."""
        remote, deadline = Remote.open(transport_for(address)), None
        while True:
            session = Session(remote)
            try:
                greeting = session.greeting()
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

    def __exit__(self, *_: object) -> None:
        self.close()

    def greeting(self) -> Mapping[str, Any]:
        """Start the runner, and return its first message. Raise `DeviceError`."""
        self._start()
        try:
            return self._receive(STARTING)
        except EOFError:
            raise self._end(self._stop(), 0) from None

    def check_greeting(self, greeting: Mapping[str, Any]) -> None:
        """Take the facts of a greeting. Raise `DeviceError` for a runner that does not fit."""
        if "missing" in greeting:
            python = greeting.get("python", "python3")
            raise DeviceError(
                f"{self.address}: {python} there cannot import ncnn ({greeting['missing']}); run "
                f"`{python} -m pip install ncnn` there, or give another Python or a runner to "
                "`ncnn-device prepare`"
            )
        if greeting.get("protocol") != start.PROTOCOL:
            raise DeviceError(
                f"{self.address}: the runner there has protocol {greeting.get('protocol')}, not "
                f"{start.PROTOCOL}: build the runner of this release and copy it with "
                f"`ncnn-device prepare {self.address} --runner FILE`"
            )
        self.runner, self.ncnn = str(greeting.get("runner")), str(greeting.get("ncnn"))

    def load(self, slot: int, param: Path, weights: Path) -> None:
        """Load a model; its files are copied unless the device has them."""
        for path, kind in ((param, "param"), (weights, "bin")):
            self.used.append(self.remote.put(path, kind, self.used))
        self.call("load", str(slot), *self.used[-2:])

    def feed(self, inputs: Mapping[str, Array]) -> None:
        """Set the inputs of all models."""
        self.call(
            "keep", SAMPLE, {name: np.asarray(value, "<f4") for name, value in inputs.items()}
        )

    def run(self, slot: int) -> dict[str, Array]:
        """Run a model and return its outputs."""
        outputs = self.call("run", str(slot), SAMPLE)
        return {name: np.asarray(value, np.float32) for name, value in outputs.items()}

    def _start(self) -> "subprocess.Popen[bytes]":
        if self.ncnn:  # a new process would not have the models
            raise ConnectionLost(f"{self.address}: the session has ended")
        return super()._start()

    def _stop(self) -> int:
        process = self._process
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
            try:
                process.wait(ENDING)
            except subprocess.TimeoutExpired:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        return super()._stop()

    def _error(self, reason: str) -> RunError:
        return DeviceError(f"{self.address}: {reason}")

    def _end(self, status: int, start: int) -> RunError:
        """Return the error for a runner that has ended. Its status is printed; `status` is that of
        the connection."""
        found = [line for line in super()._lines(start) if line.startswith(_STATUS)]
        if not found:
            words = self._last_words(start)
            return ConnectionLost(f"{self.address}: the connection was lost{words}")
        own = int(found[-1].removeprefix(_STATUS))
        if own == 128 + signal.SIGALRM:
            return self._error(f"the run took more than {self.seconds} s")
        if 128 < own < 160:
            name = signal.Signals(own - 128).name
            return self._error(f"the model crashes the runner there ({name})")
        return super()._end(own, start)

    def _lines(self, start: int) -> list[str]:
        return [line for line in super()._lines(start) if not line.startswith(_STATUS)]


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
    """Return Python's runner as one file, which Python runs as a program."""
    modules = start, python_runner, timed_net, host, messages, clock
    return archive_of(f"from {start.__name__} import main\n\nmain()\n", modules)


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
