"""The ncnn runtime in a separate process, so that its crash is a result and does not end ours."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from . import serving
from .serving import DECODE, EXECUTE, GENERATE, Blobs, Location

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


class Runtime:
    """A process that runs models one after the other. A new process replaces a crashed one."""

    def __init__(self, seconds: int = SECONDS, python: str = sys.executable) -> None:
        """`python` is the interpreter of an environment with NumPy and any release of the runtime.
        `seconds` is the time limit for one run."""
        self._python = python
        self._process: subprocess.Popen[bytes] | None = None
        self._words = tempfile.TemporaryFile()
        self._seconds = seconds

    @staticmethod
    def is_there() -> bool:
        """Whether the package `ncnn` is installed."""
        return find_spec("ncnn") is not None

    def __enter__(self) -> "Runtime":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._words.close()

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
        setting = light_mode, packing, precision, device, dict(custom_layers or {})
        request = str(param), str(weights), *blobs, *setting
        return self._answer(EXECUTE, request)

    def _answer(self, work: str, request: Sequence[object]) -> Any:
        """Return the answer to a request, or the failure."""
        process = self._process or self._start()
        start = self._words.seek(0, os.SEEK_END)
        try:
            answer = ask(process, (self._seconds, work, request))
        except (EOFError, BrokenPipeError):
            status = self._stop()
            answer = describe_end(status)
            if status == -signal.SIGALRM:
                answer = f"the runtime took more than {self._seconds} s"
        if isinstance(answer, str):
            return Failure(answer + last_words(self._words, start))
        return answer

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
        answer = self._answer(DECODE, request)
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
        answer = self._answer(GENERATE, request)
        return answer if isinstance(answer, Failure) else Generated(*answer)

    def _start(self) -> "subprocess.Popen[bytes]":
        self._process = subprocess.Popen(
            [self._python, serving.__file__],
            env=environment_of(self._python),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._words,
        )
        return self._process

    def _stop(self) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.communicate()
        return process.returncode


def environment_of(python: str) -> Mapping[str, str]:
    """Return the environment variables for an interpreter. The places of our packages are those of
    this interpreter only: another one would import our `ncnn` instead of its own."""
    own = python == sys.executable
    return {k: v for k, v in os.environ.items() if own or k not in ("PYTHONPATH", "PYTHONHOME")}


def ask(process: "subprocess.Popen[bytes]", request: object) -> Any:
    """Return the answer of a process. Raise `EOFError` or `BrokenPipeError` if it has ended."""
    requests, answers = process.stdin, process.stdout
    assert requests is not None
    assert answers is not None
    pickle.dump(request, requests, pickle.HIGHEST_PROTOCOL)
    requests.flush()
    return pickle.load(answers)


def describe_end(status: int) -> str:
    """Return a message about the end of a process that runs models."""
    if status < 0:
        return f"the runtime crashed ({signal.Signals(-status).name})"
    return f"the runtime ended with status {status}"


def last_words(words: IO[bytes], start: int = 0) -> str:
    """Return the last line of a file after the position `start`, in brackets, if there is one."""
    words.seek(start)
    lines = words.read().decode(errors="replace").strip().splitlines()
    return f" ({lines[-1]})" if lines else ""
