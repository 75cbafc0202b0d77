"""The ncnn runtime as an oracle: a model at many extents, in float32 or as it runs by default, in
memory that is filled with a byte. What depends on the byte was never computed."""

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from ncnn_opt.runtime.process import Blobs, Failure

FILLS = (0x3F, 0xC1)
"""The bytes that memory is filled with. As float32 they are 0.7 and -12, as float16 1.8 and -2.9,
as int8 63 and -63: of the size of what nets compute, so that no maximum hides them."""

SECONDS = 10
"""How long one request may take before it counts as hanging."""


class Oracle:
    """Runs models in a process of its own, which survives their crashes."""

    def __init__(self, fill: int, python: str = sys.executable) -> None:
        """`python` is the interpreter of an environment with NumPy and any release of the
        runtime."""
        # What is allocated with `malloc` (weights are) gets the complement of that variable's byte.
        environment = {**os.environ, "MALLOC_PERTURB_": str(fill ^ 0xFF)}
        environment |= {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
        self._process = subprocess.Popen(
            [python, str(Path(__file__).with_name("oracle_worker.py")), str(fill)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()

    def renew(self) -> None:
        """Takes another process, whose memory nothing has brought into disorder."""
        self._ask(None)
        self._answers(0)

    def run(
        self, param: Path, feeds: Sequence[Blobs], outputs: Sequence[str], full: bool = True
    ) -> list[Blobs | Failure]:
        """These outputs of the model for each of the inputs, or why there are none; `full`: in
        float32."""
        found: list[Blobs | Failure] = []
        while len(found) < len(feeds):
            self._ask((str(param), full, list(feeds[len(found) :]), list(outputs)))
            found += self._answers(len(feeds) - len(found))
        return found

    def _ask(self, request: object) -> None:
        pickle.dump((SECONDS, request), _pipe(self._process.stdin))
        _pipe(self._process.stdin).flush()

    def _answers(self, most: int) -> list[Blobs | Failure]:
        """The answers up to the end of a request or a crash, of which the rest knows nothing."""
        found: list[Blobs | Failure] = []
        while True:
            kind, what = pickle.load(_pipe(self._process.stdout))
            if kind == "answer":
                found.append(Failure(what) if isinstance(what, str) else what)
                continue
            if kind == "crash" and len(found) < most:
                found.append(Failure(f"the runtime crashed ({what})"))
            return found


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
