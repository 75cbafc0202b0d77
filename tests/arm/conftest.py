"""Tests on an emulated 64-bit arm processor. `make test-arm` runs them.

`NCNN_AARCH64_PYTHON` names a program that runs a Python with ncnn and NumPy on the processor;
`tests/arm/prepare.sh` makes one.
"""

import os
from collections.abc import Iterator

import pytest
from ncnn_opt.runtime.process import Runtime

SECONDS = 1200
"""The time limit of one model."""


@pytest.fixture(scope="session")
def arm() -> Iterator[Runtime]:
    """The runtime on the processor."""
    python = os.environ.get("NCNN_AARCH64_PYTHON")
    if python is None:
        pytest.skip("NCNN_AARCH64_PYTHON names no Python for aarch64: sh tests/arm/prepare.sh")
    with Runtime(SECONDS, python) as runtime:
        yield runtime
