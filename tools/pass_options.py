"""Options about the model that is written: its part, outputs, shapes and storage.

Each of these options stands for a pass with its parameters. Users need not know the names of these
passes, nor where in the pipeline they stand.
"""

import argparse
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from ..driver.edits import Edits
from ..driver.errors import UsageError
from ..driver.pipelines import make_pass, parse_axes, parse_input_shapes, with_options
from ..driver.requests import MARGIN, MAX_ERROR, Float16Request
from ..transforms.storage.convert_storage import DEFAULT_STORAGE, ROUNDED_STORAGE, STORAGES
from .audit_option import size
from .parsers import add_options, check_used, names, positive

if TYPE_CHECKING:
    from ..dialects.ncnn.weight_specs import Shape

ADD_CACHE = "add-kv-cache"

OPTIONS = """
the model that is written:
  --cut-from LAYER  keep only layers that depend on this layer; their other operands become inputs
  --cut-to LAYER  keep only layers that this layer needs; its blobs become outputs
  --keep-blob BLOB[,BLOB…]...  make this blob an output under its own name (may be given several
      times)
  --opaque-caches  the application passes the caches of a decoder on as they are: a cache may change
      its number of heads (docs/decoders.md)
  --cache-names NAMES  for --add-kv-cache: the names of past keys, past values, all keys and all
      values, with # for the number of the layer (cache_k#,cache_v#,out_cache_k#,out_cache_v#)
  --insert LINE...  insert a layer, given as a line of a .param, as "SherpaMetaData meta 0 0 0=2"; a
      layer whose output has the name of its input replaces this blob (may be given several times)
  --table-inputs  make masks, rotary tables and positions that the model contains its inputs, named
      mask, cos, sin and positions: then --dynamic can name the number of steps
  --rename OLD=NEW[,OLD=NEW…]...  rename inputs, outputs, blobs and layers; layer:OLD=NEW: only the
      layer, blob:OLD=NEW: only the blob (may be given several times)
  --inputs INPUT[,INPUT…]...  the order of all inputs; a+b: one Input layer with the blobs a and b
      (may be given several times)
  --outputs OUTPUT[,OUTPUT…]...  the order of all outputs (may be given several times)
  --join OUTPUT=INPUT[,OUTPUT=INPUT…]...  join several models INPUT… (or the parts in a manifest
      .json) into one: inputs read the outputs of their names, or those that are given here (may be
      given several times)
  --interpolate FILE=FRACTION...  weights between those of the model and of another one with the
      same layers, of which the result has this fraction, from 0 to 1 (may be given several times)
  --expand-custom TYPE=FILE...  replace the custom layers of a type by the layers of an equivalent
      model, whose inputs and outputs are those of the layer (may be given several times)
  --custom-shape TYPE=FUNCTION...  the shape function of a custom layer type: the extents of its
      output, as "MyLayer=*(0w,2),*(0h,2),0c": twice the w of input 0, and so on; p0: parameter 0;
      in0: the shape of input 0; a ; between outputs (may be given several times)
  --split-at BLOB[,BLOB…]...  write the model in parts, each up to the layer that writes a blob, as
      NAME.1.param, NAME.2.param and so on, with a manifest NAME.json (may be given several times)
  --split NUMBER  write the model in so many parts, of which the largest is as small as possible
  --split-size BYTES  write the model in parts with at most this many bytes of weights: 200M, 1G
  --share-weights FILE  write only the .param, if FILE has the weights of the model: several graphs
      over one .bin; else name the weights that differ
  --storage  the storage of float weights after all passes; keep (default): unchanged, but rewritten
      float16 weights become float32 where float16 would round them; original: rewritten float16
      weights are rounded to float16 again
  --storage-of PATTERN=STORAGE[,PATTERN=STORAGE…]...  the storage, fp16, bf16 or fp32, of layers
      whose type or name matches, as Gemm*=fp16,head=fp32; the last pattern that matches decides;
      head: the last layers with weights before each output, stem: the first ones behind each input
      (may be given several times)
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
      in0=32*h,32*w: multiples of 32; in0=h:n and in1=h:n,w:p+n: named extents, equal wherever they
      stand. If a layer has no dynamic form, it is named, and nothing is written
  --other-export FILE  for --dynamic: an export of the same model at another size; parameters that
      differ depend on the size
  --other-shape INPUT=EXTENTS...  the shape of an input of --other-export that the file does not
      declare
  --no-shape-hints  write no shape hints (parameter 30)
"""


FLOAT16 = f"""
float16:
  --fp16-safe  after all passes, rescale weights and set the fewest feature masks (parameter 31)
      with which the outputs for the samples of --data stay within --max-error of float32, with
      float16 storage and arithmetic, on a GPU and on 64-bit arm (both emulated); layers get masks
      for arm, too, where the outputs exceed ERROR there
  --data FILE  the samples of --fp16-safe: a .npy for the only input, or a .npz with an array for
      each input; the outermost axis counts samples
  --margin FACTOR  magnitudes stay below float16's limit by this factor, for inputs that no sample
      has ({MARGIN:g})
  --max-error ERROR  the largest error relative to an output's largest value ({MAX_ERROR:g})
"""


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    storage = {"dest": "storage", "action": "store_const"}
    add_options(
        parser,
        OPTIONS,
        join={"nargs": "?", "const": "", "default": None},
        split_size=size,
        split=positive,
        storage=STORAGES,
        round_weights={**storage, "const": ROUNDED_STORAGE},
        other_export={"dest": "like"},
        other_shape={"dest": "like_shape"},
        keep_precision={**storage, "const": DEFAULT_STORAGE},
    )


