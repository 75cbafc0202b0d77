"""What `ncnn-table` does."""

import argparse
import re
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp

from ...dialects.ncnn.function import input_name
from ...driver.errors import UsageError
from ...driver.files import read_model
from ...formats.scale_table import write_scale_table
from ...frontends import ReadOptions
from ...quantization.prepared import Prepared
from ...runtime.engines import check_runtime
from ...targets.overwriting import check_unread
from ...transforms.finding import model_of
from ...transforms.shapes import set_input_shapes
from ...xdsl_extras.spelling import nearest
from ..messages import tell
from ..run.pixels import Preprocessing
from .calibrate import check_candidates, count, table_of, write_bytes
from .options import METHODS, cpus
from .samples import Files, listed

KEYS = ("mean", "norm", "shape", "pixel", "thread", "method", "type")
PIXELS = ("BGR", "RGB", "GRAY")

_ARRAY = re.compile(r"\[([^\[\]]*)\]")


def run(arguments: Sequence[str], usage: str) -> None:
    """Raises `UsageError` for other arguments than ncnn2table's, and one of `USER_ERRORS`."""
    words = [word for word in arguments if not _is_pair(word)]
    if len(words) == 3:
        raise UsageError("a table without samples is for `ncnn-quantize --weights-only`")
    if len(words) != 4:
        raise UsageError(f"4 arguments are needed before KEY=VALUE, not {len(words)}\n{usage}")
    param, weights, lists, output = words
    values = _values([word for word in arguments if _is_pair(word)])
    check_runtime()
    source = read_model(param, ReadOptions(weights))
    for message in source.warnings:
        tell(f"warning: {message}")
    func = model_of(source.module)
    _set_shapes(func, values)
    check_unread(output, [param, weights, *lists.split(",")])
    inputs = {input_name(func, i): arg for i, arg in enumerate(func.body.block.args)}
    given = lists.split(",")
    if len(given) != len(inputs):
        raise UsageError(f"expect {len(inputs)} lists, but got {len(given)}")
    specs = [f"{name}={path}" for name, path in zip(inputs, given, strict=True)]
    samples = Files(inputs, listed(inputs, specs), _preprocessing(list(inputs), values))
    if not samples.names():
        raise UsageError(f"there are no samples in {lists}")
    method = values.get("method", "kl")
    options = argparse.Namespace(
        shard=None,
        scheduler=None,
        jobs=_number(values, "thread", cpus()),
        method=method,
        weight_method="aciq" if method == "aciq" else "minmax",
    )
    with Prepared(source.module) as prepared:
        check_candidates(prepared, param)
        found = count(prepared, samples, options, output)
        table = table_of(source.module, prepared, found, options)
        write_bytes(output, write_scale_table(table))
    for name, (scale,) in table.blobs.items():
        tell(f"{name:<40} : threshold = {127 / scale:<15g}  scale = {scale:<15g}")


def _is_pair(word: str) -> bool:
    return re.match(r"[a-z]+=", word) is not None


def _values(words: Sequence[str]) -> dict[str, str]:
    """The pairs. Raises `UsageError`."""
    values: dict[str, str] = {}
    for word in words:
        key, _, value = word.partition("=")
        if key not in KEYS:
            raise UsageError(f"there is no '{key}='{nearest(key, KEYS)}")
        values[key] = value
    if values.get("method") == "eq":
        raise UsageError("method=eq is not done here: mse is what comes nearest")
    for key, known in (("method", METHODS), ("type", ("0", "1"))):
        if key in values and values[key] not in known:
            raise UsageError(f"{key} is {' or '.join(known)}, not '{values[key]}'")
    return values


def _number(values: Mapping[str, str], key: str, default: int) -> int:
    text = values.get(key, str(default))
    if not text.isdecimal() or int(text) == 0:
        raise UsageError(f"{key} is a positive number, not '{text}'")
    return int(text)


def _arrays(values: Mapping[str, str], key: str, count: int) -> list[list[float]] | None:
    """`[1,2],[3]` as lists, one for each input."""
    if key not in values:
        return None
    found = _ARRAY.findall(values[key])
    try:
        arrays = [[float(word) for word in text.split(",") if word.strip()] for text in found]
    except ValueError:
        raise UsageError(f"{key} is [V,V,…] for each input, not '{values[key]}'") from None
    if len(arrays) != count:
        raise UsageError(f"expect {count} {key}s, but got {len(arrays)}")
    return arrays


def _preprocessing(names: Sequence[str], values: Mapping[str, str]) -> dict[str, Preprocessing]:
    """How the images of each input become blobs."""
    means, norms = (_arrays(values, key, len(names)) for key in ("mean", "norm"))
    pixels = values["pixel"].split(",") if "pixel" in values else ["BGR"] * len(names)
    if len(pixels) != len(names):
        raise UsageError(f"expect {len(names)} pixels, but got {len(pixels)}")
    for pixel in pixels:
        if pixel not in PIXELS:
            raise UsageError(f"pixel is {', '.join(PIXELS)}, not '{pixel}'")
    return {
        name: Preprocessing(
            means[i] if means else (), norms[i] if norms else (), pixels[i] == "RGB"
        )
        for i, name in enumerate(names)
    }


def _set_shapes(func: FuncOp, values: Mapping[str, str]) -> None:
    """Gives the inputs the shapes that are said: w, h and c (or the channels of `pixel`)."""
    args = func.body.block.args
    shapes = _arrays(values, "shape", len(args))
    if shapes is None:
        return
    given: dict[str, tuple[int, ...]] = {}
    pixels = values.get("pixel", "").split(",")
    for i, shape in enumerate(shapes):
        extents = [int(n) if n > 0 else DYNAMIC_INDEX for n in reversed(shape)]
        if values.get("type", "0") == "0":
            grey = i < len(pixels) and pixels[i] == "GRAY"
            extents = [1 if grey else 3, *extents[-2:]]
        given[input_name(func, i)] = tuple(extents)
    set_input_shapes(func, given)
