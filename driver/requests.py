"""The options of one run of `ncnn-opt`. This module imports no dialect."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from ..frontends import ReadOptions
from ..targets import target_for, targets
from ..targets.files import descriptor_of
from ..targets.options import MlirOptions
from ..transforms.rewriting.fold_limit import DEFAULT_FOLD_LIMIT
from .errors import UsageError
from .float16 import Float16Request
from .observers import PassReports
from .pipelines import Verification

if TYPE_CHECKING:
    from ..dialects.ncnn.slots import Shape


@dataclass(frozen=True)
class ProofOptions:
    """The options about proofs of rewrites."""

    verify: bool = False
    """Whether each rewrite is proven while passes run."""
    certificate: str | None = None
    """The file for the certificate of the run."""
    counterexample: str | None = None
    """The folder for a counterexample."""

    def wanted(self) -> bool:
        """Whether rewrites are proven."""
        return self.verify or self.certificate is not None


@dataclass(frozen=True)
class Request:
    """The options of one run."""

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
    named_passes: frozenset[str] = frozenset()
    """The passes that the user named; those without a match are reported."""
    pnnx: str | None = None
    """PNNX's own IR of the model."""
    other_export: str | None = None
    """An export of the model for another input size."""
    other_shapes: "Mapping[str, Shape]" = field(default_factory=dict[str, "Shape"])
    """The input shapes of the other export."""
    dynamic: bool = False
    """Whether axes of inputs become dynamic."""
    for_ncnn: str | None = None
    devices: Sequence[str] = ()
    """The addresses of devices on which the model is tuned by measurement."""
    max_rewrites: int | None = None
    verification: Verification = "end"
    fold_limit: int = DEFAULT_FOLD_LIMIT
    reports: PassReports = PassReports()
    missed: bool = False
    """Whether missed fusions are reported."""
    check: bool = False
    """Whether the result is run in the ncnn runtime, on random inputs of `reports.seed`."""
    device: str | None = None
    """The device of the check: `vulkan`."""
    proofs: ProofOptions = ProofOptions()
    split_input: bool = False
    parser_errors: bool = False
    """Whether errors of the parser are part of the result."""
    verifier_errors: bool = False
    """Whether errors of the verifier are part of the result."""
    float16: Float16Request | None = None
    """Whether and how the result is made safe in float16."""
    roundtrip: bool = False
    """Whether the IR must be the same after printing and parsing."""
    reproducer: str | None = None
    """The file for the IR of a pipeline that fails."""
    pnnx_found: bool = False
    """Whether the file `pnnx` was found beside the model."""
    takes_shapes: bool = False
    """Whether inputs without a shape get the shape in PNNX's own IR."""


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


def writes_text(path: str | None) -> bool:
    """Whether the result is one text: on standard output, or to a device or pipe, which has no
    place for weights beside it."""
    if path is None or path == "-":
        return True
    if descriptor_of(path) is not None:
        return True
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
