"""Models as native code against the ncnn runtime: CPU time on one thread, float32 on both sides.

What is measured is a ratio, in pairs, as `timing.py` does it: in each round both have a turn.
Several processes are asked. A model without a .bin beside it gets random weights."""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log
from pathlib import Path
from statistics import median

import numpy as np
from ncnn_opt.driver.errors import USER_ERRORS, describe
from ncnn_opt.driver.files import write_model
from ncnn_opt.native.artifact import save
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.measuring import DRIVER, ON_ONE_THREAD
from ncnn_opt.native.options import Options
from ncnn_opt.native.tuning import Hooks, Tuning, fastest
from ncnn_opt.targets import Output
from ncnn_opt.transforms.random_inputs import inputs_of, random_input

from .measuring import print_table
from .native_checks import read
from .native_models import models_in
from .timing import DoesNotRun, Ratio, ask

PROCESSES = 3

NATIVE, RUNTIME = range(2)
"""The columns of times."""


@dataclass(frozen=True)
class Row:
    """What came out for a model."""

    name: str
    said: str = ""
    """Why nothing was measured, if nothing was."""
    ratio: Ratio | None = None
    """The time of the code to that of the runtime."""
    milliseconds: tuple[float, float] = (0.0, 0.0)

    def cells(self) -> list[str]:
        """A row of the table."""
        if self.ratio is None:
            return [self.name, self.said.splitlines()[0][:80], "", ""]
        return [self.name, *(f"{ms:.2f}" for ms in reversed(self.milliseconds)), str(self.ratio)]


def measure(places: Sequence[Path], specs: Sequence[str], seconds: float) -> None:
    """Measures the models in files and folders and prints a table."""
    models = models_in(places)
    rows: list[Row] = []
    for name, path in models.items():
        print(f"{name} …", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(prefix="ncnn-opt-native-") as folder:
            try:
                rows.append(_measured(name, path, specs, list(models), Path(folder), seconds))
            except (NativeError, *USER_ERRORS) as e:
                rows.append(Row(name, describe(e, str(path))))
            except DoesNotRun as e:
                rows.append(Row(name, str(e)))
    rows.sort(key=lambda row: row.ratio.middle if row.ratio else float("inf"))
    title = f"Native code against ncnn: median (least–greatest) of {PROCESSES} processes"
    print_table(title, ("model", "ncnn ms", "native ms", "ratio"), [row.cells() for row in rows])
    found = [row.ratio.middle for row in rows if row.ratio]
    if found:
        mean = exp(sum(map(log, found)) / len(found))
        print(f"\n{len(found)} of {len(rows)} models, geometric mean {mean:.3f}")


def _measured(
    name: str, path: Path, specs: Sequence[str], models: Sequence[str], folder: Path, seconds: float
) -> Row:
    module = read(name, path, specs, models)
    rng = np.random.default_rng(0)
    inputs = {n: random_input(n, value, rng) for n, value in inputs_of(module).items()}
    param, code, values = (str(folder / f"m.{end}") for end in ("param", "vmfb", "npz"))
    write_model(module, Output(param))
    # As `ncnn-compile --tune` does, but on one thread.
    tuning = Tuning(whole=replace(ON_ONE_THREAD, seconds=2.0), driver=DRIVER)
    hooks = Hooks(note=lambda said: print(f"  {said}", file=sys.stderr))
    compiled = fastest(module, Options(), tuning, hooks)
    save(compiled, code, copy=True)
    np.savez(values, **inputs)  # pyright: ignore[reportArgumentType]
    request = {"model": param, "code": code, "values": values, "seconds": seconds}
    tables = [ask("native_stopwatch.py", {**request, "seed": seed}) for seed in range(PROCESSES)]
    said = [float(np.median(table[:, NATIVE] / table[:, RUNTIME])) for table in tables]
    times = [1000 * median(float(np.median(t[:, i])) for t in tables) for i in (NATIVE, RUNTIME)]
    return Row(name, "", Ratio(median(said), min(said), max(said)), (times[0], times[1]))
