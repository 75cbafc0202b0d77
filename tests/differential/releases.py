"""Models and the results of `-O` in several releases of the ncnn runtime, each in an environment of
its own.

    python -m differential.releases [FOLDER] [--models DIR] [--nets N] [--seed N] [--for-ncnn R]

FOLDER holds the environments, `RELEASE/bin/python`; those that are not there are made, with the
wheel of the release. DIR holds models, `.param` files; weights that are not there are random, and
`shapes.json` there may say the shapes of inputs: `{"MODEL": ["in0=W,H,C"]}`. With `--for-ncnn`,
the results are those for this release, and run in it and in newer ones; models that it cannot run
are left out.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from ncnn_opt.analysis.required_release import oldest_release
from ncnn_opt.analysis.shape_inference import set_input_shapes
from ncnn_opt.analysis.target_info.releases import SPELLINGS, releases
from ncnn_opt.dialects.ncnn.function import output_names
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.pipelines import optimizing, run_pipeline
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.runtime.process import Blobs, Failure, Runtime
from ncnn_opt.runtime.trial_shapes import random_inputs
from xdsl.dialects.builtin import ModuleOp

from .compiler import load, save
from .fronts import dresses
from .hunting.sources import FAMILIES, WITH_FLOORS, Buildable
from .nets import Dress, Net

ROOT = Path(__file__).parents[2]

RELEASES = ("20240820", "20250428", "20250916", "20260526")
"""The releases that environments are made for."""

FOLDER = ROOT / ".venv-releases"
"""Where the environments are."""

TOLERANCE = 1e-3
"""The largest error that counts as none, relative to an output's largest value."""

WORSE = 8
"""A result may differ by so many times the difference that the newest release has."""


class Model(NamedTuple):
    """A model and the result of `-O`, as files, with inputs for both."""

    name: str
    before: Path
    after: Path
    inputs: Blobs
    outputs: Sequence[str]
    releases: tuple[str, str]
    """The oldest releases that run the two."""


def environments(folder: Path = FOLDER) -> dict[str, str]:
    """The interpreter of each release in a folder."""
    pythons = {path.parents[1].name: str(path) for path in sorted(folder.glob("*/bin/python"))}
    return {release: python for release, python in pythons.items() if has_runtime(python)}


def has_runtime(python: str) -> bool:
    """Whether an environment has NumPy and the runtime."""
    command = [python, "-c", "import ncnn, numpy"]
    return subprocess.run(command, capture_output=True).returncode == 0


def install(folder: Path, release: str) -> str | None:
    """Make the environment of a release. Returns the reason where that is not possible."""
    place = folder / release
    python = place / "bin/python"
    if python.exists() and has_runtime(str(python)):
        return None
    spelled = {tag: wheel for wheel, tag in SPELLINGS.items()}.get(release, release)
    venv.create(place, with_pip=True, clear=True)
    pip = [python, "-m", "pip", "-q", "--disable-pip-version-check", "install"]
    made = subprocess.run(
        [*pip, "--only-binary", ":all:", f"ncnn==1.0.{spelled}", "numpy"],
        capture_output=True,
        text=True,
    )
    if made.returncode:
        return (made.stderr.strip().splitlines() or ["pip failed"])[-1]
    return None if has_runtime(str(python)) else "the wheel does not load here"


def regression(
    model: Model, runtime: Runtime, expected: Blobs | None = None, newest: float | None = None
) -> str | None:
    """The way in which the result is worse than the model in one release; `None` if the model does
    not run there either, or computes other values than the newest release (`expected`); empty if
    both compute the same. `newest` is the error of the result in the newest release."""
    before = runtime.run(model.before, model.inputs, model.outputs)
    if isinstance(before, Failure):  # a file may lack Splits, which light mode needs
        before = runtime.run(model.before, model.inputs, model.outputs, light_mode=False)
    if isinstance(before, Failure):
        return None
    if expected is not None:
        found = error(expected, before)
        if found is None or found > TOLERANCE:
            return None
    after = runtime.run(model.after, model.inputs, model.outputs)
    if isinstance(after, Failure):
        return after.reason
    found = error(before, after)
    if found is None:
        return "another shape"
    allowed = TOLERANCE if newest is None else max(TOLERANCE, WORSE * newest)
    return f"error {found:.2g}, in the newest release {newest}" if found > allowed else ""


def error(before: Blobs, after: Blobs) -> float | None:
    """The largest difference of outputs, relative to the largest value of each; `None` where shapes
    differ."""
    errors = [0.0]
    for name, expected in before.items():
        actual = after[name]
        if expected.shape != actual.shape:
            return None
        told = np.isfinite(expected)
        if told.any():
            scale = max(float(np.abs(expected[told]).max()), 1e-6)
            difference = np.abs(expected[told].astype("f8") - actual[told])
            errors.append(float(np.nan_to_num(difference, nan=np.inf).max()) / scale)
    return max(errors)


def optimized(
    name: str,
    module: ModuleOp,
    folder: Path,
    inputs: Blobs | None = None,
    seed: int = 0,
    release: str | None = None,
) -> Model:
    """A model and the result of `-O`, perhaps with `--for-ncnn`, written to a folder."""
    inputs = inputs or random_inputs(model_of(module), seed)[0]
    outputs = output_names(model_of(module))
    before, first = save(module.clone(), folder / "before.param"), oldest_release(module)
    target = [] if release is None else [f"ncnn-for-release{{release={release}}}"]
    run_pipeline(module, [*target, *optimizing(release), "convert-storage{storage=original}"])
    after, second = save(module, folder / "after.param"), oldest_release(module)
    return Model(name, before, after, inputs, outputs, (first, second))


