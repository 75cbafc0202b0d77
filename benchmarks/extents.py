"""Models after `-O` without a promise, in the runtime, at the extents that they were exported for
and at others: whether they still compute what they did. What takes no other extents says so."""

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from ncnn_opt.analysis.input_shapes import contradictions
from ncnn_opt.dialects.ncnn.function import output_names
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.errors import USER_ERRORS, describe
from ncnn_opt.driver.files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.runtime.feeding import take_shapes
from ncnn_opt.runtime.process import Array, Failure, Runtime

from .inputs import inputs_for, shapes_for
from .latency import Crash, run_tool, stem_of
from .measuring import TOOL, print_table
from .promised import models_in, told

TOLERANCE = 2e-5
"""Of the largest value of an output, in float32."""

SURE = 1e-3
"""By so much a model may differ from itself."""

Shape = tuple[int, ...]
Blobs = Mapping[str, Array]

CHANGES: Sequence[Mapping[int, Shape]] = (
    {1: (16,), 2: (16, 16), 3: (0, 32, 64), 4: (0, 0, 32, 64)},
    {1: (16,), 2: (16, 0), 3: (0, 64, 0), 4: (0, 8, 0, 0)},
    {1: (0,), 2: (0, 16), 3: (0, 0, 64), 4: (0, 0, 64, 64)},
    {1: (-3,), 2: (-3, 0), 3: (0, -32, -32), 4: (0, 0, -32, -32)},
    {1: (-3,), 2: (0, -16), 3: (0, 224, 224), 4: (0, 0, 8, 8)},
)
"""What is added to the extents of inputs, by their number of dims, outermost first."""


def measure(folder: Path, paths: Sequence[Path], shapes: Sequence[str]) -> None:
    """Prints the table, and how many models there are that differ."""
    models = list(models_in(paths))
    names = [stem_of(path) for path in models]
    rows: list[list[str]] = []
    with Runtime() as runtime:
        for name, path in zip(names, models, strict=True):
            print(f"{name} …", file=sys.stderr)
            with tempfile.TemporaryDirectory(dir=folder) as own:
                try:
                    model = shapes_for(name, shapes, names).write_into(
                        told(path, Path(own)), Path(own) / "original.param"
                    )
                    cells = _compared(model, Path(own), runtime)
                except (*USER_ERRORS, Crash) as e:
                    cells = [describe(e, name).removeprefix(f"{name}: "), "", "", ""]
            rows.append([name, *cells])
            print("  ", *cells, file=sys.stderr)
    head = ["model", "extents", "differs by", "other extents", "differs by"]
    print_table("Outputs after -O, without a promise, from the original's", head, rows)
    both = [row for row in rows if row[3] and row[2]]
    apart = [row[0] for row in rows if any(cell.endswith("!") for cell in row)]
    print(f"\n{len(both)} models at two sizes; other outputs: {', '.join(apart) or 'none'}")
    sys.stdout.flush()


def _compared(model: Path, folder: Path, runtime: Runtime) -> list[str]:
    """The cells of a row: extents and the difference at the declared ones, and at the first others
    that the original takes."""
    result = folder / "any.param"
    run_tool([TOOL, "-O", model, "-o", result])
    declared, cells = inputs_for(model), list[str]()
    for inputs in (declared, *_others(model, declared)):
        expected = _run(runtime, model, inputs)
        if not isinstance(expected, Failure) and not _is_sure(runtime, model, inputs, expected):
            expected = Failure("outputs depend on how channels are kept")
        if isinstance(expected, Failure):
            if inputs is declared:
                return [f"does not run: {expected.reason}", "", "", ""]
            continue
        said = " ".join("x".join(map(str, value.shape)) for value in inputs.values())
        cells += [said, _difference(expected, _run(runtime, result, inputs))]
        if len(cells) == 4:
            return cells
    return [*cells, "", "takes no others"]


def _is_sure(runtime: Runtime, model: Path, inputs: Blobs, expected: Blobs) -> bool:
    """Whether a model gives the same with each channel kept apart. If extents do not fit together,
    the runtime may read what is beside a blob."""
    apart = _run(runtime, model, inputs, packing=False)
    return not isinstance(apart, Failure) and all(
        np.allclose(apart[name], value, 0, SURE * np.abs(value).max(), equal_nan=True)
        for name, value in expected.items()
    )


def _run(runtime: Runtime, model: Path, inputs: Blobs, packing: bool = True) -> Blobs | Failure:
    module = read_model(str(model), ReadOptions(weights="none")).module
    blobs = runtime.run(model, inputs, output_names(model_of(module)), packing=packing)
    if not isinstance(blobs, Failure) and not any(np.isfinite(b).any() for b in blobs.values()):
        return Failure("no number comes out")
    return blobs


def _others(model: Path, declared: Blobs) -> Iterator[Blobs]:
    """Random inputs of other extents, as far as weights do not contradict them: the runtime does
    not ask."""
    rng = np.random.default_rng(1)
    module = read_model(str(model), ReadOptions(weights="none")).module
    for changes in CHANGES:
        found: dict[str, Array] = {}
        for name, value in declared.items():
            more = changes[value.ndim]
            shape = tuple(max(n + by, 1) for n, by in zip(value.shape, more, strict=True))
            if value.dtype.kind == "i":
                found[name] = rng.choice(value.reshape(-1), shape)
            else:
                found[name] = rng.standard_normal(shape).astype(value.dtype)
        if all(found[name].shape == value.shape for name, value in declared.items()):
            continue
        func = model_of(module.clone())
        take_shapes(func, found)
        if next(contradictions(func), None) is None:
            yield found


def _difference(expected: Blobs, got: Blobs | Failure) -> str:
    """How far outputs are apart, with a mark if that is too far."""
    if isinstance(got, Failure):
        return f"does not run: {got.reason}!"
    worst = 0.0
    for name, value in expected.items():
        if got[name].shape != value.shape:
            return f"{got[name].shape} for {value.shape}!"
        known = np.isfinite(value)
        if not (known == np.isfinite(got[name])).all():
            return "other numbers are finite!"
        if known.any():
            apart = np.abs(got[name][known].astype("f8") - value[known]).max()
            worst = max(worst, float(apart / max(np.abs(value[known]).max(), 1e-30)))
    return f"{worst:.0e}{'!' if worst > TOLERANCE else ''}"
