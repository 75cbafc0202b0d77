"""Samples with the options of ncnn2table: a list of files, a pixel format and a shape for each
input."""

import re
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp

from ..analysis.input_shapes import contradictions
from ..analysis.shape_inference import infer, set_input_shapes
from ..dialects.ncnn.function import input_name, inputs_of
from ..quantization.steps import Observer
from ..targets.files import check_writable
from ..targets.overwriting import check_unread
from .errors import UsageError
from .images import Preprocessing
from .input_values import image_extents
from .listing import extents_of
from .samples import Files, adopt, listed

PIXELS = ("BGR", "RGB", "GRAY", "RGBA", "BGRA", "RAW")
"""The formats of ncnn2table. RAW is not converted: BGR, as images are read."""

_ARRAY = re.compile(r"\[([^\[\]]*)\]")


def read_listed(
    func: FuncOp,
    values: Mapping[str, str],
    lists: str,
    read: Sequence[str],
    output: str,
    observer: Observer,
) -> Files:
    """Return the samples in lists of files. `values` are the options of ncnn2table by name.
    `output` is the file that will be written, which must not be one of `read`. Raises `UsageError`
    and `OutputError`."""
    pixels = _pixels(func, values)
    _set_shapes(func, values, pixels)
    given = lists.split(",")
    check_unread(output, [*read, *given])
    check_writable(output)
    inputs = inputs_of(func)
    if len(given) != len(inputs):
        raise UsageError(f"expect {len(inputs)} lists, but got {len(given)}")
    specs = [f"{name}={path}" for name, path in zip(inputs, given, strict=True)]
    how = _preprocessing(list(inputs), values, pixels)
    samples = Files(inputs, listed(inputs, specs), how)
    if not samples.names():
        raise UsageError(f"there are no samples in {lists}")
    if "shape" not in values:
        samples, warnings = adopt(func, samples, samples.shapes(resize=True))
        for message in warnings:
            observer.on_warning(message)
    return samples


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
    copy = func.clone()
    infer(copy, {copy.body.block.args[index]: shape})
    if (found := next(contradictions(copy), None)) is not None:
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
