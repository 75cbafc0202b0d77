"""Reports of models in memory, with measurements.

`reporter.py` reads the models of `ncnn-report` from files. A model of the Python API may have no
file, so its report begins with the module.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import Shape
from ..dialects.xdsl_extras.warning import warn
from ..report.noise import read_measured
from ..report.report_files import facts_of
from ..report.structured import model_json
from ..runtime.trial_shapes import random_inputs, take_shapes
from ..samples.reader import Data, samples_in
from ..targets.output_checks import Origin
from .latency import time_models
from .model_files import InputModel
from .reporter import add_measured, add_ranges, shapes_of


def measured_json(
    module: ModuleOp,
    path: str,
    warnings: Sequence[str] = (),
    shapes: Mapping[str, Shape] | None = None,
    data: Data | None = None,
    evaluation: bytes | None = None,
    repeat: int | None = None,
) -> dict[str, Any]:
    """Return the report of a model as JSON data: with the ranges of values for samples, the
    measurements of `ncnn-quantize --json`, and the times of layers in `repeat` runs of the ncnn
    runtime on random inputs. Inputs without a shape in `shapes` take that of the first sample.
    Raises one of `USER_ERRORS`."""
    module = module.clone()
    samples = None if data is None else samples_in(model_of(module), data, warn)
    if samples is not None:
        shapes = {**shapes_of(samples), **(shapes or {})}
    facts = facts_of(module, path, warnings, shapes)
    if samples is not None:
        unused = add_ranges(model_of(module), facts, samples)
        facts.notes += [f"{name} is not used: its outputs are not finite" for name in unused]
    if evaluation is not None:
        name = "the evaluation"
        add_measured([facts], read_measured(evaluation, name), name)
    if repeat is not None:
        func = model_of(module)
        inputs, words = random_inputs(func, 0)
        take_shapes(func, inputs)
        source = InputModel(module, path, "memory", Origin(), [])
        latency = time_models([source], inputs, repeat)
        times = latency.layer_medians()
        facts.latency = latency.median()
        facts.times = {row.name: times[row.label] for row in facts.rows if row.label in times}
        facts.notes.append(f"times with {words}")
    return model_json(facts)
