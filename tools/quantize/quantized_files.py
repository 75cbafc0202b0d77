"""The models that commands of `ncnn-quantize` read and write.

A quantization can take hours. So all outputs are checked before it starts: that each can be
written, and that none replaces an input.
"""

import argparse
import os
from collections.abc import Iterator
from typing import Any

from ...analysis.required_release import Requirement
from ...driver.errors import UsageError
from ...driver.int8_files import prepare, write_quantized
from ...driver.messages import print_note, print_notes
from ...driver.model_files import InputModel
from ...driver.pipelines import parse_input_shapes
from ...driver.progress import Progress
from ...driver.sidecar_files import read_repaired
from ...formats.file_names import weights_beside
from ...frontends import is_weight_path
from ...targets import Output
from ...targets.atomic_files import check_writable
from ...targets.output_checks import check_unread, same_place, weights_beside_mlir
from ..parsers import reading_options


def read(args: argparse.Namespace) -> InputModel:
    """Return the model to quantize, with the release and the shapes of the options."""
    shapes = parse_input_shapes(getattr(args, "input_shape", ()))
    reading = reading_options(args, args.weights)
    source = read_repaired(args.model, reading, args.pnnx, shapes, compared=True)
    for message in source.warnings:
        print_note(f"ncnn-quantize: warning: {message}")
    args.for_ncnn = prepare(source.module, args.model, getattr(args, "for_ncnn", None), shapes)
    return source


def write(
    source: InputModel, args: argparse.Namespace, required: Requirement | None, **details: Any
) -> None:
    """Write a model (see `write_quantized`), and print a summary."""
    output = Output(args.output, args.output_weights, source.origin, progress=Progress)
    lines, figures = write_quantized(source, output, args.for_ncnn, required, **details)
    print_notes("ncnn-quantize", lines, figures)


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
    if args.weights is not None and is_weight_path(args.weights):
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
