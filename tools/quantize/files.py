"""The models that commands of `ncnn-quantize` read and write."""

import argparse
import os
from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import ModuleOp

from ...analysis.required_release import Requirement, requirement_of
from ...analysis.shape_inference import set_input_shapes
from ...dialects.ncnn.int8 import StaticInt8
from ...dialects.ncnn.lookup import model_of
from ...dialects.ncnn.quantization import DynamicInt8
from ...driver.calls import optimize_for_int8
from ...driver.companions import read_repaired
from ...driver.errors import UsageError
from ...driver.files import Source, compile_model
from ...driver.pipelines import for_release, known_release, run_pipeline
from ...driver.releases import Releases, check_requirement
from ...formats.file_names import weights_beside
from ...frontends import names_weights
from ...frontends.mlir.parsing import verify_ir
from ...quantization.integers import integers_of
from ...targets import Output, Summary
from ...targets.files import check_writable
from ...targets.overwriting import check_unread, same_place, weights_beside_mlir
from ..messages import say
from ..parsers import reading_options
from ..pass_options import parse_input_shapes
from ..progress import Progress
from ..releases import say_releases


def read(args: argparse.Namespace) -> Source:
    """Return the model to quantize, with the release and the shapes of the options."""
    source = read_repaired(args.model, reading_options(args, args.weights), args.pnnx)
    for message in source.warnings:
        say(f"ncnn-quantize: warning: {message}")
    if (release := getattr(args, "for_ncnn", None)) is not None:
        args.for_ncnn = known_release(release)
        run_pipeline(source.module, for_release(args.for_ncnn), args.model)
    shapes = parse_input_shapes(getattr(args, "input_shape", ()))
    if shapes:
        set_input_shapes(model_of(source.module), shapes)
    return source


def optimize(module: ModuleOp, args: argparse.Namespace) -> None:
    """Run the passes of `-O` if the options ask for it."""
    if args.optimize:
        optimize_for_int8(module, args.for_ncnn, args.model)


def write(
    source: Source,
    args: argparse.Namespace,
    required: Requirement | None,
    change: Callable[[ModuleOp], None] = lambda module: None,
    before: Summary | None = None,
    count: Callable[[ModuleOp], str] | None = None,
) -> None:
    """Change a model, write it, and print a summary. `required` and `before` are the release and
    the size of the model before the changes; `count` returns the number of quantized layers in
    words."""
    releases = Releases(args.for_ncnn, required)
    counts: list[str] = []

    def run(module: ModuleOp) -> None:
        change(module)
        verify_ir(module, source.path)
        releases.after = requirement_of(module)
        check_requirement(releases.after, source.path, args.for_ncnn)
        counts.append((count or _count_int8)(module))

    output = Output(args.output, args.output_weights, source.origin, progress=Progress)
    changed = compile_model(source, output, run, summarized=True, before=before)
    say(", ".join([f"ncnn-quantize: {counts[0]}", *filter(None, [changed.weights()])]))
    say_releases(releases, "ncnn-quantize: ")


def _count_int8(module: ModuleOp) -> str:
    ops = model_of(module).body.block.ops
    every = sum(isinstance(op, StaticInt8 | DynamicInt8) for op in ops)
    return f"{len(integers_of(module))} of {every} layers in int8"


def check_given(args: argparse.Namespace, **options: str) -> None:
    """Raises `UsageError` for a missing option: the flag of each, by its name in `args`."""
    for name, flag in options.items():
        if getattr(args, name) is None:
            raise UsageError(f"{flag} is missing; see --help")


def check_outputs(args: argparse.Namespace) -> None:
    """Check the outputs of a command before it starts to work. Raises `OutputError` if one would
    replace an input, `UsageError` if two are the same file, and `OSError` where no file
    can be."""
    models = [args.model, *_values(args, "int8")]
    read = [*models, *(path for model in models for path in _weights(model)), *_read(args)]
    if args.weights is not None and names_weights(args.weights):
        read.append(args.weights)
    beside = [*_values(args, "json", "html", "output_table")]
    model: list[str] = []
    if hasattr(args, "output_weights") and args.output is not None:
        # Whether a model may replace weights of others is checked where it is written.
        model = [args.output, args.output_weights or weights_beside(args.output)]
        check_unread(model[0], [*models, *_read(args)])
        check_unread(model[1], [*_read(args)])
    else:
        beside += _values(args, "output")
    for i, path in enumerate(beside):
        check_unread(path, read)
        if any(same_place(path, other) for other in (*model, *beside[:i])):
            raise UsageError(f"'{path}' would be written twice")
    check_writable(*model, *beside)


def _weights(model: str) -> list[str]:
    """Return the files that may hold the weights of a model."""
    return [weights_beside(model), weights_beside_mlir(model)]


def _read(args: argparse.Namespace) -> Iterator[str]:
    """Yield the inputs other than models."""
    yield from _values(args, "images", "data", "table", "classes", "parts", "pnnx")
    for spec in _values(args, "list"):
        yield spec if os.path.exists(spec) else spec.partition("=")[2]


def _values(args: argparse.Namespace, *names: str) -> Iterator[str]:
    """Yield the values of options that a command may have, one or several each."""
    for name in names:
        value: str | list[str] | None = getattr(args, name, None)
        if value is not None:
            yield from [value] if isinstance(value, str) else value
