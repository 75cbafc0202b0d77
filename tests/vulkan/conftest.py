"""Tests that need a Vulkan device; a software one (llvmpipe) is enough. `make test-vulkan` runs
them."""

import subprocess
import sys

import pytest

COUNT = "import ncnn; print(ncnn.get_gpu_count())"


def has_device() -> bool:
    """Whether the runtime finds a Vulkan device. (In a process of its own: drivers may crash.)"""
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True)
    return done.returncode == 0 and int(done.stdout.split()[-1]) > 0


@pytest.fixture(scope="session", autouse=True)
def device() -> None:
    """Skips all tests of this folder without a device."""
    if not has_device():
        pytest.skip("needs a Vulkan device (Debian: mesa-vulkan-drivers)")
