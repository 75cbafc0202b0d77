"""The start of the runner in Python, on a device.

It takes the lock of the device before it imports anything that takes time: another session may
measure. The runner ends with its standard input, even in the middle of a run. The file needs Python
3.7 only.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from typing import Any

PROTOCOL = 2
LOCK = "ncnn-opt-device"
"""The name of the lock that all users of a device share."""
IDLE = 900
"""A runner without a request ends after this many seconds."""
HANG_UP = select.POLLHUP | select.POLLERR | getattr(select, "POLLRDHUP", 0)


def watch_input(parent: int) -> None:
    """End the parent process when standard input closes: the runtime holds Python's lock during a
    run, so that a thread would be too late."""
    poll = select.poll()
    poll.register(0, HANG_UP)
    while os.getppid() == parent:
        if any(events & HANG_UP for _, events in poll.poll(500)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(parent, signal.SIGKILL)
            break
    os._exit(0)


def take_lock() -> Any | None:
    """Return the lock of this device, which ends with the process; `None` if another process holds
    it. Abstract names (Linux, Android) need no file and hold for all users."""
    lock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        lock.bind("\0" + LOCK)
        return lock
    except OSError as e:
        if e.errno == errno.EADDRINUSE:
            return None
    fcntl = importlib.import_module("fcntl")
    handle = os.open(".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return None
    return handle


def main() -> None:
    """Greet, and answer requests until standard input ends."""
    # Standard output is for answers only. What the runtime prints goes to standard error.
    answers = os.dup(1)
    os.dup2(2, 1)

    def greet(**greeting: object) -> None:
        os.write(answers, json.dumps(greeting).encode() + b"\n")

    lock = take_lock()
    if lock is None:
        greet(busy=True)
        return
    own = os.getpid()
    if os.fork() == 0:
        lock.close() if hasattr(lock, "close") else os.close(lock)
        os.close(answers)
        watch_input(own)
    signal.alarm(IDLE)
    try:
        ncnn, _ = importlib.import_module("ncnn"), importlib.import_module("numpy")
    except ImportError as e:
        greet(missing=str(e), python=sys.executable)
        return
    from .runner import Runner

    gc.disable()
    greet(protocol=PROTOCOL, runner="python", ncnn=ncnn.__version__)
    os.dup2(answers, 1)
    os.close(answers)
    Runner().serve()
