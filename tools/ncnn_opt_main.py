"""`ncnn-opt`: xDSL's driver with ncnn's files as input and output."""

import gc
import os
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import IO, TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.exceptions import DiagnosticException, ParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from ..formats.errors import FormatError
from ..frontends.files import ImportOptions, import_param
from ..targets.files import OutputFiles
from ..targets.mlir import MlirOptions, WeightStyle, print_module
from ..targets.param import Export, export_module
from .arguments import make_parser, parse_custom_weights, split_passes, unknown_option
from .batch_arguments import is_batch
from .errors import USER_ERRORS, UsageError, describe
from .ir_text import parse_ir, verify_ir
from .model_options import with_model_passes
from .models import check_kind_to_write, kind_of, naming, write_model
from .pipelines import available_passes, check_pipeline
from .shape_options import with_shape_passes
from .trust_options import watching

if TYPE_CHECKING:
    from .equivalence import EquivalenceCheck


class NcnnOptMain(xDSLOptMain):
    """The driver. Unlike xDSL's it opens its output only when there is something to write."""

    pipeline_spec: str

    def __init__(self, args: Sequence[str]) -> None:
        self.available_frontends = {}
        self.available_passes = {}
        self.available_targets = {}
        self.ctx = Context()
        self.register_all_dialects()
        self.register_all_frontends()
        self.register_all_passes()
        self.register_all_targets()

        parser = make_parser(
            self.available_passes, list(self.available_frontends), list(self.available_targets)
        )
        self.pipeline_spec, rest = split_passes(args, self.available_passes)
        self.args, unknown = parser.parse_known_args(rest)
        if unknown and not unknown[0].startswith("-"):
            raise UsageError(f"'{unknown[0]}' is one input too many; several need --output-dir")
        if unknown:
            raise unknown_option(unknown[0], parser, self.available_passes)
        check_pipeline(self.pipeline_spec, self.available_passes)
        # Shapes come first and storage last, whatever is asked for besides.
        inner = with_model_passes(self.pipeline_spec, self.args)
        self.args.passes = with_shape_passes(inner, self.args)
        check_pipeline(self.args.passes, self.available_passes)
        if parse_spec(self.args.target).name not in self.available_targets:
            raise UsageError(f"unknown target '{self.args.target}'")
        if self.args.output_file is not None and not self.writes_text():
            check_kind_to_write(self.args.output_file)
        self.custom_weights = parse_custom_weights(self.args.custom_weights)
        self.ctx.allow_unregistered = self.args.allow_unregistered_dialect
        if self.args.input_file == "-":
            self.args.input_file = None
        # xDSL's pipeline verifies before and after each pass unless it is told not to.
        self.verifies: bool = not self.args.disable_verify
        self.args.disable_verify |= not self.args.verify_each
        self.setup_pipeline()

    def register_all_passes(self) -> None:
        self.available_passes = available_passes()

    # -- input

    def register_all_frontends(self) -> None:
        super().register_all_frontends()
        self.available_frontends["mlir"] = self.parse_mlir
        self.available_frontends["param"] = self.parse_param
        self.available_frontends["param.bin"] = self.parse_param

    def parse_mlir(self, stream: IO[bytes]) -> ModuleOp:
        """An `.mlir`."""
        data, path = stream.read(), self.get_input_name()
        return parse_ir(self.ctx, data, path, not self.args.no_implicit_module)

    def parse_param(self, stream: IO[bytes]) -> ModuleOp:
        """A `.param` or `.param.bin`, with its weights."""
        if self.args.input_file is None and self.args.weights is None:
            raise UsageError("a .param on standard input needs --weights FILE, none or random")
        options = ImportOptions(
            self.args.weights, self.args.allow_trailing_weights, self.custom_weights
        )
        module, messages = import_param(stream.read(), self.get_input_name(), options)
        for message in messages:
            print(f"warning: {message}", file=sys.stderr)
        return module

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        path: str | None = self.args.input_file
        if path is None:
            return sys.stdin.buffer, self.args.frontend or "mlir"
        # All of it, now: the file may be the output as well.
        with open(path, "rb") as f:
            data = f.read()
        return BytesIO(data), kind_of(path, data, self.available_frontends)

    # -- running

    def run(self) -> None:
        if not self.verifies:
            Attribute.__post_init__ = lambda self: None  # as xDSL's own driver does
        chunks, extension = self.prepare_input()
        if self.args.output_file is not None and len(chunks) > 1 and not self.writes_text():
            raise UsageError("--split-input-file makes several models, which a .param cannot hold")
        texts: list[str] = []
        for chunk, offset in chunks:
            try:
                module = self.parse_chunk(chunk, extension, offset)
                if module is None:
                    continue
                if extension == "mlir":  # other frontends verify each layer
                    self.verify(module)
                before = summarize(self.export(module))
                with watching(self.args) as check:
                    self.apply_checked(module, check)
                if self.pipeline.passes:
                    self.verify(module)
                export = self.export(module)
                after = summarize(export)
                if self.writes_text():
                    texts.append(self.output_resulting_program(module))
                else:
                    self.write_files(module, export)
                self.tell_change(before, after)
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

    def writes_text(self) -> bool:
        """Whether the result is one text: on standard output, to something that is no regular
        file and has no place for weights beside it, or of one of xDSL's targets."""
        path: str | None = self.args.output_file
        if path is None or path == "-" or self.args.target != "mlir":
            return True
        return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)

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

    def write_files(self, module: ModuleOp, export: Export | None) -> None:
        """A `.param` or `.mlir` with its weights: both or neither."""
        write_model(
            module,
            self.args.output_file,
            weights=self.args.output_weights,
            options=self.mlir_options(),
            input_file=self.args.input_file,
            export=export,
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


def forget_stdout() -> None:
    """Lets what is still in the buffer of standard output go nowhere: the interpreter would try
    once more to write it when it ends, and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_version() -> None:
    """Our version and that of xDSL."""
    from importlib.metadata import version

    print(f"ncnn-opt {version('ncnn-opt')} (xdsl {version('xdsl')})")


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake."""
    arguments = sys.argv[1:] if arguments is None else arguments
    path = ""
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    # A model is many small objects that live to the end: looking for garbage among them takes a
    # tenth of the time.
    gc.set_threshold(100_000, 20, 100)
    try:
        if "-v" in arguments or "--version" in arguments:
            print_version()
            return
        if is_batch(arguments):
            from .batch import run_batch

            sys.exit(run_batch(arguments))
        driver = NcnnOptMain(arguments)
        path = driver.get_input_name()
        driver.run()
    except BrokenPipeError:
        forget_stdout()  # its reader has gone; nothing is left to say
        sys.exit(1)
    except USER_ERRORS as e:
        print(f"ncnn-opt: error: {describe(e, path)}", file=sys.stderr)
        forget_stdout()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
