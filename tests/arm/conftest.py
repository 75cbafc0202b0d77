"""Tests on an emulated 64-bit arm processor. `make test-arm` runs them.

`NCNN_AARCH64_PYTHON` names a program that runs a Python with ncnn and NumPy on the processor;
`tests/arm/prepare.sh` makes one.
"""

import os
import platform
import shutil
from collections.abc import Iterator

import pytest
from ncnn_opt.runtime.process import Runtime

EMULATOR = "qemu-aarch64-static"

SECONDS = 1200
"""The time limit of one model."""


@pytest.fixture(scope="session")
def arm() -> Iterator[Runtime]:
    """The runtime on the processor."""
    python = os.environ.get("NCNN_AARCH64_PYTHON")
    if python is None:
        pytest.skip("NCNN_AARCH64_PYTHON names no Python for aarch64: sh tests/arm/prepare.sh")
    if platform.machine() != "aarch64" and shutil.which(EMULATOR) is None:
        pytest.skip(f"{EMULATOR} is not installed: apt install qemu-user-static")
    with Runtime(SECONDS, python) as runtime:
        yield runtime
