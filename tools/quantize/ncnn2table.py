"""The work of `ncnn-table`: the options of ncnn2table, as a pixel format and a shape for each
input."""

import re
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp

from ...analysis.input_shapes import contradictions
from ...analysis.shape_inference import set_input_shapes, with_shapes
from ...dialects.ncnn.blob import extents_of
from ...dialects.ncnn.function import input_name, inputs_of
from ...dialects.ncnn.lookup import model_of
from ...dialects.xdsl_extras.spelling import nearest
from ...driver.errors import UsageError
from ...driver.messages import print_requested
from ...driver.model_files import read_model
from ...formats.scale_table import write_scale_table
from ...frontends import ReadOptions
from ...quantization.collection import PARTIAL, calibrate_table
from ...quantization.scales import METHODS
from ...samples.images import Preprocessing, image_extents
from ...samples.reader import read_lists
from ...targets.atomic_files import check_writable, write_file
from ...targets.output_checks import check_unread
from .result_printer import Printer

KEYS = ("mean", "norm", "shape", "pixel", "thread", "method", "type")

PIXELS = ("BGR", "RGB", "GRAY", "RGBA", "BGRA", "RAW")
"""The formats of ncnn2table. RAW is not converted: BGR, as images are read."""

_ARRAY = re.compile(r"\[([^\[\]]*)\]")


def write_table(arguments: Sequence[str], usage: str) -> None:
    """Write the scale table that the arguments of ncnn2table specify. Raises `UsageError` for other
    arguments, and one of `USER_ERRORS`."""
    words = [word for word in arguments if not _is_pair(word)]
    if len(words) == 3:
        raise UsageError("a table without samples is for `ncnn-quantize --weights-only`")
    if len(words) != 4:
        raise UsageError(f"4 arguments are needed before KEY=VALUE, not {len(words)}\n{usage}")
    param, weights, lists, output = words
    values = _values([word for word in arguments if _is_pair(word)])
    source, printer = read_model(param, ReadOptions(weights)), Printer("")
    for message in source.warnings:
        printer.on_warning(message)
    func = model_of(source.module)
    pixels, given = _pixels(func, values), lists.split(",")
    _set_shapes(func, values, pixels)
    check_unread(output, [param, weights, *given])
    check_writable(output)
    how = _preprocessing(list(inputs_of(func)), values, pixels)
    samples = read_lists(func, given, how, "shape" not in values, printer.on_warning)
    jobs, method = _thread_count(values), values.get("method", "kl")
    methods, partial = (method, "aciq" if method == "aciq" else "minmax"), output + PARTIAL
    with printer:
        module = source.module
        table = calibrate_table(
            module, samples, param, printer, *methods, jobs=jobs, partial=partial
        )
        write_file(output, write_scale_table(table))
    for name, (scale,) in table.blobs.items():
        threshold = 127 / float(scale)
        print_requested(
            f"{name:<40} : threshold = {threshold:<15g}  scale = {scale:<15g}",
            {"layer": name, "threshold": threshold, "scale": float(scale)},
        )


def _is_pair(word: str) -> bool:
    return re.match(r"[a-z]+=", word) is not None


def _values(words: Sequence[str]) -> dict[str, str]:
    """Return the values of KEY=VALUE pairs. Raises `UsageError`."""
    values: dict[str, str] = {}
    for word in words:
        key, _, value = word.partition("=")
        if key not in KEYS:
            raise UsageError(f"there is no '{key}='{nearest(key, KEYS)}")
        values[key] = value
    if values.get("method") == "eq":
        raise UsageError("method=eq is not supported: use method=mse, the nearest one")
    for key, known in (("method", METHODS), ("type", ("0", "1"))):
        if key in values and values[key] not in known:
            raise UsageError(f"{key} is {' or '.join(known)}, not '{values[key]}'")
    return values


def _thread_count(values: Mapping[str, str]) -> int | None:
    text = values.get("thread")
    if text is not None and (not text.isdecimal() or int(text) == 0):
        raise UsageError(f"thread is a positive number, not '{text}'")
    return None if text is None else int(text)


def _arrays(values: Mapping[str, str], key: str, count: int) -> list[list[float]] | None:
    """Return `[1,2],[3]` as lists, one for each input. Raises `UsageError`."""
    if key not in values:
        return None
    found = _ARRAY.findall(values[key])
    if count == 1 and not found and "[" not in values[key]:  # the only array needs no brackets
        found = [values[key]]
    try:
        arrays = [[float(word) for word in text.split(",") if word.strip()] for text in found]
    except ValueError:
        raise UsageError(f"{key} is [V,V,…] for each input, not '{values[key]}'") from None
    if len(arrays) != count:
        raise UsageError(f"expect {count} {key}s, but got {len(arrays)}")
    return arrays


