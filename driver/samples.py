"""Samples for quantization in files: images, arrays, and lists of both."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialects.ncnn.function import inputs_of
from ..dialects.ncnn.weight_specs import Shape
from ..formats.errors import FormatError
from ..formats.numpy_arrays import read_numpy
from ..quantization.calibration_data import First, Samples, Shapes, with_sample_shapes
from ..quantization.histograms import Array
from ..quantization.statistics import digest_of
from .errors import UsageError
from .images import Preprocessing, image_blob, image_size, read_image
from .input_values import arrays_in, image_extents
from .listing import extents_of
from .running import as_blob

ENDINGS = (".bmp", ".gif", ".jpeg", ".jpg", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp")
"""The suffixes of images in a folder."""

Note = Callable[[str], None]
"""Receives a message for the user."""


@dataclass(frozen=True)
class Files:
    """Samples in an image or `.npy` for each input."""

    inputs: Mapping[str, SSAValue]
    paths: Sequence[Mapping[str, str]]
    how: Mapping[str, Preprocessing]
    """The preprocessing of images, by input."""

    def names(self) -> Sequence[str]:
        return [next(iter(paths.values())) for paths in self.paths]

    def digest(self) -> str:
        files = [(n, p) for paths in self.paths for n, p in paths.items()]
        read = [f"{name}={os.path.basename(p)} {os.stat(p).st_size}" for name, p in files]
        return digest_of([repr(self.how), *read])

    def load(self, index: int) -> Mapping[str, Array]:
        return {name: self._read(name, path) for name, path in self.paths[index].items()}

    def check_sizes(self, resize: bool, note: Note) -> None:
        """Raise `UsageError` for images of several sizes without `resize`; report resized
        images."""
        for name, arg in self.inputs.items():
            images = [paths[name] for paths in self.paths if not paths[name].endswith(".npy")]
            shape = extents_of(arg.type) or (None, None, None)
            if not images or len(shape) != 3:
                continue
            sizes = [image_size(path) for path in images]
            if None in shape[1:]:
                if odd := [i for i, size in enumerate(sizes) if size != sizes[0]]:
                    raise UsageError(
                        f"{images[odd[0]]} is {_by(sizes[odd[0]])}, {images[0]} {_by(sizes[0])}, "
                        f"and the model does not declare the size of '{name}': --input-shape "
                        f"{name}=3,H,W and --resize make them one"
                    )
                continue
            others = [i for i, size in enumerate(sizes) if size != tuple(shape[1:])]
            wanted = _by(shape[1:])
            if others and not resize and len(set(sizes)) > 1:
                raise UsageError(
                    f"{images[others[0]]} is {_by(sizes[others[0]])}, input '{name}' {wanted} "
                    "(height x width): --resize resizes images"
                )
            if others and resize:
                count = f"{len(others)} of {len(images)} images"
                note(f"{count} are resized to {wanted}")

    def shapes(self, resize: bool) -> Iterator[tuple[str, Shapes]]:
        """Yield the name of each sample and the shapes of its inputs; resized images have the
        extents of their input."""
        for name, paths in zip(self.names(), self.paths, strict=True):
            yield name, {input: self._shape(input, path, resize) for input, path in paths.items()}

    def _shape(self, name: str, path: str, resize: bool) -> Shape:
        if path.endswith(".npy"):
            return _array_in(path, mmap_mode="r").shape
        extents = image_extents(self.inputs[name])
        if len(extents) != 3:
            return tuple(n or 1 for n in extents)  # `image_blob` reports that it cannot be an image
        own = (4 if self.how[name].alpha else 3, *image_size(path))
        return tuple(
            n if n is not None and (resize or not i) else m
            for i, (n, m) in enumerate(zip(extents, own, strict=True))
        )

    def _read(self, name: str, path: str) -> Array:
        arg = self.inputs[name]
        if not path.endswith(".npy"):
            return image_blob(read_image(path), image_extents(arg), self.how[name], name)
        return _checked(name, arg, _array_in(path), path)


def _array_in(path: str, mmap_mode: Literal["r"] | None = None) -> Array:
    """Return the array in a `.npy`. Raises `UsageError`."""
    values = read_numpy(path, path, mmap_mode)
    if not isinstance(values, np.ndarray):
        raise UsageError(f"{path}: this is a .npz by its content")
    return values


def _by(size: Sequence[int | None]) -> str:
    return "x".join(map(str, size))


@dataclass(frozen=True)
class Arrays:
    """Samples in an array for each input, whose outermost axis counts them."""

    inputs: Mapping[str, SSAValue]
    path: str
    arrays: Mapping[str, Array]

    def names(self) -> Sequence[str]:
        count = len(next(iter(self.arrays.values())))
        return [f"{self.path}[{i}]" for i in range(count)]

    def digest(self) -> str:
        return digest_of([os.path.basename(self.path), str(os.stat(self.path).st_size)])

    def shapes(self) -> Iterator[tuple[str, Shapes]]:
        """Yield the name of the first sample and the shapes of its inputs: all samples have
        them."""
        for sample in self.names()[:1]:
            yield sample, {name: values.shape[1:] for name, values in self.arrays.items()}

    def load(self, index: int) -> Mapping[str, Array]:
        arrays = self.arrays
        if self.path.endswith(".npy"):
            # Map the file for each sample: pages of a mapping count as memory of this process.
            arrays = dict.fromkeys(arrays, _array_in(self.path, "r"))
        return {
            name: _checked(name, self.inputs[name], values[index], f"{self.path}[{index}]")
            for name, values in arrays.items()
        }


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
    """Return the samples in files. Raises `UsageError` and `OSError`."""
    inputs = inputs_of(func)
    given = [flag for flag in ("images", "data", "list") if getattr(files, flag)]
    if len(given) != 1:
        found = " and ".join(f"--{flag}" for flag in given) or "none"
        raise UsageError(f"samples come from one of --images, --data and --list; given is {found}")
    how = dict.fromkeys(inputs, files.how)
    if files.images:
        samples = Files(inputs, [*_images(inputs, files.images)], how)
    elif files.list:
        samples = Files(inputs, listed(inputs, files.list), how)
    else:
        samples = _arrays(inputs, files.data or "")
    if not samples.names():
        places = files.data or ", ".join(files.images or files.list)
        raise UsageError(f"there are no samples in {places}")
    if files.images and not (files.how.mean or files.how.norm):
        note(
            "warning: --images without --mean and --norm: pixels are 0 to 255; give the values of "
            "the program that will run the model"
        )
    if isinstance(samples, Files):
        samples.check_sizes(files.resize, note)
        adopted, warnings = adopt(func, samples, samples.shapes(files.resize))
    else:
        adopted, warnings = adopt(func, samples, samples.shapes())
    for message in warnings:
        resized = "; --resize resizes images" if files.images else ""
        note(f"warning: {message}{resized}")
    return adopted if files.count is None else First(adopted, files.count)


def read_arrays(func: FuncOp, path: str) -> tuple[Samples, Sequence[str]]:
    """Return the samples in a `.npy` or `.npz`, and warnings about their shapes. Raises
    `UsageError` and `OSError`."""
    inputs = inputs_of(func)
    samples = _arrays(inputs, path)
    if not samples.names():
        raise UsageError(f"there are no samples in {path}")
    return adopt(func, samples, samples.shapes())


Read = TypeVar("Read", Files, Arrays)


def adopt(
    func: FuncOp, samples: Read, shapes: Iterable[tuple[str, Shapes]]
) -> tuple[Read, list[str]]:
    """Return samples for a model with their shapes, and warnings for inputs that the model declares
    with other shapes. Raises `RunError` for samples that its weights do not allow. The model does
    not change: its file, and statistics of parts of the samples, must not depend on shapes."""
    copy, warnings = with_sample_shapes(func, shapes)
    inputs = inputs_of(copy)
    return replace(samples, inputs=inputs), warnings


def _images(inputs: Mapping[str, SSAValue], places: Sequence[str]) -> Iterator[Mapping[str, str]]:
    name = _only_input(inputs, "--images")
    for place in places:
        if not os.path.isdir(place):
            os.stat(place)
            yield {name: place}
            continue
        found = (p for p in Path(place).rglob("*") if p.suffix.lower() in ENDINGS)
        yield from ({name: str(path)} for path in sorted(found))


def _only_input(inputs: Mapping[str, SSAValue], option: str) -> str:
    if len(inputs) != 1:
        raise UsageError(f"{option} is for models of one input; this one has {', '.join(inputs)}")
    return next(iter(inputs))


def listed(inputs: Mapping[str, SSAValue], specs: Sequence[str]) -> list[Mapping[str, str]]:
    """Return the files in lists: `NAME=FILE` for each input, or `FILE` for the only input."""
    lists: dict[str, list[str]] = {}
    for spec in specs:
        name, equals, path = spec.partition("=")
        if not equals or name not in inputs:
            name, path = _only_input(inputs, "--list FILE"), spec
        if name in lists:
            raise UsageError(f"--list is given twice for '{name}'")
        lists[name] = _lines(path)
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


def _arrays(inputs: Mapping[str, SSAValue], path: str) -> Arrays:
    if path.endswith(".npy"):
        values = _array_in(path, "r")
        arrays: dict[str, Array] = {_only_input(inputs, "a .npy"): values}
    else:
        loaded = arrays_in(path)
        if missing := [name for name in inputs if name not in loaded]:
            raise UsageError(f"{path}: there is no array '{missing[0]}' for the input of that name")
        arrays = {name: loaded[name] for name in inputs}
    for name, values in arrays.items():
        extents = extents_of(inputs[name].type)
        if values.ndim == 0 or (extents is not None and values.ndim != len(extents) + 1):
            one = "?" if extents is None else "x".join(str(n or "?") for n in extents)
            shape = "x".join(map(str, values.shape))
            raise UsageError(f"{path}: array '{name}' is {shape}, samples x {one} are expected")
    if len({len(values) for values in arrays.values()}) > 1:
        raise UsageError(f"{path}: the arrays have different numbers of samples")
    return Arrays(inputs, path, arrays)


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


def _checked(name: str, arg: SSAValue, values: Array, where: str) -> Array:
    """Return an input of a sample. Raises `UsageError` for a shape that the model does not
    accept."""
    extents = extents_of(arg.type)
    fits = extents is None or (
        len(extents) == values.ndim
        and all(n in (None, m) for n, m in zip(extents, values.shape, strict=True))
    )
    if not fits:
        wanted = "x".join(str(n or "?") for n in extents or ())
        shape = "x".join(map(str, values.shape))
        raise UsageError(f"{where}: input '{name}' is {wanted}, this is {shape}")
    try:
        return as_blob(name, arg, values)
    except UsageError as e:
        raise UsageError(f"{where}: {e}") from e
