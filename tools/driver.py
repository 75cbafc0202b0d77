"""xDSL's driver with ncnn's files as input and output."""

import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from io import BytesIO
from typing import IO, TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.exceptions import DiagnosticException, ParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from ..dialects.ncnn.weight_file import Scratch, scratch_file
from ..formats.errors import FormatError
from ..formats.pnnx_param import looks_like_pnnx
from ..frontends.files import ImportOptions, import_param, unreplaced, weights_beside
from ..targets.ahead import CopyAhead, copying_ahead
from ..targets.files import OutputFiles
from ..targets.mlir import MlirOptions, WeightStyle, print_module
from ..targets.param import Export, export_module
from .command_line import CommandLine, writes_text
from .environment import make_context, universe
from .errors import UsageError
from .ir_text import parse_ir, verify_ir
from .models import kind_of, naming, write_model
from .overwriting import Origin, check_outputs
from .trust_options import watching
from .unknown_layers import tell_unknown_layers

if TYPE_CHECKING:
    from .equivalence import EquivalenceCheck


class NcnnOptMain(xDSLOptMain):
    """The driver. Unlike xDSL's it opens its output only when there is something to write."""

    read: bytes | None = None
    """What was in the input, unless that is standard input."""

    def __init__(self, command: CommandLine) -> None:
        self.args = command.args
        self.custom_weights = command.custom_weights
        self.available_passes = dict(command.passes)
        self.available_targets = dict(universe().all_targets)
        self.available_frontends = {
            "mlir": self.parse_mlir,
            "param": self.parse_param,
            "param.bin": self.parse_param,
            "pnnx.param": self.parse_pnnx,
        }
        self.ctx = make_context()
        self.pnnx = self.read_pnnx()
        self.ctx.allow_unregistered = self.args.allow_unregistered_dialect
        # xDSL's pipeline verifies before and after each pass unless it is told not to.
        self.verifies: bool = not self.args.disable_verify
        self.args.disable_verify |= not self.args.verify_each
        self.setup_pipeline()

    # -- input

    def parse_mlir(self, stream: IO[bytes]) -> ModuleOp:
        """An `.mlir`."""
        data, path = stream.read(), self.get_input_name()
        return parse_ir(self.ctx, data, path, not self.args.no_implicit_module)

    def parse_param(self, stream: IO[bytes]) -> ModuleOp:
        """A `.param` or `.param.bin`, with its weights."""
        if self.args.input_file is None and self.args.weights is None:
            raise UsageError("a .param on standard input needs --weights FILE, none or random")
        options = ImportOptions(
            self.args.weights,
            self.args.allow_trailing_weights,
            self.custom_weights,
            self.layer_weights(),
        )
        module, messages = import_param(stream.read(), self.get_input_name(), options)
        for message in messages:
            print(f"warning: {message}", file=sys.stderr)
        return module

    def parse_pnnx(self, stream: IO[bytes]) -> ModuleOp:
        """A `.pnnx.param`, with its weights."""
        if self.args.input_file is None and self.args.weights is None:
            raise UsageError("a .pnnx.param on standard input needs --weights FILE or none")
        from ..frontends.pnnx import import_pnnx

        module, messages = import_pnnx(stream.read(), self.get_input_name(), self.args.weights)
        for message in messages:
            print(f"warning: {self.get_input_name()}: {message}", file=sys.stderr)
        return module

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        path: str | None = self.args.input_file
        if path is None:
            return sys.stdin.buffer, self.args.frontend or "mlir"
        # All of it, now: the file may be the output as well.
        with open(path, "rb") as f:
            self.read = data = f.read()
        return BytesIO(data), kind_of(path, data, self.available_frontends)

    # -- running

    def run(self) -> None:
        if not self.verifies:
            Attribute.__post_init__ = lambda self: None  # as xDSL's own driver does
        chunks, extension = self.prepare_input()
        if self.args.output_file is not None and len(chunks) > 1 and not writes_text(self.args):
            raise UsageError("--split-input-file makes several models, which a .param cannot hold")
        texts: list[str] = []
        for chunk, offset in chunks:
            try:
                with self.unreplaced():
                    module = self.parse_chunk(chunk, extension, offset)
                if module is None:
                    continue
                if extension == "mlir":  # other frontends verify each layer
                    self.verify(module)
                before = summarize(self.export(module))
                self.add_pnnx(module)
                with self.room_for_weights() as scratch, self.begun(module, scratch) as ahead:
                    with watching(self.args) as check:
                        self.apply_checked(module, check)
                    if self.pipeline.passes:
                        self.verify(module)
                    export = self.export(module)
                    after = summarize(export)
                    if writes_text(self.args):
                        texts.append(self.output_resulting_program(module))
                    else:
                        self.write_files(module, export, ahead)
                self.tell_change(before, after)
                tell_unknown_layers(module, self.pnnx is not None)
            except ParseError as e:
                e.span = replace(e.span, line_offset=offset)
                if not self.args.parsing_diagnostics:
                    raise
                texts.append(f"{e}\n")
            except DiagnosticException as e:
                if not self.args.verify_diagnostics:
                    raise
                texts.append("\n".join([str(e), *getattr(e, "__notes__", [])]) + "\n")
        if texts:
            self.write_text("// -----\n".join(texts))

    def read_pnnx(self) -> ModuleOp | None:
        """The graph of `--pnnx`, without weights."""
        if self.args.pnnx is None:
            return None
        from ..frontends.pnnx import import_pnnx

        with open(self.args.pnnx, "rb") as f:
            data = f.read()
        if not looks_like_pnnx(data):
            raise FormatError(self.args.pnnx, "this is not PNNX's own IR, a .pnnx.param")
        module, messages = import_pnnx(data, self.args.pnnx, "none")
        for message in messages:
            print(f"warning: {self.args.pnnx}: {message}", file=sys.stderr)
        return module

    def layer_weights(self) -> dict[str, list[int]]:
        """The weights that layers have which the converter has left as they were."""
        if self.pnnx is None:
            return {}
        from ..dialects.pnnx.operations import graph_in
        from ..frontends.pnnx import floats_of_layers

        graph = graph_in(self.pnnx)
        return {} if graph is None else floats_of_layers(graph)

    def add_pnnx(self, module: ModuleOp) -> None:
        """Puts the graph of `--pnnx` beside the model, for the passes that take from it."""
        for graph in [] if self.pnnx is None else list(self.pnnx.ops):
            graph.detach()
            module.body.block.add_op(graph)

    def room_for_weights(self) -> AbstractContextManager[Scratch | None]:
        """Where passes put large weights: into a file, but into memory if they may be printed."""
        printed = writes_text(self.args) or self.args.print_between_passes
        return nullcontext() if printed else scratch_file()

    def begun(
        self, module: ModuleOp, scratch: Scratch | None
    ) -> AbstractContextManager[CopyAhead | None]:
        """The weights of a `.param` that is to be written, begun while passes run."""
        path: str | None = self.args.output_file
        if path is None or not path.endswith(".param") or writes_text(self.args):
            return nullcontext()
        if path.endswith(".pnnx.param"):
            return nullcontext()
        weights = self.args.output_weights or weights_beside(path)
        check_outputs(path, weights, self.origin())
        return copying_ahead(module, weights, scratch)

    def origin(self) -> Origin:
        """The files that the input is in."""
        return Origin.of(self.args.input_file, self.args.weights)

    def unreplaced(self) -> AbstractContextManager[None]:
        """Where the input is parsed: an error if it is replaced meanwhile."""
        return nullcontext() if self.read is None else unreplaced(self.args.input_file, self.read)

    def verify(self, module: ModuleOp) -> None:
        """Verifies the module: after reading IR, and before writing if there were passes."""
        if self.verifies:
            verify_ir(module, self.get_input_name())

    def apply_checked(self, module: ModuleOp, check: "EquivalenceCheck | None") -> None:
        """Applies the passes, and lets the check look at the module after each."""
        pipeline = self.pipeline

        def callback(
            done: ModulePass | None, module: ModuleOp, following: ModulePass | None
        ) -> None:
            if pipeline.callback is not None:
                pipeline.callback(done, module, following)
            if check is not None and done is None:
                check.start(module)
            elif check is not None and done is not None:
                check.after(done, module)

        PassPipeline(pipeline.passes, callback).apply(self.ctx, module)

    def tell_change(self, before: tuple[int, int] | None, after: tuple[int, int] | None) -> None:
        """The last line of `-O`."""
        if before is not None and after is not None:
            layers = f"{before[0]} -> {after[0]} layers"
            weights = f"{before[1]:,} -> {after[1]:,} bytes of weights"
            print(f"ncnn-opt: {layers}, {weights}", file=sys.stderr)

    def export(self, module: ModuleOp) -> Export | None:
        """The files of a model that is being optimized."""
        if not self.args.optimize:
            return None
        try:
            return export_module(module)
        except FormatError:
            return None  # IR that is no model: there is nothing to compare

    # -- output

    def output_resulting_program(self, prog: ModuleOp) -> str:
        if self.args.target != "mlir" or self.args.syntax_highlight:
            return super().output_resulting_program(prog)
        return print_module(prog, self.mlir_options())

    def mlir_options(self) -> MlirOptions:
        """How IR is to be printed."""
        style = (
            WeightStyle.INLINE
            if self.args.inline_weights
            else WeightStyle.ELIDE
            if self.args.elide_weights
            else WeightStyle.REFERENCE
        )
        return MlirOptions(
            style,
            self.args.print_op_generic,
            self.args.print_no_properties,
            self.args.print_debuginfo,
        )

    def write_text(self, text: str) -> None:
        """The text to standard output or to a file."""
        path: str | None = self.args.output_file
        if path is None or path == "-":
            write_stdout(text)
            return
        with naming(path), OutputFiles() as files:
            files.create(path, "w").write(text)

    def write_files(self, module: ModuleOp, export: Export | None, ahead: CopyAhead | None) -> None:
        """A `.param` or `.mlir` with its weights: both or neither."""
        write_model(
            module,
            self.args.output_file,
            weights=self.args.output_weights,
            options=self.mlir_options(),
            origin=self.origin(),
            export=export,
            ahead=ahead,
        )


def summarize(export: Export | None) -> tuple[int, int] | None:
    """Layers and bytes of weights of a model."""
    return None if export is None else (len(export.graph.layers), export.bin_size())


def write_stdout(text: str) -> None:
    """Writes all of a text to standard output. Without a buffer (`python -u`) Python writes what
    fits and says nothing of the rest. Raises `OSError`."""
    sys.stdout.flush()
    left = memoryview(text.encode())
    while left:
        left = left[sys.stdout.buffer.write(left) :]
    sys.stdout.flush()
