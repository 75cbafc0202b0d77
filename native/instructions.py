"""The vector instructions of processors. They determine the costs of native forms.

IREE names hundreds of processors; the costs have been measured for three kinds of vectors.
"""

import platform
from contextlib import suppress

AVX512_CPUS = ("avx512", "cascade", "cooper", "icelake", "rapids", "-v4", "znver4", "znver5")
"""Parts of IREE's names of processors with AVX-512."""


def vector_instructions(triple: str | None = None, cpu: str | None = None) -> str:
    """Return the vector instructions of a processor, by IREE's name of it, one of `PROCESSORS`. The
    default is this machine's processor; a processor of a triple without a name is a generic one."""
    kind = triple or platform.machine()
    if kind.lower().startswith(("aarch64", "arm")):
        return "neon"
    if cpu in (None, "host") and triple is None:
        return "avx512" if "avx512f" in cpu_info().get("flags", "").split() else "avx2"
    return "avx512" if any(name in (cpu or "") for name in AVX512_CPUS) else "avx2"


def cpu_info() -> dict[str, str]:
    """Return the fields of the first processor in /proc/cpuinfo."""
    found: dict[str, str] = {}
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as f:
        for line in f:
            name, _, value = line.partition(":")
            if not name.strip():
                break  # the end of the first processor
            found[name.strip()] = value.strip()
    return found