def _pixels(func: FuncOp, values: Mapping[str, str]) -> list[str]:
    """Return the pixel format of each input: by default BGR, or GRAY for an input of one channel.
    Raises `UsageError`."""
    args = func.body.block.args
    taken = [image_extents(arg)[0] for arg in args]
    if "pixel" not in values:
        return ["GRAY" if channels == 1 else "BGR" for channels in taken]
    pixels = values["pixel"].split(",")
    if len(pixels) != len(args):
        raise UsageError(f"expect {len(args)} pixels, but got {len(pixels)}")
    for i, (pixel, channels) in enumerate(zip(pixels, taken, strict=True)):
        if pixel not in PIXELS:
            raise UsageError(f"pixel is {', '.join(PIXELS)}, not '{pixel}'")
        if _is_images(values) and channels not in (None, _channels(pixel)):
            raise UsageError(
                f"pixel={pixel} makes images of {_channels(pixel)} channels, "
                f"input '{input_name(func, i)}' has {channels}"
            )
    return pixels


def _channels(pixel: str) -> int:
    return {"GRAY": 1, "RGBA": 4, "BGRA": 4}.get(pixel, 3)


def _is_images(values: Mapping[str, str]) -> bool:
    return values.get("type", "0") == "0"


def _preprocessing(
    names: Sequence[str], values: Mapping[str, str], pixels: Sequence[str]
) -> dict[str, Preprocessing]:
    """Return the preprocessing of images for each input. Raises `UsageError`."""
    means, norms = (_arrays(values, key, len(names)) for key in ("mean", "norm"))
    return {
        name: Preprocessing(
            means[i] if means else (),
            norms[i] if norms else (),
            pixels[i] in ("RGB", "RGBA"),
            pixels[i] in ("RGBA", "BGRA"),
        )
        for i, name in enumerate(names)
    }


def _set_shapes(func: FuncOp, values: Mapping[str, str], pixels: Sequence[str]) -> None:
    """Set the shapes of the inputs that `shape` specifies: [w,h,c], or [w,h] of images. Raises
    `UsageError` for an invalid shape, and for one that does not fit the model."""
    args = func.body.block.args
    shapes = _arrays(values, "shape", len(args))
    if shapes is None:
        return
    for arg, shape, pixel in zip(list(args), shapes, pixels, strict=True):
        name, text = input_name(func, arg.index), _spelled(shape)
        if any(n < 0 or n != int(n) for n in shape) or not 1 <= len(shape) <= 4:
            raise UsageError(f"shape is [w,h,c] for each input, not {text}")
        own = image_extents(arg)
        channels = own[0] if len(own) == 3 else None
        if _is_images(values):
            channels = _channels(pixel)
            shape = [*shape, channels] if len(shape) == 2 else shape
            if shape[:2].count(0) == 1:
                raise UsageError(f"shape={text} of input '{name}': w and h are both 0, or neither")
        given = tuple(int(n) or DYNAMIC_INDEX for n in reversed(shape))
        reason = _misfit(func, arg.index, given, channels)
        if reason is not None:
            likely = _likely([int(n) for n in shape], channels)
            advice = f"; shape is [w,h,c]: try shape={_spelled(likely)}" if likely else ""
            raise UsageError(f"shape={text} of input '{name}': {reason}{advice}")
        set_input_shapes(func, {name: given})


def _misfit(func: FuncOp, index: int, shape: tuple[int, ...], channels: int | None) -> str | None:
    """Return the reason why an input cannot have a shape, if there is one."""
    if (found := next(contradictions(with_shapes(func, {index: shape})), None)) is not None:
        return str(found)
    if len(shape) != len(extents_of(func.body.block.args[index].type) or shape):
        return "the input has another number of dims"
    if channels is not None and (len(shape) != 3 or shape[0] not in (channels, DYNAMIC_INDEX)):
        return f"the input has {channels} channels"
    return None


def _likely(shape: list[int], channels: int | None) -> list[int]:
    """Return the [w,h,c] that a shape in another order, or without channels, may mean; an empty
    list if nothing is likely."""
    if channels is None or not 2 <= len(shape) <= 3:
        return []
    if len(shape) == 2:
        return [*shape, channels]
    others = list(shape)
    others.pop(others.index(channels) if channels in others else 2)
    return [*others, channels]


def _spelled(shape: Sequence[float]) -> str:
    return f"[{','.join(f'{n:g}' for n in shape)}]"
