"""The options of one run of `ncnn-opt`.

This module imports no dialect, so a mistake in the options is reported before the compiler is
imported.
"""

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from xdsl.passes import ModulePass

from ..frontends import ReadOptions
from ..targets import target_for, targets
from ..targets.atomic_files import descriptor_of
from ..targets.options import MlirOptions
from ..transforms.rewriting.fold_limit import DEFAULT_FOLD_LIMIT
from .errors import UsageError
from .pipelines import Verification

if TYPE_CHECKING:
    from ..dialects.ncnn.weight_specs import Shape

TOLERANCE = 1e-4
"""The default tolerance of `--verify-equivalence`, relative to an output's largest value."""


class Float16Request(NamedTuple):
    """The options of `--fp16-safe`."""

    data: str
    """The file of the samples."""
    margin: float
    max_error: float


MARGIN = 4.0
"""The default of `--margin`."""

MAX_ERROR = 1e-2
"""The default of `--max-error`."""


class Request(NamedTuple):
    """The options of one run. Those without a comment are options of `ncnn-opt`."""

    input_file: str | None
    """The model; `None` for standard input."""
    output_file: str | None
    """The file to write; `None` or `-` for standard output."""
    passes: Sequence[ModulePass]
    reading: ReadOptions
    to_text: bool
    """Whether the results are printed as one text."""
    output_weights: str | None = None
    frontend: str | None = None
    target: str | None = None
    printing: MlirOptions = MlirOptions()
    optimize: bool = False
    """Whether `-O` is part of the pipeline."""
    named_passes: Collection[str] = ()
    """The passes that the user named; those without a match are reported."""
    pnnx: str | None = None
    like: str | None = None
    like_shapes: "Mapping[str, Shape]" = {}
    """The input shapes of the model `like`."""
    dynamic: bool = False
    """Whether axes of inputs become dynamic."""
    for_ncnn: str | None = None
    on: Sequence[str] = ()
    max_rewrites: int | None = None
    verification: Verification = "end"
    fold_limit: int = DEFAULT_FOLD_LIMIT
    remarks: Literal["text", "json"] | None = None
    time_passes: bool = False
    statistics: bool = False
    print_after_rewrite: Sequence[str] = ()
    """The patterns after whose rewrites the IR is printed."""
    print_between_passes: bool = False
    print_after_change: bool = False
    print_after: Sequence[str] = ()
    """The passes after which the IR is printed."""
    print_to_dir: str | None = None
    """The folder for the IR between passes, instead of standard error."""
    trace: str | None = None
    verify_equivalence: bool = False
    seed: int = 0
    samples: int = 1
    tolerance: float = TOLERANCE
    missed: bool = False
    check: bool = False
    device: str | None = None
    verify_rewrites: bool = False
    certificate: str | None = None
    counterexample: str | None = None
    split_input_file: bool = False
    parsing_diagnostics: bool = False
    verify_diagnostics: bool = False
    float16: Float16Request | None = None
    """Whether and how the result is made safe in float16."""
    verify_roundtrip: bool = False
    crash_reproducer: str | None = None
    pnnx_found: bool = False
    """Whether the file `pnnx` was found beside the model."""
    keep_going: bool = False
    """Whether a model is written that has layers which PNNX left, or that differs from PyTorch."""
    given_shapes: Collection[str] = ()
    """The inputs whose shapes the passes set: `--input-shape`, `--fix-shapes`, `--max-shape`."""
    further_inputs: Sequence[str] = ()
    """The models beside the input: joined with it, interpolated, or for its custom layers."""
    splits: bool = False
    """Whether the result is written in parts."""
    share_weights: str | None = None
    takes_shapes: bool = False
    """Whether inputs without a shape get the shape in PNNX's own IR."""

    def folder_of_steps(self, number: int, chunks: int) -> str | None:
        """Return the folder for the IR after each pass on a chunk of the input; each of several
        chunks has its own, because passes are numbered in each chunk."""
        folder = self.print_to_dir
        return folder if folder is None or chunks == 1 else os.path.join(folder, str(number))

    def prints_ir(self) -> bool:
        """Whether the IR is printed between passes."""
        named = self.print_after or self.print_to_dir is not None
        return bool(named or self.print_between_passes or self.print_after_change)

    def checks(self) -> str:
        """Return the options that check the result, as the user wrote them; empty without any."""
        names = ("check", "verify_equivalence", "verify_rewrites", "verify_roundtrip")
        asked = [f"--{name.replace('_', '-')}" for name in names if getattr(self, name)]
        return ", ".join(asked)


def check_output(path: str | None, kind: str | None) -> None:
    """Raises `UsageError` and `OutputError` for an output of an unknown or contradictory kind."""
    if path is None or writes_text(path):
        if kind not in (None, "mlir"):
            raise UsageError(f"-t {kind} needs -o OUTPUT: its weights go to a file beside it")
    elif kind is None:
        target_for(path)
    else:
        name = next((other for other in targets() if path.endswith(f".{other}")), kind)
        if not kind.endswith(name):
            raise UsageError(f"'{path}' is a .{name} by its name; -t says {kind}")


def writes_ncnn(path: str | None, kind: str | None) -> bool:
    """Whether the output is a model of the runtime, by the name of the file or by `kind`."""
    if kind is not None:
        return kind in ("param", "param.bin", "mem.h")
    endings = (".param", ".param.bin", ".mem.h")
    return (path or "").endswith(endings) and not str(path).endswith(".pnnx.param")


def writes_text(path: str | None) -> bool:
    """Whether the result is one text: on standard output, or to a device or pipe, which has no
    place for weights beside it."""
    if path is None or path == "-":
        return True
    if descriptor_of(path) is not None:
        return True
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
