"""Native code of models: from ncnn's layers through linalg to an IREE program or a C library.

IREE is the extra `native` (`pip install 'ncnn-opt[native]'`). It is imported when a model is
compiled or run.
"""

from typing import NamedTuple

__all__ = ["ENTRY", "TARGETS", "CompileTarget"]

ENTRY = "main"
"""The function of a compiled model."""


class CompileTarget(NamedTuple):
    """A kind of device that code is compiled for."""

    device: str
    """The name of the kind of device in IREE's compiler."""
    driver: str
    """The name of its driver in IREE's runtime."""
    chip_flag: str | None = None
    """The compiler's option that names a processor of this kind."""


TARGETS = {
    "cpu": CompileTarget("local", "local-task", "--iree-llvmcpu-target-cpu"),
    "cuda": CompileTarget("cuda", "cuda", "--iree-cuda-target"),
    "vulkan": CompileTarget("vulkan", "vulkan", "--iree-vulkan-target"),
    "rocm": CompileTarget("hip", "hip", "--iree-rocm-target"),
    "metal": CompileTarget("metal", "metal"),
}
"""The supported targets; the first is the default."""
