"""Comparison of models before and after `-O`, without static shapes, in the runtime: at the
exported input extents and at others."""

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from ncnn_opt.analysis.input_shapes import contradictions
from ncnn_opt.dialects.ncnn.function import output_names
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.errors import USER_ERRORS, describe
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.runtime.host import Array
from ncnn_opt.runtime.process import Failure, Runtime
from ncnn_opt.runtime.trial_shapes import take_shapes

from .inputs import inputs_for, shapes_for
from .latency import Crash, run_tool, stem_of
from .measuring import TOOL, print_table
from .promised import models_in, repaired_model

TOLERANCE = 2e-5
"""The tolerance relative to the largest value of an output, in float32."""

SELF_TOLERANCE = 1e-3
"""The tolerance for the comparison of a model with itself."""

Shape = tuple[int, ...]
Blobs = Mapping[str, Array]

CHANGES: Sequence[Mapping[int, Shape]] = (
    {1: (16,), 2: (16, 16), 3: (0, 32, 64), 4: (0, 0, 32, 64)},
    {1: (16,), 2: (16, 0), 3: (0, 64, 0), 4: (0, 8, 0, 0)},
    {1: (0,), 2: (0, 16), 3: (0, 0, 64), 4: (0, 0, 64, 64)},
    {1: (-3,), 2: (-3, 0), 3: (0, -32, -32), 4: (0, 0, -32, -32)},
    {1: (-3,), 2: (0, -16), 3: (0, 224, 224), 4: (0, 0, 8, 8)},
)
"""The changes of input extents, by number of dimensions, outermost first."""


def measure(folder: Path, paths: Sequence[Path], shapes: Sequence[str]) -> None:
    """Print the table, and the number of models with differences."""
    models = list(models_in(paths))
    names = [stem_of(path) for path in models]
    rows: list[list[str]] = []
    with Runtime() as runtime:
        for name, path in zip(names, models, strict=True):
            print(f"{name} …", file=sys.stderr)
            with tempfile.TemporaryDirectory(dir=folder) as own:
                try:
                    model = shapes_for(name, shapes, names).write_into(
                        repaired_model(path, Path(own)), Path(own) / "original.param"
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
    """Return the cells of a row: extents and difference, for the declared extents and for the first
    others that the original accepts."""
    result = folder / "any.param"
    run_tool([TOOL, "-O", model, "-o", result])
    declared, cells = inputs_for(model), list[str]()
    for inputs in (declared, *_others(model, declared)):
        expected = _run(runtime, model, inputs)
        if not isinstance(expected, Failure) and not _is_reproducible(
            runtime, model, inputs, expected
        ):
            expected = Failure("outputs depend on how channels are kept")
        if isinstance(expected, Failure):
            if inputs is declared:
                return [f"does not run: {expected.reason}", "", "", ""]
            continue
        shown = " ".join("x".join(map(str, value.shape)) for value in inputs.values())
        cells += [shown, _difference(expected, _run(runtime, result, inputs))]
        if len(cells) == 4:
            return cells
    return [*cells, "", "takes no others"]


def _is_reproducible(runtime: Runtime, model: Path, inputs: Blobs, expected: Blobs) -> bool:
    """Whether a model has the same outputs without packing. If extents do not fit, the runtime may
    read memory beside a blob."""
    apart = _run(runtime, model, inputs, packing=False)
    return not isinstance(apart, Failure) and all(
        np.allclose(apart[name], value, 0, SELF_TOLERANCE * np.abs(value).max(), equal_nan=True)
        for name, value in expected.items()
    )


def _run(runtime: Runtime, model: Path, inputs: Blobs, packing: bool = True) -> Blobs | Failure:
    module = read_model(str(model), ReadOptions(weights="none")).module
    blobs = runtime.run(model, inputs, output_names(model_of(module)), packing=packing)
    if not isinstance(blobs, Failure) and not any(np.isfinite(b).any() for b in blobs.values()):
        return Failure("no number comes out")
    return blobs


def _others(model: Path, declared: Blobs) -> Iterator[Blobs]:
    """Yield random inputs with other extents, unless weights contradict them: the runtime does not
    check."""
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
    """Return the difference between outputs, with a mark if it exceeds the tolerance."""
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
