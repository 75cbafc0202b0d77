"""Samples in memory, for the Python API."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.function import inputs_of
from ..dialects.ncnn.lookup import model_of
from ..dialects.xdsl_extras.warning import warn
from ..formats.scale_table import ScaleTable
from ..interpreters.errors import RunError
from ..runtime.custom_layers import CustomLayers
from ..runtime.engines import check_runtime
from .calibration_data import with_sample_shapes
from .collecting import calibrate_table
from .recipe import TableMethod, WeightMethod
from .scales import WEIGHT_METHODS
from .statistics import digest_of
from .steps import Observer
from .thresholds import METHODS

Array = NDArray[Any]
Data = Array | Mapping[str, Array] | Iterable[Array | Mapping[str, Array]]


@dataclass(frozen=True)
class InMemory:
    """Samples in arrays."""

    samples: Sequence[Mapping[str, Array]]

    def names(self) -> Sequence[str]:
        return [f"sample {i}" for i in range(len(self.samples))]

    def load(self, index: int) -> Mapping[str, Array]:
        return self.samples[index]

    def digest(self) -> str:
        return digest_of([str(id(self))])


class Warner(Observer):
    """Passes warnings on to Python's `warnings`."""

    def on_warning(self, message: str) -> None:
        warn(message)


def samples_of(module: ModuleOp, data: Data) -> InMemory:
    """Return the samples in arrays. Raises `RunError` for samples that do not fit the model."""
    func = model_of(module)
    names = list(inputs_of(func))
    samples = InMemory([_checked(names, sample) for sample in _samples(data, names)])
    if not samples.samples:
        raise RunError("there are no samples")
    given = [{name: values.shape for name, values in s.items()} for s in samples.samples]
    for message in with_sample_shapes(func, zip(samples.names(), given, strict=True))[1]:
        warn(message)
    return samples


def calibrated_table(
    module: ModuleOp,
    data: Data,
    method: TableMethod,
    weight_method: WeightMethod,
    jobs: int,
    custom_layers: CustomLayers,
) -> ScaleTable:
    """Return the scales of a model, calibrated on arrays. Raises one of `USER_ERRORS`."""
    for name, known in ((method, METHODS), (weight_method, WEIGHT_METHODS)):
        if name not in known:
            raise RunError(f"there is no method '{name}', but {', '.join(known)}")
    check_runtime()
    samples, methods = samples_of(module, data), (method, weight_method)
    how: dict[str, Any] = {"jobs": jobs, "custom_layers": custom_layers}
    return calibrate_table(module, samples, "the model", Warner(), *methods, **how)


def _samples(data: Data, names: Sequence[str]) -> Iterable[Mapping[str, Array]]:
    """Return a mapping for each sample."""
    if isinstance(data, Mapping):
        arrays = cast(Mapping[str, Array], data)
        if len({len(values) for values in arrays.values()}) > 1:
            raise RunError("the arrays have different numbers of samples")
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
            raise RunError(f"a sample is a mapping with {', '.join(names)}")
    return found


def _checked(names: Sequence[str], sample: Mapping[str, Array]) -> Mapping[str, Array]:
    """Return a sample in float32. Raises `RunError` if it has other inputs than the model."""
    if set(sample) != set(names):
        raise RunError(f"a sample has {', '.join(sample)}, the model {', '.join(names)}")
    return {name: np.asarray(values, "f4") for name, values in sample.items()}
