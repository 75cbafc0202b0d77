"""Native code of models: from ncnn's layers through linalg to a program of IREE, and running it.

IREE is the extra `native` (`pip install 'ncnn-opt[native]'`), imported when something is compiled
or run.
"""

from typing import NamedTuple

__all__ = ["ENTRY", "TARGETS", "Target"]

ENTRY = "main"
"""The function of a model that is called."""


class Target(NamedTuple):
    """What code is made for."""

    device: str
    """IREE's name of the kind of device, for its compiler."""
    driver: str
    """Of what runs it, for its runtime."""
    chip_flag: str | None = None
    """The compiler's option that names a processor of this kind."""


TARGETS = {
    "cpu": Target("local", "local-task", "--iree-llvmcpu-target-cpu"),
    "cuda": Target("cuda", "cuda", "--iree-cuda-target"),
    "vulkan": Target("vulkan", "vulkan", "--iree-vulkan-target"),
    "rocm": Target("hip", "hip", "--iree-rocm-target"),
    "metal": Target("metal", "metal"),
}
"""What code can be made for, the first one unless something else is said."""
