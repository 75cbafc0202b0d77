"""The ncnn runtime in a separate process, so that its crash is a result and does not end ours."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..interpreters.errors import RunError
from . import host
from .host import Blobs, Location

SECONDS = 60
"""The time limit for one model in seconds."""


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


class Process:
    """A process that answers the requests of a host (`host.py`). The first request starts it, and
    the first one after its end a new one."""

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
        self._words = tempfile.TemporaryFile()

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.kill()
        self.close()

    def call(self, method: str, *arguments: object) -> Any:
        """Return the result of a method of the host. Raise `RunError` with the reason if the
        runtime refuses the call, or crashes."""
        process = self._process or self._start()
        requests, answers = process.stdin, process.stdout
        assert requests is not None
        assert answers is not None
        start = self._words.seek(0, os.SEEK_END)
        try:
            pickle.dump((self.seconds, method, arguments), requests, pickle.HIGHEST_PROTOCOL)
            requests.flush()
            done, answer = pickle.load(answers)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            done, answer = False, self._describe_end(self._stop())
        if not done:
            raise RunError(answer + self._last_words(start))
        return answer

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
        return self._process

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

    def _describe_end(self, status: int) -> str:
        if status == -signal.SIGALRM:
            return f"the runtime took more than {self.seconds} s"
        if status < 0:
            return f"the runtime crashed ({signal.Signals(-status).name})"
        return f"the runtime ended with status {status}"

    def _last_words(self, start: int) -> str:
        """Return the last line that the process printed since a position, in brackets, if there is
        one."""
        self._words.seek(start)
        lines = self._words.read().decode(errors="replace").strip().splitlines()
        return f" ({lines[-1]})" if lines else ""


class Runtime:
    """A process that runs models one after the other. A new process replaces a crashed one."""

    def __init__(self, seconds: int = SECONDS, python: str = sys.executable) -> None:
        """`python` is the interpreter of an environment with NumPy and any release of the runtime.
        `seconds` is the time limit for one run."""
        # The program is started by its file: the environment need not have this package.
        self._process = Process([python, host.__file__], seconds, environment_of(python))

    @staticmethod
    def is_there() -> bool:
        """Whether the package `ncnn` is installed."""
        return find_spec("ncnn") is not None

    def __enter__(self) -> "Runtime":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.close()

    def run(
        self,
        param: Path,
        inputs: Blobs,
        outputs: Sequence[str],
        *,
        weights: Path | None = None,
        light_mode: bool = True,
        packing: bool = True,
        steps: Mapping[str, int] | None = None,
        precision: str = "float32",
        device: str = "cpu",
        custom_layers: Mapping[str, Location] | None = None,
    ) -> Blobs | Failure:
        """Return the blobs `outputs` of a model, computed in one thread.

        `weights` is the `.bin`; by default it has the name of `param`. `precision` is one of
        `runtime.PRECISIONS` or `DEFAULT`, the runtime's default, in which some weights are float16.
        `device` is one of `runtime.DEVICES`.
        `light_mode`, the runtime's default, frees a blob once it is read, so that a model in which
        two layers read a blob without a Split does not run. `packing` is also the runtime's
        default; without it, a layer uses the code for any number of channels. `steps` gives, for
        inputs that are caches of keys or values (`heads x room x features`), the number of past
        steps; the rest is room for new steps.
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
