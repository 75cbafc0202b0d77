"""The ncnn runtime in a separate process, so that its crash is a result and does not end ours.

Here is the client of all processes that run models; `host.py` is their program.
`devices/session.py` has the same client for a device.
"""

import io
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self
from zipfile import ZipFile, ZipInfo

from ..interpreters.errors import RunError
from . import host, messages
from .custom_layers import CustomLayers
from .host import Blobs

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SECONDS = 60
"""The time limit for one model in seconds."""
GRACE = 15
"""A process ends by itself at the time limit of a request. After this many more seconds the client
ends it."""


@dataclass(frozen=True)
class Decoded:
    """The results of successive calls of a model."""

    blobs: Sequence[Blobs]
    """The outputs of each call."""
    seconds: Sequence[float]
    """The time of each call."""
    cache_bytes: Sequence[int]
    """The size of all caches after each call."""


@dataclass(frozen=True)
class Generated:
    """The tokens that a language model continues a prompt with."""

    tokens: Sequence[int]
    """The token after each call."""
    seconds: Sequence[float]
    """The time of each call, of the embedding to the head."""
    cache_bytes: Sequence[int]
    """The size of all caches after each call."""


@dataclass(frozen=True)
class Failure:
    """A failed run: the runtime refused the model, or crashed."""

    reason: str


class _Answers(io.RawIOBase):
    """The bytes that a process writes."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self.deadline: float | None = None
        """The value of `time.monotonic` after which a read raises `TimeoutError`."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        left = None if self.deadline is None else max(0.0, self.deadline - time.monotonic())
        if not select.select([self.handle], [], [], left)[0]:
            raise TimeoutError
        return os.readv(self.handle, [buffer])


class Process:
    """A process that answers the requests of a host (`host.py`). The first request starts it, and
    the first one after its end a new one."""

    name = "the runtime"
    """The name of the process in messages."""

    def __init__(
        self,
        command: Sequence[str],
        seconds: int = 0,
        env: Mapping[str, str] | None = None,
        new_session: bool = False,
    ) -> None:
        """`command` starts the program. `seconds` is the time limit of a request, 0 for none. In a
        session of its own, the process does not get the signals of the terminal."""
        self._command = command
        self._env = env
        self._new_session = new_session
        self.seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._answers = _Answers(-1)
        self._reader = io.BufferedReader(self._answers)
        self._words = tempfile.TemporaryFile()
        """What the process printed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.kill()
        self.close()

    def call(self, method: str, *arguments: object) -> Any:
        """Return the result of a method of the host. Raise `RunError` with the reason if the
        runtime refuses the call, or crashes."""
        requests = (self._process or self._start()).stdin
        assert requests is not None
        start = self._words.seek(0, os.SEEK_END)
        request = {"seconds": self.seconds, "method": method, "arguments": arguments}
        try:
            messages.send(requests, request)
            answer = self._receive(self.seconds and self.seconds + GRACE)
        except (EOFError, BrokenPipeError):
            raise self._end(self._stop(), start) from None
        if "result" in answer:
            return answer["result"]
        raise self._error(f"{answer.get('error')}{self._last_words(start)}")

    def kill(self) -> None:
        """End the process at once."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the idle process, and wait for its end."""
        self._stop()
        self._words.close()

    def _start(self) -> "subprocess.Popen[bytes]":
        self._process = subprocess.Popen(
            self._command,
            env=self._env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._words,
            start_new_session=self._new_session,
        )
        assert self._process.stdout is not None
        self._answers = _Answers(self._process.stdout.fileno())
        self._reader = io.BufferedReader(self._answers)
        return self._process

    def _receive(self, seconds: float) -> dict[str, Any]:
        """Return the next message, which comes within this time; 0: at any time. Raise `RunError`,
        and `EOFError` if the process has ended."""
        self._answers.deadline = time.monotonic() + seconds if seconds else None
        try:
            return messages.receive(self._reader)
        except TimeoutError:
            reason = f"no answer for {seconds:.0f} s"
        except ValueError as e:
            reason = f"{self.name} answers '{e}', which is no JSON"
        self.kill()
        self._stop()
        raise self._error(reason)

    def _stop(self) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):
            process.stdin.close()
        process.wait()
        process.stdout.close()
        return process.returncode

    def _error(self, reason: str) -> RunError:
        return RunError(reason)

    def _end(self, status: int, start: int) -> RunError:
        """Return the error for a process that ended with this status, after a request before which
        it had printed `start` bytes."""
        if status == -signal.SIGALRM:
            reason = f"{self.name} took more than {self.seconds} s"
        elif status < 0:
            reason = f"{self.name} crashed ({signal.Signals(-status).name})"
        else:
            reason = f"{self.name} ended with status {status}"
        return self._error(reason + self._last_words(start))

    def _last_words(self, start: int) -> str:
        """Return the last line that the process printed since a position, in brackets, if there is
        one."""
        lines = self._lines(start)
        return f" ({lines[-1]})" if lines else ""

    def _lines(self, start: int) -> list[str]:
        """Return the lines with text that the process printed since a position."""
        self._words.seek(start)
        lines = self._words.read().decode(errors="replace").splitlines()
        return [line.strip() for line in lines if line.strip()]


