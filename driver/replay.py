"""Replay of a run's rewrites in the ncnn runtime: a check that shares no code with the proofs.

The region of a step runs before and after the rewrite, with the model's weights, on random inputs
from wide ranges and at the thresholds of its layers.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..analysis.wide_values import float_sample, thresholds_of
from ..dialects.ncnn.attention import Attention
from ..dialects.ncnn.function import input_name, output_names
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import model_of
from ..formats.errors import FormatError
from ..proofs.comparison import ROUNDING, float_error, relative_error
from ..proofs.counterexamples import sides_of
from ..proofs.random_instances import with_values
from ..proofs.regions import Region
from ..proofs.step_proofs import Ground
from ..runtime.process import Failure, Runtime
from ..targets.param.export import export_module
from .errors import UsageError

POINTS = 2
"""Random inputs of each region."""

LARGEST = 1 << 20
"""The largest number of elements of a region's inputs."""

QUANTIZING = frozenset({"Quantize", "Dequantize", "Requantize"})
"""Layers that round to integers, or read these."""

STEPS = 2 / 127
"""The largest error of regions with such layers, relative to the largest result: two steps."""

REACH = 1024
"""The largest magnitude of an input: float32 rounds functions of larger ones too much."""


class Replay:
    """A process with the ncnn runtime that runs regions."""

    def __init__(self) -> None:
        self.done = 0
        """The number of regions whose results agree."""
        self.refused = 0
        """The number of regions that the runtime does not run."""
        self._folder = tempfile.TemporaryDirectory(prefix="ncnn-opt-")
        self._runtime = Runtime()

    def __enter__(self) -> "Replay":
        return self

    def __exit__(self, *_: object) -> None:
        self._runtime.__exit__()
        self._folder.cleanup()

    def difference(self, ground: Ground) -> str:
        """Return how the results of a region differ in the runtime; empty if they agree.

        A region that computes a cache is not run: the format of a cache is the runtime's own.
        """
        size = sum(int(np.prod(shape)) for shape in ground.shapes)
        if size > LARGEST or computes_cache(ground.region):
            self.refused += 1
            return ""
        random = np.random.default_rng(0)
        thresholds = thresholds_of([*ground.region.before, *ground.region.after])
        for point in range(POINTS):
            given = thresholds if point else ()
            inputs = [float_sample(shape, random, given, REACH) for shape in ground.shapes]
            for models in sides_of(ground.region, ground.shapes):
                sides = [self._run(with_values(model), inputs) for model in models]
                if sides[0] is None:
                    self.refused += 1
                    return ""
                if sides[1] is None:
                    return "the runtime refuses the layers after the rewrite"
                found = _difference(sides[0], sides[1], _is_quantized(ground))
                if found is not None:
                    return found
        self.done += 1
        return ""

    def _run(self, module: ModuleOp, inputs: Sequence[Any]) -> Any:
        """Return the result of a model of one output; `None` if the runtime does not run it."""
        func = model_of(module)
        param = Path(self._folder.name) / "region.param"
        try:
            export_module(module).save(str(param), str(param.with_suffix(".bin")))
        except (FormatError, UsageError):
            return None
        given = {input_name(func, i): x for i, x in enumerate(inputs)}
        names = output_names(func)
        blobs = self._runtime.run(param, given, names, light_mode=False)
        return None if isinstance(blobs, Failure) else blobs[names[0]]


def computes_cache(region: Region) -> bool:
    """Whether another layer computes the past keys and values that an attention layer reads."""
    ops = (*region.before, *region.after)
    layers = (op for op in ops if isinstance(op, Attention))
    return any(value.owner in ops for op in layers for value in op.past(op.inputs))


def _is_quantized(ground: Ground) -> bool:
    """Whether a region rounds numbers to integers of 8 bits."""
    ops = [op for op in (*ground.region.before, *ground.region.after) if isinstance(op, LayerOp)]
    return any(getattr(op, "int8_scale_term", 0) or op.LAYER_TYPE in QUANTIZING for op in ops)


def _difference(before: Any, after: Any, is_quantized: bool) -> str | None:
    """Return how two results differ beyond float32 rounding; `None` if they do not."""
    if before.shape != after.shape:
        shapes = ("x".join(map(str, each.shape)) for each in (before, after))
        return "in the ncnn runtime the shape {} becomes {}".format(*shapes)
    a, b = before.astype("f8"), after.astype("f8")
    error, limit = float_error(a, b), ROUNDING
    if is_quantized:  # a number on the border of two integers is rounded to either
        error, limit = relative_error(a, b), STEPS
    if error <= limit:
        return None
    return f"in the ncnn runtime its results differ (error {error:.2g}, limit {limit:g})"
