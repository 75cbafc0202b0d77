"""The threads of NumPy's BLAS library. A quantization multiplies many small matrices, and there may
be a process for each CPU beside it: more threads would mostly wait, and use processor time."""

import ctypes
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock

SETTING = "OPENBLAS_NUM_THREADS"
"""The environment variable by which a user chooses the number."""
_NAMES = [(head, tail) for head in ("scipy_", "") for tail in ("64_", "")]
"""The parts of names before and behind `openblas_set_num_threads` in builds of OpenBLAS."""

_lock = Lock()
_depth = 0
_before = 0


@contextmanager
def one_blas_thread() -> Generator[None]:
    """Let BLAS compute in one thread in the `with` block, in the whole program. Nested blocks, and
    blocks in other threads, restore the number when the last of them ends. There is no change if
    the user has set the number (`SETTING`), or if the library is not OpenBLAS."""
    if SETTING in os.environ or (calls := _calls()) is None:
        yield
        return
    read, write = calls
    global _depth, _before
    with _lock:
        if _depth == 0:
            _before = read()
            write(1)
        _depth += 1
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0:
                write(_before)


@cache
def _calls() -> tuple[Callable[[], int], Callable[[int], object]] | None:
    """Return the functions of OpenBLAS that read and write the number of threads."""
    path = import_module("numpy.linalg._umath_linalg").__file__
    try:
        library = ctypes.CDLL(path)  # symbols are also looked up in the libraries that it needs
    except OSError:
        return None
    for head, tail in _NAMES:
        try:
            read, write = (
                library[f"{head}openblas_{verb}_num_threads{tail}"] for verb in ("get", "set")
            )
        except AttributeError:
            continue
        return read, write
    return None