def models_in(folder: Path) -> Iterator[tuple[str, ModuleOp]]:
    """The models in a folder, with their shapes."""
    places = folder / "shapes.json"
    shapes: dict[str, list[str]] = json.loads(places.read_text()) if places.exists() else {}
    paths = [*folder.glob("*.param"), *folder.glob("*.param.bin")]
    for path in sorted(p for p in paths if not p.name.endswith(".pnnx.param")):
        name = path.name.removesuffix(".bin").removesuffix(".param")
        weights = None if (folder / f"{name}.bin").exists() else "random"
        module = read_model(str(path), ReadOptions(weights)).module
        if name in shapes:
            set_input_shapes(model_of(module), as_shapes(shapes[name]))
        yield name, module


def as_shapes(specs: Sequence[str]) -> Mapping[str, tuple[int, ...]]:
    """Shapes of inputs from texts such as `in0=W,H,C`."""
    pairs = (spec.split("=") for spec in specs)
    return {name: tuple(int(n) for n in reversed(extents.split(","))) for name, extents in pairs}


def random_nets(count: int, seed: int) -> list[tuple[str, Net]]:
    """So many random nets, of all families in turn."""
    kinds = [(f, k, source) for f, group in FAMILIES.items() for k, source in group.items()]
    found: list[tuple[str, Net]] = []

    for number in range(count):
        family, kind, source = kinds[(seed + number) % len(kinds)]
        dress = dresses(exact=family in WITH_FLOORS)
        drawn: list[Net] = []  # what the draw gives

        @seeded(seed + number)
        @settings(
            max_examples=2,  # the first one is always the simplest one
            database=None,
            phases=[Phase.generate],
            deadline=None,
            suppress_health_check=[
                HealthCheck.data_too_large,
                HealthCheck.filter_too_much,
                HealthCheck.large_base_example,
                HealthCheck.too_slow,
            ],
        )
        @given(st.tuples(source, dress))
        def draw(pair: tuple[Buildable, Dress]) -> None:
            drawn.append(pair[0].build(pair[1]))

        draw()
        found += [(f"{family} {kind} {seed + number}", net) for net in drawn[-1:]]
    return found


def check(
    model: Model, runtimes: Mapping[str, Runtime], newest: Runtime, target: str = ""
) -> tuple[list[str], list[str]]:
    """A line for each release in which the result is worse than the model, and the releases in
    which both run and compute the same. The result may require `target`, if that is newer than what
    the model requires."""
    first, second = max(model.releases[0], target), model.releases[1]
    lines = [f"{model.name}: requires {second}, was {first}"] if second > first else []
    expected, result = (
        None if isinstance(blobs, Failure) else blobs
        for blobs in (
            newest.run(path, model.inputs, model.outputs) for path in (model.before, model.after)
        )
    )
    own = None if expected is None or result is None else error(expected, result)
    same: list[str] = []
    for release, runtime in runtimes.items():
        if release < first:
            continue  # some layer of the model has another meaning there
        found = regression(model, runtime, expected, own)
        if found:
            lines.append(f"{model.name}: {release}: {found}")
        elif found is not None:
            same.append(release)
    return lines, same


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare all models. Returns 1 if a result is worse than its model."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--models", type=Path, action="append", default=[])
    parser.add_argument("--nets", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--for-ncnn", choices=releases(), metavar="RELEASE")
    parser.add_argument("--only-install", action="store_true", help="compare nothing")
    args = parser.parse_args(arguments)
    for release in RELEASES:
        if (why := install(args.folder, release)) is not None:
            print(f"skipped: ncnn {release}: {why}", flush=True)
    if args.only_install:
        return 0
    pythons = environments(args.folder)
    runtimes = {release: Runtime(python=python) for release, python in pythons.items()}
    print(f"in ncnn {', '.join(runtimes) or 'no other release'}", flush=True)
    models = [item for folder in [ROOT / "examples", *args.models] for item in models_in(folder)]
    lines: list[str] = []
    count, runs = 0, Counter[str]()
    with Runtime() as newest, tempfile.TemporaryDirectory() as place:

        def tell(name: str, module: ModuleOp, inputs: Blobs | None = None) -> None:
            nonlocal count
            if args.for_ncnn is not None and oldest_release(module) > args.for_ncnn:
                return
            try:
                model = optimized(name, module, Path(place), inputs, args.seed, args.for_ncnn)
            except RunError as e:
                print(f"skipped: {name}: {e}", flush=True)
                return
            count += 1
            found, same = check(model, runtimes, newest, args.for_ncnn or "")
            lines.extend(found)
            runs.update(same)
            print("\n".join([*found, f"{name}: same in {', '.join(same) or 'none'}"]), flush=True)

        for name, module in models:
            tell(name, module)
        for name, net in random_nets(args.nets, args.seed):
            tell(name, load(net.write(Path(place))), net.inputs)
    ran = ", ".join(f"{n} in {release}" for release, n in sorted(runs.items()))
    print(f"{count} models, {len(lines)} regressions; the same are {ran or 'none'}")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
