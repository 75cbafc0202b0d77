"""Where weights are loaded from, and how a command ends whose device IREE cannot release."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.dialects.ncnn.weights import WeightFile, WeightSlice
from ncnn_opt.formats.weight_storage import SliceLayout
from ncnn_opt.native import loaded_program
from ncnn_opt.native.parameters import ALIGNMENT, Parameter
from ncnn_opt.native.program import Compiled


class Runtime:
    """IREE's runtime, as far as an index of weights needs it."""

    def __init__(self) -> None:
        self.handles: dict[str, str] = {}
        runtime = self

        class FileHandle:
            @staticmethod
            def wrap_memory(memory: object) -> str:
                return "memory"

            @staticmethod
            def wrap_fd(number: int) -> str:
                return "file"

        class ParameterIndex:
            def add_from_file_handle(self, key: str, handle: str, size: int, offset: int) -> None:
                runtime.handles[key] = handle

        self.FileHandle = FileHandle
        self.ParameterIndex = ParameterIndex


@pytest.mark.parametrize(
    ("target", "aligned", "other"),
    [("cpu", "memory", "file"), ("vulkan", "memory", "memory"), ("cuda", "file", "file")],
)
def test_places_of_weights(target: str, aligned: str, other: str, tmp_path: Path) -> None:
    path = tmp_path / "m.bin"
    path.write_bytes(bytes(2 * ALIGNMENT))
    file = WeightFile.open(str(path))
    slices = {at: WeightSlice(file, at, SliceLayout.PLAIN) for at in (0, 4)}
    weights = tuple(Parameter(f"at {at}", each, 4) for at, each in slices.items())
    runtime: Any = Runtime()
    loaded_program.index_of(runtime, Compiled(b"", target, (), (), (), weights, None))
    assert runtime.handles == {"at 0": aligned, "at 4": other}


ABORTING = """
import atexit, os, sys
from ncnn_opt.driver.errors import UsageError
from ncnn_opt.native import loaded_program
from ncnn_opt.tools.process import running
atexit.register(os.abort)  # as IREE does where it cannot release a device
loaded_program.broken_devices.add(sys.argv[1])
with running("ncnn-run"):
    raise UsageError("no memory on the device")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")
@pytest.mark.parametrize(("driver", "status"), [("vulkan", 1), ("local-task", -6)])
def test_a_command_whose_device_is_broken_ends_with_one_error(driver: str, status: int) -> None:
    command = [sys.executable, "-c", ABORTING, driver]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, "ncnn-run: error: no memory on the device\n")


ON_VULKAN = """
import numpy as np
from ncnn_opt import load
model = load("examples/small_cnn.param")
x = np.random.default_rng(0).random((3, 32, 32), "f4")
found = model.compile(target_device="vulkan")(x)["prob"]
np.testing.assert_allclose(found, model.run(x)["prob"], rtol=1e-4, atol=1e-6)
"""


def test_vulkan() -> None:
    """The outputs on a Vulkan device are those of NumPy. In a process of its own: threads of Mesa's
    device use the processor until the process ends."""
    pytest.importorskip("iree.runtime")
    command = [sys.executable, "-c", ON_VULKAN]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "there is no device of IREE's" in done.stderr:
        pytest.skip("needs a Vulkan device (Debian: mesa-vulkan-drivers)")
    assert done.returncode == 0, done.stderr
