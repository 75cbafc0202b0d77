"""Doing what a command line of `ncnn-opt` says with one model."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ..analysis.target_info.releases import releases
from ..dialects.ncnn.weight_file import Scratch
from .companions import put_beside, read_like, read_pnnx, take_input_shapes
from .errors import UsageError
from .files import Change, Source, compile_model, read_data, unreplaced
from .matching import Matches
from .missing import describe_missing, missing_layers, repairs_of
from .pipelines import Verification, run_pipeline
from .releases import Releases, describe_oldest, watching_releases
from ..frontends import Frontend, frontend_for, frontends
from ..targets import Output, Target, Writing, targets
from ..targets.files import OutputFiles, naming
from ..targets.mlir.printing import print_module
from ..targets.options import MlirOptions, WeightStyle
from ..transforms.infer_shapes import InferShapes
from ..transforms.rewriting.counting import RewriteCounter, counting
from ..transforms.rewriting.growth import refusing, standing
from ..transforms.rewriting.remarks import Remark
from ..transforms.storage.convert_storage import Restored
from .command_line import CommandLine, writes_text
from .messages import of_stdout, say, tell
from .pass_options import input_shapes
from .progress import Progress
from .trust_options import tell_counts, watching

if TYPE_CHECKING:
    from ..dialects.pnnx.operations import GraphOp

SEPARATOR = "// -----"


class Printed(Target):
    """Models that become text, one after the other."""

    kind = "text"

    def __init__(self, text_of: Callable[[ModuleOp], str]) -> None:
        self.texts: list[str] = []
        self.text_of = text_of

    @contextmanager
    def begin(
        self, module: ModuleOp, output: Output, scratch: Scratch | None = None
    ) -> Generator[Writing]:
        printed = self

        class Text(Writing):
            def finish(self) -> None:
                printed.texts.append(printed.text_of(self.module))

        yield Text(module, output)


class OneModel:
    """A model that `ncnn-opt` is called with, or several in one text."""

    def __init__(self, command: CommandLine) -> None:
        self.args = command.args
        self.reading = command.reading
        if not self.reading.verify:
            from ..dialects.xdsl_extras.verification import skip_attributes

            skip_attributes()
        self.restored = Restored()
        self.refused: dict[str, Remark] = {}
        """The rewrites that the limit on the growth of weights forbade, by layer."""
        self.releases = Releases()
        limit = self.args.stop_after if isinstance(self.args.stop_after, int) else None
        self.counter = RewriteCounter(limit)
        self.matches = Matches()
        self.pnnx = None if self.args.pnnx is None else self.read_pnnx(self.args.pnnx)
        self.like = None if self.args.like is None else self.read_like(self.args.like)

    def run(self) -> Change:
        """Reads, changes and writes it; says what became of it, if `-O` was asked for. Raises one
        of `USER_ERRORS`."""
        args, change, printed = self.args, Change(), Printed(self.text_of)
        data, frontend = self.input()
        chunks = data.split(SEPARATOR.encode()) if args.split_input_file else [data]
        target = None if args.target is None else targets()[args.target]
        target = printed if writes_text(args) else target
        if target is not printed and len(chunks) > 1:
            raise UsageError("--split-input-file makes several models, which a .param cannot hold")
        offsets = accumulate([0, *(chunk.count(b"\n") for chunk in chunks)])
        for chunk, offset in zip(chunks, offsets, strict=False):
            try:
                source = self.read(chunk, data, frontend)
                change = compile_model(
                    source,
                    self.output(source),
                    partial(self.run_passes, path=source.path),
                    target=target,
                    summarized=args.optimize or target is not printed,
                    in_memory=target is printed,
                )
            except ParseError as e:
                e.span = replace(e.span, line_offset=offset)
                if not args.parsing_diagnostics:
                    raise
                printed.texts.append(f"{e}\n")
            except DiagnosticException as e:
                if not args.verify_diagnostics:
                    raise
                printed.texts.append("\n".join([str(e), *getattr(e, "__notes__", [])]) + "\n")
        if printed.texts and not (args.check and args.output_file is None):
            self.write_text(f"{SEPARATOR}\n".join(printed.texts))
        rounded, widened = self.restored.counts()
        unmatched = self.matches.none_of(args.named_passes)
        return replace(
            change,
            rounded=rounded,
            widened=widened,
            refused=len(self.refused),
            unmatched=unmatched,
            releases=self.releases,
        )

    # -- input

    def input(self) -> tuple[bytes, Frontend]:
        """What is in the input, all of it: the file may be the output as well; and what kind it is
        of."""
        path: str | None = self.args.input_file
        if path is None:
            data, kind = sys.stdin.buffer.read(), frontends()["mlir"]
        else:
            with open(path, "rb") as f:
                data = f.read()
            kind = frontend_for(path, data)
        return data, kind if self.args.frontend is None else frontends()[self.args.frontend]

    def read(self, chunk: bytes, data: bytes, frontend: Frontend) -> Source:
        """The model in a part of the input."""
        path: str | None = self.args.input_file
        if path is None:
            source = read_data(chunk, path, self.reading, frontend)
        else:
            with unreplaced(path, data):
                source = read_data(chunk, path, self.reading, frontend)
        for message in source.warnings:
            say(f"warning: {message}")
        return source

    def read_pnnx(self, path: str) -> "GraphOp | None":
        """The graph of `--pnnx`; layers get the weights that it says."""
        file = read_pnnx(path)
        for message in file.warnings:
            say(f"warning: {message}")
        self.reading = replace(self.reading, layer_weights=file.layer_weights)
        return file.graph

    def read_like(self, path: str) -> FuncOp:
        """The model of `--like`."""
        shapes = input_shapes(self.args.like_shape, "--like-shape")
        return read_like(path, self.reading, InferShapes(input_shape=shapes).input_shapes())

    # -- passes

    def run_passes(self, module: ModuleOp, path: str) -> None:
        """Runs the passes, beside the graph of `--pnnx` for those that take from it."""
        if self.pnnx is not None and self.args.dynamic:
            take_input_shapes(module, self.pnnx)
        put_beside(module, self.pnnx, self.like)
        alone = self.args.optimize and self.pnnx is None
        passes = [*(repairs_of(module) if alone else []), self.args.passes]
        hear = self.matches.hear if self.args.named_passes else None
        refused: list[Remark] = []
        releases = watching_releases(module, path, self.args.for_ncnn)
        with (
            watching(self.args, hear) as observers,
            counting(self.counter),
            refusing(refused.append),
            releases as self.releases,
        ):
            run_pipeline(
                module,
                ",".join(passes),
                path,
                observers=[*observers, self.restored, self.matches.observe],
                verification=self.verification(),
            )
        self.refused = standing(refused, module)
        tell_counts(self.counter)
        if self.args.missed:
            self.tell_missed(module)
        missing = missing_layers(module)
        for line in describe_missing(missing, self.pnnx is not None):
            say(f"ncnn-opt: {line}")
        if self.args.check:
            self.check(module, path)

    def tell_missed(self, module: ModuleOp) -> None:
        """Says which fusions that people expect are not there, and why."""
        from .missed import missed_fusions

        withheld = [each.remark for each in self.releases.withheld.values()]
        for remark in [*missed_fusions(module, self.refused), *withheld]:
            if self.args.remarks == "json":
                import json

                line = json.dumps({**remark.as_dict(), "missed": True}, ensure_ascii=False)
                tell(line)
            else:
                tell(f"missed: {remark}")

    def check(self, module: ModuleOp, path: str) -> None:
        """Runs the model in the runtime, and says how it went. Raises `RunError` if it does not
        run."""
        from ..runtime.checking import check_model

        def warn(text: str) -> None:
            say(f"ncnn-opt: warning: {text}")

        tell(f"ncnn-opt: {check_model(module, path, self.args.seed, warn)}")
        tell(f"ncnn-opt: {describe_oldest(self.releases.after, releases()[0])}")

    def verification(self) -> Verification:
        """When IR is verified."""
        return "never" if self.args.disable_verify else "each" if self.args.verify_each else "end"

    # -- output

    def output(self, source: Source) -> Output:
        """A model with its weights: both files or neither."""
        return Output(
            self.args.output_file or "-",
            self.args.output_weights,
            source.origin,
            self.printing(),
            Progress,
            lambda text: say(f"note: {text}"),
            self.reading.weights == "none",
        )

    def printing(self) -> MlirOptions:
        """How IR is to be printed."""
        args = self.args
        to_terminal = args.output_file is None and sys.stdout.isatty()
        elide = args.elide_weights or to_terminal
        style = WeightStyle.ELIDE if elide else WeightStyle.REFERENCE
        style = WeightStyle.INLINE if args.inline_weights else style
        return MlirOptions(
            style,
            args.print_op_generic,
            args.print_no_properties,
            args.print_debuginfo,
            args.syntax_highlight,
        )

    def text_of(self, module: ModuleOp) -> str:
        """A module as text."""
        return print_module(module, self.printing())

    def write_text(self, text: str) -> None:
        """The text to standard output or to a file."""
        path: str | None = self.args.output_file
        if path is None or path == "-":
            write_stdout(text)
            return
        with naming(path), OutputFiles() as files:
            files.create(path, "w").write(text)


def write_stdout(text: str) -> None:
    """Writes all of a text to standard output. Without a buffer (`python -u`) Python writes what
    fits and says nothing of the rest. Raises `OSError`."""
    try:
        sys.stdout.flush()
        left = memoryview(text.encode())
        while left:
            left = left[sys.stdout.buffer.write(left) :]
        sys.stdout.flush()
    except OSError as e:
        raise of_stdout(e) from e
