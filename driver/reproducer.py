"""A file that reproduces the failure of a pipeline, as `--mlir-pass-pipeline-crash-reproducer`."""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..targets.atomic_files import write_file
from ..targets.mlir.ir_printer import print_module
from ..targets.options import MlirOptions

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


@contextmanager
def reproducing(
    path: str, module: "ModuleOp", pipeline: str, note: Callable[[str], None]
) -> Generator[None]:
    """Write the IR of a module before the block to `path` if the block raises an exception: after a
    line with the command that repeats the failure. Weights in files stay there."""
    text = print_module(module, MlirOptions(), os.path.dirname(path) or ".")
    try:
        yield
    except Exception as e:
        reason = f"{type(e).__name__}: {e}".splitlines()[0]
        quoted = pipeline.replace("'", "'\\''")
        command = f"ncnn-opt {os.path.basename(path)} -p '{quoted}'"
        write_file(path, f"// {command}\n// {reason}\n{text}")
        note(f"the IR before the failing pipeline is in '{path}'; its first line is the command")
        raise
