"""Several graphs over one `.bin` (`--share-weights`): a `.param` whose weights are in a file."""

import os
import tempfile
from collections.abc import Callable
from typing import IO

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.constant import ConstantOp
from ..formats.weight_storage import BinEncoding
from ..targets import Output, Summary, Target, Writing
from ..targets.atomic_files import OutputFiles, naming
from ..targets.output_checks import check_outputs
from ..targets.param.export import Export, export_module
from ..targets.param.weights import WeightWriter, slot_bytes
from .errors import UsageError

NAMED = 3
"""The number of different weights that the message names."""

CHUNK = 1 << 20


class SharedWeightsTarget(Target):
    """A `.param` without a `.bin`, if another `.bin` has its weights."""

    kind = "param"

    def __init__(self, base: str, report: Callable[[str], None]) -> None:
        self.base, self.report = base, report

    def begin(self, module: ModuleOp, output: Output) -> Writing:
        if not output.path.endswith(".param") or output.weights is not None:
            raise UsageError("--share-weights writes a .param only: give -o NAME.param")
        return _SharedWriting(module, output, self.base, self.report)


class _SharedWriting(Writing):
    """A `.param` that is being written."""

    def __init__(
        self, module: ModuleOp, output: Output, base: str, report: Callable[[str], None]
    ) -> None:
        super().__init__(module, output)
        self.base, self.report = base, report
        check_outputs(output.path, base, output.origin)

    def summary(self) -> Summary | None:
        return export_module(self.module).summary()

    def finish(self) -> None:
        export = export_module(self.module)
        with naming(self.base), open(self.base, "rb") as base:
            check_weights(export, base, self.base)
        with naming(self.output.path), OutputFiles() as files:
            files.create(self.output.path, "w").write(export.param_text())
        self.report(f"the weights of '{self.output.path}' are those in '{self.base}'")


def check_weights(export: Export, base: IO[bytes], name: str) -> None:
    """Raise `UsageError` with the weights that differ from those in an open file."""
    size, offset, other = os.fstat(base.fileno()).st_size, 0, list[str]()
    for constant, encoding, owner in export.weights:
        count = slot_bytes(constant, encoding)
        if offset + count > size or not _is_at(constant, encoding, base, offset):
            other.append(owner)
        offset += count
    if other:
        more = f" and {len(other) - NAMED} more" if len(other) > NAMED else ""
        raise UsageError(
            f"'{name}' has other weights than the model: {'; '.join(other[:NAMED])}{more}; without "
            "--share-weights the model gets its own .bin"
        )
    if offset != size:
        raise UsageError(f"'{name}' has {size:,} bytes, and the model {offset:,} bytes of weights")


def _is_at(constant: ConstantOp, encoding: BinEncoding, base: IO[bytes], offset: int) -> bool:
    """Whether a weight, as it would be written, is at a place in a file."""
    with tempfile.TemporaryFile() as own:
        writer = WeightWriter(own)
        writer.write_slot(constant, encoding)
        writer.finish()
        own.flush()
        own.seek(0)
        base.seek(offset)
        while chunk := own.read(CHUNK):
            if base.read(len(chunk)) != chunk:
                return False
    return True
