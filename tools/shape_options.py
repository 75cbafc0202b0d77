"""Options of the command line about the shapes of blobs. Each is the pass `ncnn-infer-shapes`, at
the places in the pipeline where it belongs."""

import argparse
from collections.abc import Sequence

from ..transforms.infer_shapes import InferShapes, parse_extents
from .errors import UsageError
from .model_options import quoted


def add_shape_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options to a parser."""
    group = parser.add_argument_group("shapes")
    group.add_argument(
        "--input-shape",
        metavar="INPUT=EXTENTS",
        action="append",
        default=[],
        help="the shape of an input, outermost extent first, ? for an unknown one: data=3,224,224 "
        "(may be given several times); the shapes of all blobs follow before the other passes, and "
        "are written as shape hints after them",
    )
    group.add_argument(
        "--no-shape-hints", action="store_true", help="write no shape hints (parameter 30)"
    )


def with_shape_passes(pipeline: str, args: argparse.Namespace) -> str:
    """The pipeline with the passes of these options. Raises `UsageError`."""
    before: list[str] = []
    after: list[str] = []
    if args.input_shape:
        shapes = ",".join(map(quoted, input_shapes(args.input_shape)))
        before.append(f"{InferShapes.name}{{input_shape={shapes}}}")
        if pipeline:
            after.append(InferShapes.name)  # what passes make anew has no hints yet
    if args.no_shape_hints:
        after = [f"{InferShapes.name}{{hints=false}}"]
    return ",".join([*before, *([pipeline] if pipeline else []), *after])


def input_shapes(specs: Sequence[str]) -> tuple[str, ...]:
    """`INPUT=3,224,224` options as the pass takes them: `INPUT:3x224x224`. Raises `UsageError`."""
    shapes: dict[str, str] = {}
    for spec in specs:
        name, _, extents = spec.rpartition("=")
        if not name:
            raise UsageError(f"--input-shape takes INPUT=EXTENTS, as data=3,224,224, not '{spec}'")
        if name in shapes:
            raise UsageError(f"--input-shape is given twice for '{name}'")
        try:
            parse_extents(extents.split(","))
        except ValueError as e:
            raise UsageError(f"--input-shape {spec}: {e}") from e
        shapes[name] = f"{name}:{extents.replace(',', 'x')}"
    return tuple(shapes.values())
