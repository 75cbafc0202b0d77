"""Native code compared with the ncnn runtime: CPU time on one thread, float32 on both sides.

The measurement is that of `timing.py`: both take turns, in several processes.
A model without a `.bin` beside it gets random weights; its int8 layers that read the same blob have
the same input scale.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from math import exp, log
from pathlib import Path

import numpy as np
from ncnn_opt.analysis.random_inputs import inputs_of, random_input
from ncnn_opt.driver.errors import USER_ERRORS, describe
from ncnn_opt.driver.model_files import write_model
from ncnn_opt.native.artifact import save
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.form_tuning import DRIVER, ON_ONE_THREAD, Hooks, Tuning, fastest
from ncnn_opt.native.options import CompileOptions
from ncnn_opt.native.program import Compiled, compile_module
from ncnn_opt.paired_times.ratio import Ratio
from ncnn_opt.targets import Output
from xdsl.dialects.builtin import ModuleOp

from .measuring import print_table
from .native_checks import read
from .native_models import models_in
from .timing import DoesNotRun, cell_of, interval_title, time_models

PROCESSES = 3

NATIVE, RUNTIME = range(2)
"""The indices of the timed models."""


@dataclass(frozen=True)
class Row:
    """The result for one model."""

    name: str
    failure: str = ""
    """The reason, if nothing was measured."""
    ratio: Ratio | None = None
    """The time of the native code divided by the time of the runtime."""
    milliseconds: tuple[float, float] = (0.0, 0.0)

    def cells(self) -> list[str]:
        """Return a row of the table."""
        if self.ratio is None:
            return [self.name, self.failure.splitlines()[0][:80], "", ""]
        return [
            self.name,
            *(f"{ms:.2f}" for ms in reversed(self.milliseconds)),
            cell_of(self.ratio),
        ]


def measure(
    places: Sequence[Path],
    specs: Sequence[str],
    seconds: float,
    keep: Path | None = None,
    tune: bool = True,
    target_cpu: str | None = None,
    runtime: Path | None = None,
) -> None:
    """Measure the models in files and folders, and print a table. Keep compiled models in `keep`,
    if given, and reuse models that are there. Without `tune`, the cost model selects the forms of
    convolutions. `target_cpu` is the processor of the native code, by IREE's name; `runtime` is a
    folder with another build of the package ncnn. Both restrict the measurement to an instruction
    set."""
    models = models_in(places)
    compiled = partial(_tuned if tune else _by_costs, options=CompileOptions(target_cpu=target_cpu))
    rows: list[Row] = []
    for name, path in models.items():
        print(f"{name} …", file=sys.stderr, flush=True)
        with _folder(keep, name) as folder:
            try:
                module = read(name, path, specs, list(models))
                times = _measured(module, compiled, Path(folder), seconds, runtime)
                rows.append(Row(name, "", *times))
            except (NativeError, *USER_ERRORS) as e:
                rows.append(Row(name, describe(e, str(path))))
            except DoesNotRun as e:
                rows.append(Row(name, str(e)))
    rows.sort(key=lambda row: row.ratio.value if row.ratio else float("inf"))
    title = f"Native code against ncnn: {interval_title(PROCESSES)}"
    print_table(title, ("model", "ncnn ms", "native ms", "ratio"), [row.cells() for row in rows])
    found = [row.ratio.value for row in rows if row.ratio]
    if found:
        mean = exp(sum(map(log, found)) / len(found))
        print(f"\n{len(found)} of {len(rows)} models, geometric mean {mean:.3f}")


def _folder(keep: Path | None, name: str) -> AbstractContextManager[str]:
    """Return the folder for the files of a model."""
    if keep is None:
        return tempfile.TemporaryDirectory(prefix="ncnn-opt-native-")
    (keep / name).mkdir(parents=True, exist_ok=True)
    return nullcontext(str(keep / name))


def _tuned(module: ModuleOp, options: CompileOptions) -> Compiled:
    """Compile like `ncnn-compile --autotune`, but measure on one thread."""
    tuning = Tuning(whole=replace(ON_ONE_THREAD, seconds=2.0), driver=DRIVER)
    return fastest(
        module, options, tuning, Hooks(note=lambda text: print(f"  {text}", file=sys.stderr))
    )


def _by_costs(module: ModuleOp, options: CompileOptions) -> Compiled:
    return compile_module(module, options)


def _measured(
    module: ModuleOp,
    compiled: Callable[[ModuleOp], Compiled],
    folder: Path,
    seconds: float,
    runtime: Path | None,
) -> tuple[Ratio, tuple[float, float]]:
    """Return the ratio of a row, and the times in milliseconds."""
    rng = np.random.default_rng(0)
    inputs = {n: random_input(n, value, rng) for n, value in inputs_of(module).items()}
    param, code = folder / "m.param", folder / "m.vmfb"
    if not code.exists():
        write_model(module, Output(str(param)))
        save(compiled(module), str(code), copy=True)
    seeds = range(PROCESSES)
    timing = time_models(
        [code, param], inputs, folder, seconds, seeds, half=False, packages=runtime
    )
    milliseconds = timing.milliseconds(NATIVE), timing.milliseconds(RUNTIME)
    return timing.ratio(NATIVE, RUNTIME), milliseconds
