"""Transports: programs that run commands on a device and copy files to it."""

import os
import shlex
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .address import Address, ConnectionLost, DeviceError

SECONDS = 60
"""The time limit of a short command."""
SECONDS_PER_MIB = 10
"""The additional time limit for each MiB of a copied file: a slow wireless network."""


@dataclass(frozen=True)
class Done:
    """A finished command."""

    status: int
    out: str
    err: str

    @property
    def reason(self) -> str:
        """The last line of standard error, else the status."""
        lines = self.err.strip().splitlines()
        return lines[-1].strip() if lines else f"status {self.status}"


class Transport(ABC):
    """The connection to a device."""

    folder = '"${XDG_CACHE_HOME:-$HOME/.cache}/ncnn-opt-device"'
    """The cache folder on the device, as a word of its shell."""

    def __init__(self, address: Address) -> None:
        self.address = address

    @abstractmethod
    def words(self, command: str) -> Sequence[str]:
        """Return the local command line that runs a command in the device's shell."""

    def is_lost(self, done: Done) -> bool:
        """Whether a command failed because of the connection."""
        return False

    def run(self, command: str, file: str | None = None, seconds: float = SECONDS) -> Done:
        """Run a command, with a file as its standard input. Raise `DeviceError` if the device does
        not answer."""
        result = self._finished(self.words(command), seconds, file)
        if result.status and self.is_lost(result):
            raise ConnectionLost(f"{self.address}: no connection: {result.reason}")
        return result

    def _finished(self, words: Sequence[str], seconds: float, file: str | None = None) -> Done:
        """Run a local command line to its end."""
        try:
            with open(os.devnull if file is None else file, "rb") as stream:
                done = subprocess.run(
                    words,
                    stdin=stream,
                    capture_output=True,
                    timeout=seconds,
                    check=False,
                    start_new_session=True,
                )
        except subprocess.TimeoutExpired as e:
            raise ConnectionLost(f"{self.address}: no answer for {seconds:.0f} s") from e
        except FileNotFoundError as e:
            reason = e.strerror or str(e)
            raise DeviceError(
                f"{self.address}: '{words[0]}' does not start: {reason}; install it"
            ) from e
        out, err = (data.decode(errors="replace") for data in (done.stdout, done.stderr))
        return Done(done.returncode, out, err)

    def push(self, local: Path, remote: str, partial: str) -> Done:
        """Copy a file to a path on the device, through a partial file beside it."""
        to, part, size = shlex.quote(remote), shlex.quote(partial), local.stat().st_size
        # If the connection ends, the device's shell still runs the rest.
        whole = f"cat > {part} && test $(wc -c < {part}) -eq {size} && mv -f {part} {to}"
        return self.run(f"{whole} || {{ rm -f {part}; exit 1; }}", str(local), limit_for(size))


class Local(Transport):
    """This machine, through a shell."""

    def words(self, command: str) -> Sequence[str]:
        return ["sh", "-c", command]


class Ssh(Transport):
    """A machine behind OpenSSH's client, which reads `~/.ssh/config`. The environment variable
    `NCNN_OPT_SSH` replaces the program `ssh` and may add options."""

    def words(self, command: str) -> Sequence[str]:
        program = shlex.split(os.environ.get("NCNN_OPT_SSH", "")) or ["ssh"]
        options = {
            "BatchMode": "yes",  # no questions: nobody may be there to answer
            "ConnectTimeout": "15",
            "ServerAliveInterval": "10",
            "ServerAliveCountMax": "3",
        }
        given = [f"-o{name}={value}" for name, value in options.items()]
        port = [] if self.address.port is None else ["-p", str(self.address.port)]
        return [*program, "-T", *given, *port, self.address.host, f"sh -c {shlex.quote(command)}"]

    def is_lost(self, done: Done) -> bool:
        return done.status == 255  # ssh's own errors


class Adb(Transport):
    """An Android device behind the program `adb`, which needs Android 7 or newer (exit statuses of
    `adb shell`). Files are copied by `adb push`."""

    folder = "/data/local/tmp/ncnn-opt-device"

    def words(self, command: str) -> Sequence[str]:
        return [*self._adb(), "shell", "-T", command]

    def is_lost(self, done: Done) -> bool:
        # adb's own messages, as `adb: device 'X' not found` or `error: closed`.
        return done.reason.startswith(("adb: ", "adb.exe: ", "error: "))

    def push(self, local: Path, remote: str, partial: str) -> Done:
        """Copy a file to a path on the device, through a partial file beside it."""
        seconds = limit_for(local.stat().st_size)
        done = self._finished([*self._adb(), "push", str(local), partial], seconds)
        if done.status == 0:
            return self.run(f"mv -f {shlex.quote(partial)} {shlex.quote(remote)}")
        self.run(f"rm -f {shlex.quote(partial)}")
        # Some releases of adb report errors of a copy on standard output.
        return Done(done.status, "", done.err or done.out)

    def _adb(self) -> list[str]:
        return [shutil.which("adb") or "adb", "-s", self.address.host]


def transport_for(address: Address) -> Transport:
    """Return the transport of an address."""
    kinds: dict[str, type[Transport]] = {"ssh": Ssh, "adb": Adb, "local": Local}
    return kinds[address.scheme](address)


def limit_for(size: int) -> float:
    """Return the time limit in seconds for the copy of a file."""
    return SECONDS + SECONDS_PER_MIB * size / 2**20
