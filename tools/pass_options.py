"""Options about the model that is written: its part, outputs, shapes and storage."""

import argparse
from collections.abc import Sequence

from xdsl.passes import ModulePass

from ..driver.errors import UsageError
from ..driver.pipeline_options import parse_axes, parse_input_shapes, with_options
from ..transforms.storage.convert_storage import DEFAULT_STORAGE, ROUNDED_STORAGE, STORAGES
from .parsers import add_options, names

OPTIONS = """
the model that is written:
  --cut-from LAYER  keep only layers that depend on this layer; their other operands become inputs
  --cut-to LAYER  keep only layers that this layer needs; its blobs become outputs
  --keep-blob BLOB[,BLOB…]...  make this blob an output under its own name (may be given several
      times)
  --storage  the storage of float weights after all passes; keep (default): unchanged, but rewritten
      float16 weights become float32 where float16 would round them; original: rewritten float16
      weights are rounded to float16 again
  --round-weights  round rewritten float16 weights to float16 again (the same as --storage
      original): more rewrites of a float16 model, but its outputs change
  --keep-precision  a former name of the default
shapes:
  --input-shape INPUT=EXTENTS...  the shape of an input, outermost extent first, ? for a dynamic
      extent: data=3,224,224 (may be given several times); all other shapes are inferred before the
      other passes, and written as shape hints after them
  --fix-shapes INPUT=EXTENTS...  the static shape of an input: the model is valid for this shape
      only, and passes may rely on it; ? for a dynamic extent (may be given several times); writes
      shape hints, as --input-shape
  --max-shape INPUT=EXTENTS...  the shape that an input never exceeds; ? for an extent without a
      bound (may be given several times)
  --dynamic INPUT=AXES...  make a model that was exported at a fixed input size accept any size: the
      dynamic axes of an input, by letter or index from the outermost, as in0=h,w or in0=1;
      in0=32*h,32*w: multiples of 32. If a layer has no dynamic form, it is named, and nothing is
      written
  --like FILE  for --dynamic: an export of the same model at another size; parameters that differ
      depend on the size
  --like-shape INPUT=EXTENTS...  the shape of an input of --like that the file does not declare
  --no-shape-hints  write no shape hints (parameter 30)
"""


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    storage = {"dest": "storage", "action": "store_const"}
    add_options(
        parser,
        OPTIONS,
        storage=STORAGES,
        round_weights={**storage, "const": ROUNDED_STORAGE},
        keep_precision={**storage, "const": DEFAULT_STORAGE},
    )


def with_model_options(passes: Sequence[ModulePass], args: argparse.Namespace) -> list[ModulePass]:
    """Return passes with the passes of `add_model_options`. Raises `UsageError`."""
    fixed = parse_input_shapes(args.fix_shapes, "--fix-shapes")
    at_most = parse_input_shapes(args.max_shape, "--max-shape")
    given = parse_input_shapes(args.input_shape)
    if args.dynamic and (fixed or at_most):
        raise UsageError("--dynamic is for a model of any size, --fix-shapes and --max-shape not")
    for name in (*fixed, *at_most):
        if name in given:
            raise UsageError(f"the shape of '{name}' is promised, and given with --input-shape")
    if not args.dynamic and (args.like is not None or args.like_shape):
        raise UsageError("--like is for --dynamic")
    writes_hints = (given or fixed) and not at_most and not args.dynamic
    return with_options(
        passes,
        release=args.for_ncnn,
        processor=None if args.on else args.tune,
        fixed=fixed,
        at_most=at_most,
        input_shapes=given,
        dynamic_axes=parse_axes(args.dynamic),
        cut_from=args.cut_from,
        cut_to=args.cut_to,
        kept_blobs=names(args.keep_blob),
        storage=args.storage,
        hints="drop" if args.no_shape_hints else "write" if writes_hints else None,
    )
