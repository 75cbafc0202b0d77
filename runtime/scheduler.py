"""A connection to a dask.distributed scheduler, which is an extra (`.[dask]`)."""

import importlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from ..interpreters.errors import RunError

SECONDS = 20
"""Seconds after which a scheduler must have answered."""


@contextmanager
def connected(address: str) -> Generator[Any]:
    """Yield a client of the scheduler."""
    if find_spec("distributed") is None:
        raise RunError("dask.distributed is not installed: pip install 'ncnn-opt[dask]'")
    make: Callable[..., Any] = importlib.import_module("distributed").Client
    try:
        client = make(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError):
        raise RunError(f"there is no scheduler at '{address}'") from None
    try:
        yield client
    finally:
        client.close()


def begin(client: Any, address: str) -> tuple[int, Any]:
    """Return the number of threads of the workers, and an iterator of finished tasks that new tasks
    are added to. Raises `RunError` if there are no workers."""
    threads: int = sum(client.ncores().values())
    if not threads:
        raise RunError(f"nobody works for the scheduler at '{address}'")
    return threads, importlib.import_module("distributed").as_completed([], loop=client.loop)


@contextmanager
def asking(address: str) -> Generator[None]:
    """Name the scheduler in errors of the scheduler and its workers."""
    try:
        yield
    except RunError:
        raise
    except Exception as e:
        reason = (str(e) or type(e).__name__).splitlines()[0]
        raise RunError(f"scheduler '{address}': {reason}") from e
