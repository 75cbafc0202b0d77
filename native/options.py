"""What is asked of the compiler."""

from dataclasses import dataclass

from . import TARGETS
from .errors import NativeError

HOST = "host"
"""The processor that compiles."""

HOISTED_BYTES = 1 << 40
"""By how much weights may grow when they are transformed once, at loading, not in each run:
Winograd's are four times as large."""

GENERIC = "generic"
"""Any processor of a kind."""

STACK_BYTES = 1 << 20
"""What a kernel may have on the stack; wide vectors need more than IREE's 32 KB."""


@dataclass(frozen=True)
class Options:
    """What code is made for, and how. Raises `NativeError` for what cannot be meant."""

    target: str = "cpu"
    """One of `TARGETS`."""
    target_cpu: str | None = None
    """A processor of that kind, as IREE calls it (`haswell`, `sm_80`, `gfx1100`); for a CPU by
    default that of this machine."""
    conv: str = "gemm"
    """The form of convolutions (`convert-fused-to-linalg`)."""
    weights: str = "parameters"
    """Where weights go (`externalize-weights`); `resources` and `dense`: into the code."""
    target_triple: str | None = None
    """The kind of CPU and system, if not those of this machine (`aarch64-linux-android`)."""
    flags: tuple[str, ...] = ()
    """Further options of `iree-compile`."""

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise NativeError(f"target is one of {', '.join(TARGETS)}, not '{self.target}'")
        if self.target_cpu is not None and TARGETS[self.target].chip_flag is None:
            raise NativeError(f"{self.target} has no choice of a processor")
        if self.target == "rocm" and self.target_cpu is None:
            raise NativeError("rocm has no usual processor: name one, as gfx1100")
        if self.target != "cpu" and self.target_triple is not None:
            raise NativeError(f"a triple is for a CPU, not for {self.target}")

    def pipeline(self) -> tuple[str, ...]:
        """The passes from layers to what IREE reads."""
        return (
            "outline-host-tail",
            "convert-ncnn-to-fused",
            f"convert-fused-to-linalg{{conv={self.conv}}}",
            f"convert-ncnn-to-linalg{{conv={self.conv}}}",
            f"externalize-weights{{style={self.weights}}}",
        )

    def compiler_flags(self) -> list[str]:
        """The options of `iree-compile`."""
        target = TARGETS[self.target]
        found = [f"--iree-hal-target-device={target.device}", "--iree-opt-level=O3"]
        chip = self.target_cpu
        if self.target == "cpu":
            found += [
                "--iree-hal-local-target-device-backends=llvm-cpu",
                f"--iree-llvmcpu-stack-allocation-limit={STACK_BYTES}",
                "--iree-opt-data-tiling=true",
                "--iree-input-demote-f64-to-f32=false",  # remainders need it
                f"--iree-opt-const-expr-max-size-increase-threshold={HOISTED_BYTES}",
            ]
            if self.target_triple is None:
                chip = chip or HOST
            else:
                found.append(f"--iree-llvmcpu-target-triple={self.target_triple}")
                chip = chip or GENERIC
        if chip is not None:
            found.append(f"{target.chip_flag}={chip}")
        return [*found, *self.flags]
