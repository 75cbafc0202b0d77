"""The options of a compilation: one record for the command, the Python API and tuning.

The record checks that options do not contradict each other, and translates them to passes and to
options of `iree-compile`.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from ..conversion.to_linalg.processors import DEFAULT, PROCESSORS
from . import TARGETS
from .errors import NativeError
from .instructions import vector_instructions

HOISTED_BYTES = 1 << 40
"""The allowed growth of weights that are transformed once, at loading, instead of in each run.
Winograd's are four times as large."""

STACK_BYTES = 1 << 20
"""The memory of a kernel on the stack. Wide vectors need more than IREE's 32 KB."""

TILED = ("--iree-global-opt-propagate-transposes=false", "--iree-opt-outer-dim-concat=false")
"""The options for products in tiles. By default IREE moves the transposition that lays out a weight
into the product, and transposes joined blobs."""


class Stages(NamedTuple):
    """The passes from layers to IREE's input. Other work lies between stages: see `lowering`."""

    host_ops: str
    fusing: str
    to_linalg: str
    weights: str


@dataclass(frozen=True)
class CompileOptions:
    """The target and the style of the code. Raises `NativeError` for contradictory options."""

    target: str = "cpu"
    """One of `TARGETS`."""
    target_cpu: str | None = None
    """A processor of that kind by IREE's name (`haswell`, `sm_80`, `gfx1100`). For a CPU the
    default is the processor of this machine."""
    conv: str = "gemm"
    """The style of convolutions (`convert-to-linalg`)."""
    weights: str = "parameters"
    """The place of weights (`externalize-weights`); `resources` and `dense` put them into the
    code."""
    target_triple: str | None = None
    """The architecture and system if they are not this machine's (`aarch64-linux-android`)."""
    flags: tuple[str, ...] = ()
    """Further options of `iree-compile`."""
    cache: str | None = None
    """The folder of code that was compiled before; `None` to compile always."""
    for_iree: bool = True
    """Whether IREE reads the code, which then has IREE's barriers and tiles. Other tools read only
    MLIR's own dialects."""

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise NativeError(f"target is one of {', '.join(TARGETS)}, not '{self.target}'")
        if self.target_cpu is not None and TARGETS[self.target].chip_flag is None:
            raise NativeError(f"{self.target} does not support a choice of processor")
        if self.target == "rocm" and self.target_cpu is None:
            raise NativeError("rocm has no default processor; name one, for example gfx1100")
        if self.target != "cpu" and self.target_triple is not None:
            raise NativeError(f"a triple is for a CPU, not for {self.target}")

    def for_upstream(self) -> "CompileOptions":
        """Return the options for code in MLIR's own dialects, with named convolutions: the other
        style is what IREE compiles to fast code."""
        return replace(self, conv="named", for_iree=False)

    def stages(self) -> Stages:
        """Return the passes from layers to IREE's input, by stage."""
        return Stages(
            "partition-host-ops",
            "convert-ncnn-to-fused",
            f"convert-to-linalg{{conv={self.conv} processor={self.processor}}}",
            f"externalize-weights{{style={self.weights}}}",
        )

    def pipeline(self) -> tuple[str, ...]:
        """Return the passes from layers to IREE's input."""
        found = self.stages()
        return tuple(found)

    @property
    def processor(self) -> str:
        """The vector instructions of the CPU, one of `PROCESSORS`; of a GPU, the default."""
        if self.target != "cpu":
            return DEFAULT
        return vector_instructions(self.target_triple, self.target_cpu)

    def compiler_flags(self) -> list[str]:
        """Return the options of `iree-compile`."""
        target = TARGETS[self.target]
        found = [f"--iree-hal-target-device={target.device}", "--iree-opt-level=O3"]
        chip = self.target_cpu
        if self.target == "cpu":
            found += [
                "--iree-hal-local-target-device-backends=llvm-cpu",
                f"--iree-llvmcpu-stack-allocation-limit={STACK_BYTES}",
                "--iree-llvmcpu-debug-symbols=false",
                "--iree-opt-data-tiling=true",
                "--iree-input-demote-f64-to-f32=false",  # remainders need it
                f"--iree-opt-const-expr-max-size-increase-threshold={HOISTED_BYTES}",
            ]
            if PROCESSORS[self.processor].tile is not None:
                found += TILED
            if self.target_triple is None:
                chip = chip or "host"  # the processor of this machine
            else:
                found.append(f"--iree-llvmcpu-target-triple={self.target_triple}")
                chip = chip or "generic"
        if chip is not None:
            found.append(f"{target.chip_flag}={chip}")
        return [*found, *self.flags]
