"""What a command of `ncnn-quantize` reads and writes: checked before anything takes time."""

import argparse
import os
from collections.abc import Iterator

from ...driver.errors import UsageError
from ...formats.file_names import weights_beside
from ...frontends import names_weights
from ...targets.files import check_writable
from ...targets.overwriting import check_unread, same_place, weights_beside_mlir


def check_outputs(args: argparse.Namespace) -> None:
    """Raises `OutputError` if a result would replace a file that is read, `UsageError` if two would
    go to one file, and `OSError` where a file cannot be."""
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
    """Where the weights of a model may be."""
    return [weights_beside(model), weights_beside_mlir(model)]


def _read(args: argparse.Namespace) -> Iterator[str]:
    """What is read beside models."""
    yield from _values(args, "images", "data", "table", "classes", "parts", "pnnx")
    for spec in _values(args, "list"):
        yield spec if os.path.exists(spec) else spec.partition("=")[2]


def _values(args: argparse.Namespace, *names: str) -> Iterator[str]:
    """The values of options that a command may have, one or several each."""
    for name in names:
        value: str | list[str] | None = getattr(args, name, None)
        if value is not None:
            yield from [value] if isinstance(value, str) else value
