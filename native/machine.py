"""The processor and the compiler versions that measurements of native code depend on.

They are the key of the cache of `--autotune`: a measurement on another processor, or of another
compiler, does not count.
"""

import platform
from importlib.metadata import PackageNotFoundError, version

from ..targets.cache import digest
from .errors import MISSING, NativeError
from .instructions import cpu_info

_FIELDS = ("vendor_id", "cpu family", "model", "stepping", "flags", "CPU implementer", "CPU part")
"""The fields of /proc/cpuinfo that code depends on."""


def machine() -> dict[str, str]:
    """Return the processor and the versions of the compilers. Raises `NativeError` if IREE is not
    installed."""
    try:
        iree = version("iree-base-compiler")
    except PackageNotFoundError as e:
        raise NativeError(MISSING.format(what="compiling")) from e
    found = cpu_info()
    name = found.get("model name") or platform.processor() or platform.machine()
    details = [found[word] for word in _FIELDS if word in found]
    cpu = f"{name} {digest(*details)[:8]}" if details else name
    return {"cpu": cpu, "iree": iree, "ncnn-opt": version("ncnn-opt")}
