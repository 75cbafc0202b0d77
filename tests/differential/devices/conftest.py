"""An OpenSSH server on the loopback interface, as a device."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from ncnn_opt.runtime.devices.address import Address, parse_address
from ncnn_opt.runtime.devices.session import prepare

SSHD = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")

ServerFactory = Callable[[str], "Server"]


@dataclass
class Server:
    """A running server with a cache folder of its own."""

    folder: Path
    port: int
    process: "subprocess.Popen[bytes]" = field(repr=False)

    @property
    def address(self) -> Address:
        return parse_address(f"ssh://127.0.0.1:{self.port}")

    @property
    def cache(self) -> Path:
        return self.folder / "cache" / "ncnn-opt-device"

    def ours(self) -> list[str]:
        """Return the command lines of processes of ours on the device."""
        found: list[str] = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                inside = os.readlink(process / "cwd") == str(self.cache)
                words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if inside or str(self.cache) in words:
                found.append(words)
        return found

    def is_clean(self) -> bool:
        """Whether no process of ours remains there, at most 5 s later."""
        for _ in range(100):
            if not self.ours():
                return True
            time.sleep(0.05)
        return False

    def partial(self) -> list[Path]:
        """Return the files that were not copied completely."""
        return list(self.cache.glob(".*.partial"))

    def cut(self) -> None:
        """End all connections of the server."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        pids = [int(pid) for pid in children.read_text().split()]
        for pid in pids:
            inner = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            # The server's own processes, not the programs that they run.
            names = {int(i): Path(f"/proc/{i}/comm").read_text() for i in inner}
            for own in (pid, *(i for i, name in names.items() if name.startswith("sshd"))):
                os.kill(own, signal.SIGKILL)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def is_listening(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def new_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerFactory]:
    """Starts servers, which end with the module's tests."""
    if SSHD is None or shutil.which("ssh") is None:
        pytest.skip("needs sshd (Debian: openssh-server)")
    running: list[subprocess.Popen[bytes]] = []
    # The package's service makes this empty folder at its start. Only root needs it.
    separation = Path("/run/sshd")
    made = os.geteuid() == 0 and not separation.exists()
    if made:
        separation.mkdir(mode=0o755)

    def start(name: str) -> Server:
        folder = tmp_path_factory.mktemp(name)
        for key in ("host", "user"):
            words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / key)]
            subprocess.run(words, check=True)
        port = free_port()
        config = {
            "Port": port,
            "ListenAddress": "127.0.0.1",
            "HostKey": folder / "host",
            "AuthorizedKeysFile": folder / "user.pub",
            "PidFile": "none",
            "UsePAM": "no",
            "StrictModes": "no",
            "PasswordAuthentication": "no",
            "SetEnv": f"XDG_CACHE_HOME={folder}/cache",
        }
        lines = "".join(f"{name} {value}\n" for name, value in config.items())
        (folder / "sshd_config").write_text(lines)
        host = (folder / "host.pub").read_text()
        (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {host}")
        (folder / "ssh_config").write_text(
            f"Host *\n  IdentityFile {folder}/user\n  IdentitiesOnly yes\n"
            f"  UserKnownHostsFile {folder}/known_hosts\n  LogLevel ERROR\n"
        )
        assert SSHD is not None
        words = [SSHD, "-D", "-e", "-f", str(folder / "sshd_config")]
        with (folder / "log").open("wb") as log:
            running.append(subprocess.Popen(words, stderr=log, stdin=subprocess.DEVNULL))
        for _ in range(100):
            if is_listening(port):
                break
            if running[-1].poll() is not None:
                pytest.skip(f"sshd does not start: {(folder / 'log').read_text().strip()}")
            time.sleep(0.05)
        return Server(folder, port, running[-1])

    yield start
    for process in running:
        process.terminate()
        process.wait()
    if made:
        with suppress(OSError):
            separation.rmdir()


@pytest.fixture(scope="module")
def shared_server(new_server: ServerFactory) -> Server:
    """A server whose Python has the package ncnn."""
    pytest.importorskip("ncnn")
    server = new_server("device")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NCNN_OPT_SSH", f"ssh -F {server.folder}/ssh_config")
        prepare(server.address, python=sys.executable).close()
    return server


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The cache folder of this machine as a device, whose Python has the package ncnn."""
    pytest.importorskip("ncnn")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "cache" / "ncnn-opt-device"
    folder.mkdir(parents=True)
    (folder / "prepared").write_text(f"python {sys.executable}\n")
    return folder


@pytest.fixture
def server(shared_server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Server:
    """The server, and empty caches of decisions."""
    monkeypatch.setenv("NCNN_OPT_SSH", f"ssh -F {shared_server.folder}/ssh_config")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return shared_server
