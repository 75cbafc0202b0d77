"""Writing a `.param` and its `.bin`."""

from contextlib import nullcontext
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp

from .. import Output, Summary, Writing
from ..files import OutputFiles, naming
from ..overwriting import check_unused
from .ahead import CopyAhead
from .export import Export, export_module


class ParamWriting(Writing):
    """A `.param` that is being written."""

    def __init__(
        self, module: ModuleOp, output: Output, weights: str, ahead: CopyAhead | None
    ) -> None:
        super().__init__(module, output)
        self._weights = weights
        self._ahead = ahead
        """The `.bin`, if it was begun."""

    @cached_property
    def export(self) -> Export:
        """The model as files have it, when no pass changes it any more."""
        return export_module(self.module)

    def summary(self) -> Summary:
        return self.export.summary()

    def finish(self) -> None:
        path, weights, ahead = self.output.path, self._weights, self._ahead
        progress = self.output.progress
        with naming(path), OutputFiles() if ahead is None else ahead.files as files:
            total = 0 if progress is None else self.export.bin_size()
            out = files.create(weights, "wb") if ahead is None else ahead.out
            work = nullcontext() if progress is None else progress(f"writing {weights}", total)
            with work as told:
                self.export.write_bin(out, None if told is None else told.update, ahead)
            files.create(path, "w").write(self.export.param_text())
            files.before_replacing(lambda: check_unused(files, path, weights, self.output.origin))