def with_model_options(passes: Sequence[ModulePass], args: argparse.Namespace) -> list[ModulePass]:
    """Return passes with the passes of `add_model_options`. Raises `UsageError`."""
    passes = with_cache_names(passes, args.cache_names)
    fixed = parse_input_shapes(args.fix_shapes, "--fix-shapes")
    at_most = parse_input_shapes(args.max_shape, "--max-shape")
    given = parse_input_shapes(args.input_shape)
    if args.dynamic and (fixed or at_most):
        raise UsageError("--dynamic is for a model of any size, --fix-shapes and --max-shape not")
    given = _without_repeated(given, fixed, "--fix-shapes")
    given = _without_repeated(given, at_most, "--max-shape")
    if not args.dynamic and (args.like is not None or args.like_shape):
        raise UsageError("--other-export is for --dynamic")
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
        opaque_caches=args.opaque_caches,
        edits=edits_of(args),
        storage=args.storage,
        storage_of=names(args.storage_of),
        hints="drop" if args.no_shape_hints else "write" if writes_hints else None,
    )


def _without_repeated(
    given: "Mapping[str, Shape]", stronger: "Mapping[str, Shape]", option: str
) -> "dict[str, Shape]":
    """Return the shapes of `--input-shape` without those that another option repeats: a file of
    options has both, for several commands. Raise `UsageError` if the shapes differ, or if the other
    option only bounds them."""
    for name, shape in stronger.items():
        if name in given and (option != "--fix-shapes" or given[name] != shape):
            both = f"{option} and --input-shape both give the shape of '{name}'"
            how = ", and differ" if given[name] != shape else ""
            raise UsageError(f"{both}{how}; omit one")
    return {name: shape for name, shape in given.items() if name not in stronger}


NAMED = {
    "rename": "in0=data,out0=output",
    "inputs": "in0,in1",
    "outputs": "out0,out1",
    "split_at": "blob0,blob1",
}
"""The options that need names, with examples."""


def edits_of(args: argparse.Namespace) -> Edits:
    """Return the edits of the options. Raises `UsageError`."""
    for name, example in NAMED.items():
        given: list[str] = getattr(args, name)
        if given and not names(given):
            option = name.replace("_", "-")
            raise UsageError(f"--{option} needs names: --{option} {example}")
    return Edits(
        insert=args.insert,
        table_inputs=args.table_inputs,
        rename=names(args.rename),
        inputs=names(args.inputs),
        outputs=names(args.outputs),
        join=None if args.join is None else names(args.join),
        joined_inputs=args.joined_inputs,
        split_at=names(args.split_at),
        split_size=args.split_size,
        split_parts=args.split,
        fractions=[fraction for _, fraction in interpolated(args)],
        expanded=[type_ for type_, _ in expanded(args)],
        shapes=args.custom_shape,
    )


def interpolated(args: argparse.Namespace) -> list[tuple[str, float]]:
    """Return the further models of `--interpolate` with their fractions. Raises `UsageError`."""
    found: list[tuple[str, float]] = []
    for text in args.interpolate:
        path, _, number = text.rpartition("=")
        try:
            fraction = float(number)
        except ValueError:
            fraction = -1.0
        if not path or not 0 <= fraction <= 1:
            raise UsageError(
                f"--interpolate takes FILE=FRACTION, with a fraction from 0 to 1: other.param=0.3, "
                f"not '{text}'"
            )
        found.append((path, fraction))
    if found and args.join is not None:
        raise UsageError("--interpolate and --join: interpolate first, and join the result")
    return found


def expanded(args: argparse.Namespace) -> list[tuple[str, str]]:
    """Return the types of `--expand-custom` with the models that stand for them. Raises
    `UsageError`."""
    found: list[tuple[str, str]] = []
    for text in args.expand_custom:
        type_, _, path = text.partition("=")
        if not type_ or not path:
            raise UsageError(
                f"--expand-custom takes TYPE=FILE, as MyLayer=my_layer.param, not '{text}'"
            )
        found.append((type_, path))
    if found and (args.join is not None or args.interpolate):
        raise UsageError("--expand-custom is for one model: expand first, then join or interpolate")
    return found


def with_cache_names(passes: Sequence[ModulePass], names: str | None) -> Sequence[ModulePass]:
    """Return passes with the names of caches that an option gives. Raises `UsageError`."""
    if names is None:
        return passes
    if not any(each.name == ADD_CACHE for each in passes):
        raise UsageError("--cache-names is for --add-kv-cache")
    return [make_pass(ADD_CACHE, names) if each.name == ADD_CACHE else each for each in passes]


def names_with_shapes(args: argparse.Namespace) -> frozenset[str]:
    """Return the inputs whose shapes the options set."""
    options = args.input_shape, args.fix_shapes, args.max_shape
    return frozenset(name for specs in options for name in parse_input_shapes(specs or ()))


def float16_request(args: argparse.Namespace) -> Float16Request | None:
    """Return the request of `--fp16-safe`. Raises `UsageError`."""
    check_used(args, args.fp16_safe, "--fp16-safe", "data", "margin", "max_error")
    if not args.fp16_safe:
        return None
    path: str | None = args.data
    if path is None:
        raise UsageError("--fp16-safe needs samples: --data FILE")
    margin: float = MARGIN if args.margin is None else args.margin
    max_error: float = MAX_ERROR if args.max_error is None else args.max_error
    if not (isfinite(margin) and margin >= 1):
        raise UsageError(f"--margin takes a factor from 1 on, not {margin:g}")
    if not (isfinite(max_error) and max_error > 0):
        raise UsageError(f"--max-error takes a positive number, not {max_error:g}")
    return Float16Request(path, margin, max_error)
