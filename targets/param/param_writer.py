"""Writing a `.param` and its `.bin`, or a `.mem.h`.

The runtime reads graph and weights as one: both files appear together, or neither.
"""

import io
import os
import tempfile
from contextlib import nullcontext
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp

from ...dialects.ncnn import FAMILIES
from ...formats.file_names import weights_beside
from ...formats.param_binary_writing import memory_header, names_header, write_param_binary
from .. import Output, Summary, Writing
from ..atomic_files import OutputFiles, naming
from ..output_checks import OutputError, check_no_weights, check_outputs, check_unused
from .export import Export, export_module


class ParamWriting(Writing):
    """A `.param` that is being written."""

    def __init__(self, module: ModuleOp, output: Output) -> None:
        super().__init__(module, output)
        self._weights = None if output.graph_only else output.weights or weights_beside(output.path)
        """The path of the `.bin`, if it is written."""
        if self._weights is None:
            check_no_weights(output.path)
        else:
            check_outputs(output.path, self._weights, output.origin)

    @cached_property
    def export(self) -> Export:
        """Return the model as files represent it, after all passes."""
        return export_module(self.module)

    def summary(self) -> Summary:
        return self.export.summary()

    def write_graph(self, files: OutputFiles) -> None:
        """Write all files except weights, the graph last."""
        files.create(self.output.path, "w").write(self.export.param_text())

    def finish(self) -> None:
        path, weights, progress = self.output.path, self._weights, self.output.progress
        if weights is None:
            with naming(path), OutputFiles() as files:
                self.write_graph(files)
            if self.output.note is not None:
                self.output.note(f"'{path}' is written without a .bin: its weights were not read")
            return
        with naming(path), OutputFiles() as files:
            total = 0 if progress is None else self.export.bin_size()
            out = files.create(weights, "wb")
            work = nullcontext() if progress is None else progress(f"writing {weights}", total)
            with work as told:
                self.export.write_bin(out, None if told is None else told.update)
            self.write_graph(files)
            files.before_replacing(lambda: check_unused(files, path, weights, self.output.origin))


class BinaryParamWriting(ParamWriting):
    """A `.param.bin` that is being written, with the numbers of layers and blobs in a header."""

    def write_graph(self, files: OutputFiles) -> None:
        path, graph = self.output.path, self.export.graph
        stem = path.removesuffix(".bin").removesuffix(".param")
        header = names_header(graph, os.path.basename(stem))
        data = write_param_binary(graph, list(FAMILIES))
        files.create(f"{stem}.id.h", "w").write(header)
        files.create(path, "wb").write(data)
        if self.output.note is not None:
            self.output.note(f"the names of layers and blobs are in '{stem}.id.h'")


class MemoryHeaderWriting(Writing):
    """A `.mem.h` that is being written: the binary graph and the weights as arrays of bytes, and
    the numbers of layers and blobs in a header."""

    def __init__(self, module: ModuleOp, output: Output) -> None:
        super().__init__(module, output)
        if output.weights is not None or output.graph_only:
            raise OutputError(f"'{output.path}' holds the weights, too: it needs a model with them")
        self._stem = output.path.removesuffix(".mem.h")

    def finish(self) -> None:
        path, export = self.output.path, export_module(self.module)
        base = os.path.basename(self._stem)
        graph = write_param_binary(export.graph, list(FAMILIES))
        with naming(path), OutputFiles() as files, tempfile.TemporaryFile() as weights:
            export.write_bin(weights)
            weights.seek(0)
            files.create(f"{self._stem}.id.h", "w").write(names_header(export.graph, base))
            out = files.create(path, "w")
            out.writelines(memory_header(base, io.BytesIO(graph), weights))
        if self.output.note is not None:
            self.output.note(f"the names of layers and blobs are in '{self._stem}.id.h'")
