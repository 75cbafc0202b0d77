"""The reader of samples for calibration and evaluation.

Every command and the Python API read samples here: from images and folders of images, `.npy`,
`.npz`, lists of files, and arrays in memory. A sample is a row of sources, one for each input. A
source is read when the sample is used, so that few samples are in memory at once.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..analysis.adopted_shapes import with_sample_shapes
from ..dialects.ncnn.blob import extents_of
from ..dialects.ncnn.function import inputs_of
from ..formats.errors import FormatError, UsageError
from ..formats.numpy_arrays import NamedArrays, read_numpy
from .images import Preprocessing, image_size
from .sources import (
    Array,
    ArrayFile,
    ImageFile,
    Row,
    Samples,
    Source,
    Values,
    array_in,
    description_of,
    spelled,
)

ENDINGS = (".bmp", ".gif", ".jpeg", ".jpg", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp")
"""The suffixes of images in a folder."""

Data = Array | Mapping[str, Array] | Iterable[Array | Mapping[str, Array]]
"""Samples in memory: an array whose outermost axis counts samples, such an array for each input, or
samples one after the other."""

Note = Callable[[str], None]
"""Receives a message for the user."""


@dataclass(frozen=True)
class SampleFiles:
    """The files of samples: one of `images`, `data` and `list`."""

    images: Sequence[str]
    """Images, and folders of images."""
    data: str | None
    """A `.npy` or `.npz` whose outermost axes count samples."""
    list: Sequence[str]
    """Files with the name of an image or `.npy` in each line."""
    count: int | None
    """The largest number of samples."""
    how: Preprocessing
    resize: bool
    """Whether images are resized to the input."""


def read_samples(func: FuncOp, files: SampleFiles, note: Note) -> Samples:
    """Return the samples in files. Raises `UsageError`, `FormatError`, `RunError` and `OSError`."""
    inputs = inputs_of(func)
    given = [flag for flag in ("images", "data", "list") if getattr(files, flag)]
    if len(given) != 1:
        found = " and ".join(f"--{flag}" for flag in given) or "none"
        raise UsageError(f"samples come from one of --images, --data and --list; given is {found}")
    how = dict.fromkeys(inputs, files.how)
    if files.images:
        rows = [*_images(inputs, files.images, files.how)]
    elif files.list:
        rows = _listed(inputs, files.list, how)
    else:
        rows = _rows_of_file(inputs, files.data or "")
    if not rows:
        places = files.data or ", ".join(files.images or files.list)
        raise UsageError(f"there are no samples in {places}")
    if files.images and not (files.how.mean or files.how.norm):
        note(
            "warning: --images without --mean and --norm: pixels are 0 to 255; give the values of "
            "the program that will run the model"
        )
    _check_sizes(inputs, rows, files.resize, note)
    hint = "; --resize resizes images" if files.images else ""
    samples = _adopted(func, rows, lambda text: note(f"warning: {text}{hint}"), files.resize)
    return samples.first(files.count)


def read_lists(
    func: FuncOp,
    lists: Sequence[str],
    how: Mapping[str, Preprocessing],
    adopt: bool,
    on_warning: Note,
) -> Samples:
    """Return the samples in lists of files, one list for each input, in order. Images are resized.
    With `adopt`, the samples may have other shapes than the model declares. Raises `UsageError`,
    `FormatError`, `RunError` and `OSError`."""
    inputs = inputs_of(func)
    if len(lists) != len(inputs):
        raise UsageError(f"expect {len(inputs)} lists, but got {len(lists)}")
    specs = [f"{name}={path}" for name, path in zip(inputs, lists, strict=True)]
    rows = _listed(inputs, specs, how)
    if not rows:
        raise UsageError(f"there are no samples in {','.join(lists)}")
    return _adopted(func, rows, on_warning, resize=True) if adopt else Samples(inputs, rows)


def read_arrays(func: FuncOp, path: str, on_warning: Note, partial: bool = False) -> Samples:
    """Return the samples in a `.npy` or `.npz`. With `partial`, arrays for some of the inputs are
    enough. Raises `UsageError`, `FormatError`, `RunError` and `OSError`."""
    rows = _rows_of_file(inputs_of(func), path, partial)
    if not rows:
        raise UsageError(f"there are no samples in {path}")
    return _adopted(func, rows, on_warning)


def samples_in(func: FuncOp, data: Data, on_warning: Note) -> Samples:
    """Return the samples in arrays. Raises `UsageError`, and `RunError` for samples that do not fit
    the model."""
    names = list(inputs_of(func))
    rows: list[Row] = []
    for index, sample in enumerate(_divided(data, names)):
        if set(sample) != set(names):
            raise UsageError(f"a sample has {', '.join(sample)}, the model {', '.join(names)}")
        place, values = f"sample {index}", {n: np.asarray(sample[n]) for n in names}
        rows.append({n: Values(place, v, f"{id(data)}[{index}]") for n, v in values.items()})
    if not rows:
        raise UsageError("there are no samples")
    return _adopted(func, rows, on_warning)


def npz_files(given: Sequence[str]) -> list[str]:
    """Return the files of samples: the named files, and the `.npz` files in the named folders, by
    name. Raises `UsageError` for a folder without such files."""
    files: list[str] = []
    for path in given:
        if not os.path.isdir(path):
            files.append(path)
            continue
        inside = sorted(name for name in os.listdir(path) if name.endswith(".npz"))
        if not inside:
            raise UsageError(f"{path}: there is no .npz in it")
        files += [os.path.join(path, name) for name in inside]
    return files


def arrays_in(path: str) -> NamedArrays:
    """Return the arrays in a `.npz`. Raises `UsageError` for a `.npy`, and `FormatError`."""
    loaded = read_numpy(path, path)
    if isinstance(loaded, np.ndarray):
        raise UsageError(f"{path}: this is a .npy by its content")
    return loaded


def _adopted(func: FuncOp, rows: Sequence[Row], on_warning: Note, resize: bool = False) -> Samples:
    """Return samples for a model with their shapes, and warn of inputs that the model declares with
    other shapes. Raises `RunError` for samples that its weights do not allow. The model does not
    change: its file, and statistics of parts of the samples, must not depend on shapes."""
    inputs = inputs_of(func)
    shapes = (
        (next(iter(row.values())).place, {n: s.shape(inputs[n], resize) for n, s in row.items()})
        for row in rows
    )
    copy, warnings = with_sample_shapes(func, shapes)
    for message in warnings:
        on_warning(message)
    return Samples(inputs_of(copy), rows)


def _images(
    inputs: Mapping[str, SSAValue], places: Sequence[str], how: Preprocessing
) -> Iterator[Row]:
    name = _only_input(inputs, "--images")
    for place in places:
        if not os.path.isdir(place):
            os.stat(place)
            yield {name: ImageFile(place, how)}
            continue
        found = (p for p in Path(place).rglob("*") if p.suffix.lower() in ENDINGS)
        yield from ({name: ImageFile(str(path), how)} for path in sorted(found))


def _listed(
    inputs: Mapping[str, SSAValue], specs: Sequence[str], how: Mapping[str, Preprocessing]
) -> list[Row]:
    """Return the files in lists: `NAME=FILE` for each input, or `FILE` for the only input."""
    lists: dict[str, list[Source]] = {}
    for spec in specs:
        name, equals, path = spec.partition("=")
        if not equals or name not in inputs:
            name, path = _only_input(inputs, "--list FILE"), spec
        if name in lists:
            raise UsageError(f"--list is given twice for '{name}'")
        lists[name] = [
            ArrayFile(line) if line.endswith(".npy") else ImageFile(line, how[name])
            for line in _lines(path)
        ]
    if missing := [name for name in inputs if name not in lists]:
        raise UsageError(f"--list: there is no list for input '{missing[0]}'")
    lengths = {name: len(paths) for name, paths in lists.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{n} for '{name}'" for name, n in lengths.items())
        raise UsageError(f"--list: the lists have different lengths, {told}")
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


def _lines(path: str) -> list[str]:
    """Return the names in a list of files. Raises `FormatError` for a name that no file can have,
    and `OSError`."""
    with open(path, "rb") as f:
        lines = f.read().decode(errors="surrogateescape").splitlines()
    for number, line in enumerate(lines, 1):
        if (column := line.find("\0")) >= 0:
            message = "a name contains a NUL byte; each line is the name of an image or .npy"
            raise FormatError(path, message, number, column + 1)
    return [line.strip() for line in lines if line.strip()]


def _rows_of_file(
    inputs: Mapping[str, SSAValue], path: str, partial: bool = False
) -> Sequence[Row]:
    """Return the samples in a `.npy` or `.npz`."""
    if is_one := path.endswith(".npy"):
        arrays: Mapping[str, Array] = {_only_input(inputs, "a .npy"): array_in(path, "r")}
    else:
        loaded = arrays_in(path)
        missing = [name for name in inputs if name not in loaded]
        if missing and not partial:
            raise UsageError(f"{path}: there is no array '{missing[0]}' for the input of that name")
        arrays = {name: loaded[name] for name in inputs if name in loaded}
        if not arrays:
            raise UsageError(f"{path}: there is no array of the name of an input")
    for name, values in arrays.items():
        _check_array(name, inputs[name], values, path)
    if len({len(values) for values in arrays.values()}) > 1:
        counts = ", ".join(f"{len(values)} in '{name}'" for name, values in arrays.items())
        raise UsageError(f"{path}: the arrays have different numbers of samples: {counts}")

    def source(values: Array, index: int) -> Source:
        if is_one:
            return ArrayFile(path, index, values.shape[1:])
        return Values(f"{path}[{index}]", values[index], f"{content} {index}")

    content, count = description_of(path), len(next(iter(arrays.values())))
    return [{name: source(values, i) for name, values in arrays.items()} for i in range(count)]


def _check_array(name: str, arg: SSAValue, values: Array, path: str) -> None:
    """Raise `UsageError` for an array that does not hold samples of an input."""
    extents, shape = extents_of(arg.type), "x".join(map(str, values.shape))
    if values.dtype.kind not in "fiub":
        elements = f"elements of {values.dtype}, which are no numbers"
        raise UsageError(f"{path}: array '{name}' has {elements}")
    if values.ndim == 0:
        raise UsageError(f"{path}: array '{name}' has no axis that counts samples")
    if extents is not None and values.ndim != len(extents) + 1:
        one = spelled(extents)
        raise UsageError(f"{path}: array '{name}' is {shape}, samples x {one} are expected")
    if 0 in values.shape[1:]:
        raise UsageError(f"{path}: array '{name}' is {shape}: its samples have no elements")


def _divided(data: Data, names: Sequence[str]) -> Iterable[Mapping[str, Array]]:
    """Return a mapping for each sample in memory."""
    if isinstance(data, Mapping):
        arrays = cast(Mapping[str, Array], data)
        if len({len(values) for values in arrays.values()}) > 1:
            raise UsageError("the arrays have different numbers of samples")
        count = len(next(iter(arrays.values()), ()))
        return [{name: values[i] for name, values in arrays.items()} for i in range(count)]
    one = names[0] if len(names) == 1 else None
    found: list[Mapping[str, Array]] = []
    for sample in data:
        if isinstance(sample, Mapping):
            found.append(cast(Mapping[str, Array], sample))
        elif one is not None:
            found.append({one: sample})
        else:
            raise UsageError(f"a sample is a mapping with {', '.join(names)}")
    return found


def _check_sizes(
    inputs: Mapping[str, SSAValue], rows: Sequence[Row], resize: bool, note: Note
) -> None:
    """Raise `UsageError` for images of several sizes without `resize`; report resized images."""
    for name, arg in inputs.items():
        sources = [row[name] for row in rows]
        images = [each.place for each in sources if isinstance(each, ImageFile)]
        shape = extents_of(arg.type) or (None, None, None)
        if not images or len(shape) != 3:
            continue
        sizes = [image_size(path) for path in images]
        if None in shape[1:]:
            if odd := [i for i, size in enumerate(sizes) if size != sizes[0]]:
                one, first = spelled(sizes[odd[0]]), spelled(sizes[0])
                raise UsageError(
                    f"{images[odd[0]]} is {one}, {images[0]} {first}, "
                    f"and the model does not declare the size of '{name}': --input-shape "
                    f"{name}=3,H,W and --resize make them one"
                )
            continue
        others = [i for i, size in enumerate(sizes) if size != tuple(shape[1:])]
        wanted = spelled(shape[1:])
        if others and not resize and len(set(sizes)) > 1:
            raise UsageError(
                f"{images[others[0]]} is {spelled(sizes[others[0]])}, input '{name}' {wanted} "
                "(height x width): --resize resizes images"
            )
        if others and resize:
            note(f"{len(others)} of {len(images)} images are resized to {wanted}")


def _only_input(inputs: Mapping[str, SSAValue], option: str) -> str:
    if len(inputs) != 1:
        raise UsageError(f"{option} is for models of one input; this one has {', '.join(inputs)}")
    return next(iter(inputs))