class Runtime:
    """A process that runs models one after the other. A new process replaces a crashed one."""

    def __init__(self, seconds: int = SECONDS, python: str = sys.executable) -> None:
        """`python` is the interpreter of an environment with NumPy and any release of the runtime.
        `seconds` is the time limit for one run."""
        program = ["-P", "-m", host.__name__]
        self._archive = tempfile.NamedTemporaryFile(prefix="ncnn-host-")
        if python != sys.executable:  # the environment need not have this package
            start = f"from {host.__name__} import Host\n\nHost().serve()\n"
            self._archive.write(archive_of(start, (host, messages)))
            self._archive.flush()
            program = [self._archive.name]
        self._process = Process([python, *program], seconds, environment_of(python))

    @staticmethod
    def is_there() -> bool:
        """Whether the package `ncnn` is installed."""
        return find_spec("ncnn") is not None

    def __enter__(self) -> "Runtime":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.close()
        self._archive.close()

    def run(
        self,
        param: Path,
        inputs: Blobs,
        outputs: Sequence[str],
        *,
        weights: Path | None = None,
        light_mode: bool | None = True,
        packing: bool = True,
        steps: Mapping[str, int] | None = None,
        precision: str = "float32",
        device: str = "cpu",
        custom_layers: CustomLayers | None = None,
    ) -> Blobs | Failure:
        """Return the blobs `outputs` of a model, computed in one thread.

        `weights` is the `.bin`; by default it has the name of `param`. `precision` is one of
        `runtime.PRECISIONS` or `DEFAULT`, the runtime's default, in which some weights are float16.
        `device` is one of `runtime.DEVICES`.
        `light_mode`, the runtime's default, frees a blob once it is read, so that a model in which
        two layers read a blob without a Split does not run; `None` turns it off for such a model
        only. `packing` is also the runtime's default; without it, a layer uses the code for any
        number of channels. `steps` gives, for inputs that are caches of keys or values
        (`heads x room x features`), the number of past steps; the rest is room for new steps.
        """
        weights = weights or param.with_suffix(".bin")
        blobs = dict(inputs), dict(steps or {}), list(outputs)
        setting = dict(custom_layers or {}), light_mode, packing, precision, device
        request = str(param), str(weights), *blobs, *setting
        return self._answer("execute", request)

    def _answer(self, method: str, request: Sequence[object]) -> Any:
        """Return the answer to a request, or the failure."""
        try:
            return self._process.call(method, *request)
        except RunError as e:
            return Failure(str(e))

    def decode(
        self,
        param: Path,
        calls: Sequence[Blobs],
        caches: Mapping[str, str],
        outputs: Sequence[str],
        *,
        weights: Path | None = None,
        repeat: int = 1,
        copied: bool = False,
    ) -> "Decoded | Failure":
        """Return the blobs `outputs` of successive calls of a model. `caches` are the inputs that
        get an output of the call before, by name; the first call gets empty blobs. Each call gets
        copies of them if `copied`; of caches in the runtime's own format, copies may be incomplete.
        All calls are made `repeat` times, from the beginning; times are the shortest."""
        weights = weights or param.with_suffix(".bin")
        every = [dict(each) for each in calls]
        request = str(param), str(weights), every, dict(caches), list(outputs), repeat, copied
        answer = self._answer("decode", request)
        return answer if isinstance(answer, Failure) else Decoded(*answer)

    def generate(
        self,
        files: Sequence[tuple[Path, Path]],
        calls: Sequence[tuple[Blobs, Blobs]],
        names: Sequence[str],
        caches: Mapping[str, str],
        prompt: Sequence[int],
    ) -> "Generated | Failure":
        """Return the most likely token after each of successive calls of a language model. The
        first call gets the prompt, each other one the token before it. `files` are the `.param` and
        `.bin` of embedding, decoder and head, `names` their inputs for tokens, hidden states and
        hidden states. `calls` are the further inputs of embedding and decoder in each call, and
        `caches` are as in `decode`."""
        paths = [(str(param), str(weights)) for param, weights in files]
        every = [(dict(first), dict(second)) for first, second in calls]
        request = paths, every, list(names), dict(caches), list(prompt)
        answer = self._answer("generate", request)
        return answer if isinstance(answer, Failure) else Generated(*answer)


def environment_of(python: str) -> Mapping[str, str]:
    """Return the environment variables for an interpreter. The places of our packages are those of
    this interpreter only: another one would import our `ncnn` instead of its own."""
    own = python == sys.executable
    return {k: v for k, v in os.environ.items() if own or k not in ("PYTHONPATH", "PYTHONHOME")}


def archive_of(start: str, modules: Iterable[ModuleType]) -> bytes:
    """Return modules of this package as one file, which any Python runs as a program: it executes
    the text `start`. Equal sources make equal bytes."""
    files = {"__main__": start.encode()}
    for module in modules:
        *packages, name = module.__name__.split(".")
        for end in range(1, len(packages) + 1):
            files["/".join([*packages[:end], "__init__"])] = b""
        files["/".join([*packages, name])] = Path(str(module.__file__)).read_bytes()
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(f"{name}.py"), content)
    return buffer.getvalue()
