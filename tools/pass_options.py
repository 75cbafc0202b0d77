"""Options of the command line that are passes, at the places in the pipeline where they belong:
which part of a model is written, which outputs, which shapes and which storage."""

import argparse
from collections.abc import Sequence

from ..driver.errors import UsageError
from ..driver.pipelines import for_release, limited, promising, quoted, storing, tuned
from ..transforms.dynamic_shapes.dynamic_axes import parse_dynamic_axes
from ..transforms.infer_shapes import InferShapes, parse_extents
from ..transforms.storage.convert_storage import DEFAULT_STORAGE, ROUNDED_STORAGE, STORAGES
from .parsers import add_input_shape

MAKE_DYNAMIC = "make-dynamic"


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options about the model that is written to a parser."""
    group = parser.add_argument_group("the model that is written")
    group.add_argument(
        "--cut-from",
        metavar="LAYER",
        help="only what depends on this layer; what that reads from outside becomes an input",
    )
    group.add_argument(
        "--cut-to", metavar="LAYER", help="only what this layer needs; its blobs become outputs"
    )
    group.add_argument(
        "--keep-blob",
        metavar="BLOB[,BLOB…]",
        action="append",
        default=[],
        help="an output as well, under its own name (may be given several times)",
    )
    group.add_argument(
        "--storage",
        choices=STORAGES,
        help="how float weights are stored, after all passes; keep, the default: as they were, but "
        "rewritten float16 weights are float32 where float16 would round them; original: these are "
        "rounded to float16 again",
    )
    group.add_argument(
        "--round-weights",
        action="store_const",
        dest="storage",
        const=ROUNDED_STORAGE,
        help="round rewritten float16 weights to float16 again (the same as --storage original): "
        "more rewrites of a float16 model, but its outputs change",
    )
    group.add_argument(
        "--keep-precision",
        action="store_const",
        dest="storage",
        const=DEFAULT_STORAGE,
        help="the default, by its former name",
    )
    shapes = parser.add_argument_group("shapes")
    add_input_shape(
        shapes,
        "the shape of an input, outermost extent first, ? for an unknown one: data=3,224,224 "
        "(may be given several times); the shapes of all blobs follow before the other passes, and "
        "are written as shape hints after them",
    )
    add_input_shape(
        shapes,
        "the shape that an input always has: the model is for no other, and passes may rely on it; "
        "? for an extent that may be any (may be given several times); shape hints as with "
        "--input-shape",
        "--fix-shapes",
    )
    add_input_shape(
        shapes,
        "the shape that an input never exceeds; ? for an extent without a bound (may be given "
        "several times)",
        "--max-shape",
    )
    shapes.add_argument(
        "--dynamic",
        metavar="INPUT=AXES",
        action="append",
        default=[],
        help="make a model that was exported at one size one of any: the axes of an input whose "
        "extents are to be any, by letter or place from the outermost, as in0=h,w or in0=1; "
        "in0=32*h,32*w: any multiples of 32. What cannot follow is named, and nothing is written",
    )
    shapes.add_argument(
        "--like",
        metavar="FILE",
        help="for --dynamic: an export of the same model at another size; the differences decide",
    )
    add_input_shape(
        shapes, "the shape of an input of --like, where the file does not say it", "--like-shape"
    )
    shapes.add_argument(
        "--no-shape-hints", action="store_true", help="write no shape hints (parameter 30)"
    )


def with_passes(pipeline: str, args: argparse.Namespace) -> str:
    """The pipeline with the passes of these options: shapes, without which nothing can be run, then
    tuning, cutting and keeping come before all others, storage and hints after them. Raises
    `UsageError`."""
    before = cutting(args.cut_from, args.cut_to)
    blobs = [name for names in args.keep_blob for name in names.split(",") if name]
    if blobs:
        before.append(f"keep-blobs{{names={','.join(map(quoted, blobs))}}}")
    pipeline = storing(pipeline, args.storage)
    if args.optimize:
        before += limited((), args.storage)
    passes = [*before, *([pipeline] if pipeline else [])]
    promise = promise_of(args)
    hints = [InferShapes.name] if passes or promise else []  # what passes make anew has none yet
    first = promise
    if args.input_shape:
        shapes = ",".join(map(quoted, input_shapes(args.input_shape)))
        none = "hints=false " if args.dynamic else ""
        first = [*promise, f"{InferShapes.name}{{{none}input_shape={shapes}}}"]
    if args.dynamic:
        axes = ",".join(map(quoted, free_axes_of(args.dynamic)))
        first += ["eliminate-split", "fold-constants", f"{MAKE_DYNAMIC}{{axes={axes}}}"]
    elif args.like is not None or args.like_shape:
        raise UsageError("--like is for --dynamic")
    if args.dynamic and not args.no_shape_hints:
        hints = []
    elif args.no_shape_hints:
        hints = [f"{InferShapes.name}{{hints=false}}"]
    elif args.max_shape or not (args.input_shape or args.fix_shapes):
        hints = []
    rest = tuned(",".join([*passes, *hints]), args.tune)
    first = [*for_release(args.for_ncnn), *first]
    return ",".join([*first, *([rest] if rest else [])])


def promise_of(args: argparse.Namespace) -> list[str]:
    """The pass that promises shapes, if these options say some. Raises `UsageError`."""
    fixed = input_shapes(args.fix_shapes, "--fix-shapes")
    most = input_shapes(args.max_shape, "--max-shape")
    if not fixed and not most:
        return []
    if args.dynamic:
        raise UsageError("--dynamic is for a model of any size, --fix-shapes and --max-shape not")
    given = {spec.rpartition(":")[0] for spec in input_shapes(args.input_shape)}
    for spec in (*fixed, *most):
        if (name := spec.rpartition(":")[0]) in given:
            raise UsageError(f"the shape of '{name}' is promised, and given with --input-shape")
    return [promising("", fixed, most)]


def cutting(start: str | None, end: str | None) -> list[str]:
    """The pass that cuts a model at these layers, if there are any."""
    bounds = {"from": start, "to": end}
    given = [f"{key}={quoted(name)}" for key, name in bounds.items() if name is not None]
    return [f"cut-model{{{' '.join(given)}}}"] if given else []


def free_axes_of(specs: Sequence[str]) -> list[str]:
    """`INPUT=h,w` options as the pass takes them: `INPUT:h`. Raises `UsageError`."""
    found: list[str] = []
    for spec in specs:
        name, _, axes = spec.rpartition("=")
        found += [f"{name}:{axis}" for axis in axes.split(",")]
        try:
            parse_dynamic_axes(found)
        except ValueError as e:
            raise UsageError(f"--dynamic takes INPUT=AXES, as in0=h,w; '{spec}': {e}") from e
    return found


def input_shapes(specs: Sequence[str], option: str = "--input-shape") -> tuple[str, ...]:
    """`INPUT=3,224,224` options as the pass takes them: `INPUT:3x224x224`. Raises `UsageError`."""
    shapes: dict[str, str] = {}
    for spec in specs:
        name, _, extents = spec.rpartition("=")
        if not name:
            raise UsageError(f"{option} takes INPUT=EXTENTS, as data=3,224,224, not '{spec}'")
        if name in shapes:
            raise UsageError(f"{option} is given twice for '{name}'")
        try:
            parse_extents(extents.split(","))
        except ValueError as e:
            raise UsageError(f"{option} {spec}: {e}") from e
        shapes[name] = f"{name}:{extents.replace(',', 'x')}"
    return tuple(shapes.values())
