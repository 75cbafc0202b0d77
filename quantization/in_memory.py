"""Models and samples that are in memory: what the Python API does with them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..dialects.xdsl_extras.warning import warn
from ..formats.scale_table import ScaleTable, read_scale_table
from ..interpreters.errors import RunError
from ..runtime.engines import check_runtime
from ..transforms.quantization.int8 import quantize
from .calibration import begin, calibrate
from .degenerate import warnings_of
from .integers import fuse_requantize
from .methods import METHODS
from .prepared import Prepared
from .samples import fed_with
from .scales import WEIGHT_METHODS, make_table
from .statistics import digest_of

Array = NDArray[Any]
Data = Array | Mapping[str, Array] | Iterable[Array | Mapping[str, Array]]


@dataclass(frozen=True)
class InMemory:
    """Samples that are there."""

    samples: Sequence[Mapping[str, Array]]

    def names(self) -> Sequence[str]:
        return [f"sample {i}" for i in range(len(self.samples))]

    def load(self, index: int) -> Mapping[str, Array]:
        return self.samples[index]

    def digest(self) -> str:
        return digest_of([str(id(self))])


def table_of(
    module: ModuleOp, data: Data, method: str, weight_method: str, jobs: int
) -> ScaleTable:
    """The scales of a model. Raises one of `USER_ERRORS`."""
    for name, known in ((method, METHODS), (weight_method, WEIGHT_METHODS)):
        if name not in known:
            raise RunError(f"there is no method '{name}', but {', '.join(known)}")
    check_runtime()
    func = model_of(module)
    names = [input_name(func, i) for i in range(len(func.body.block.args))]
    samples = InMemory([_checked(names, sample) for sample in _samples(data, names)])
    if not samples.samples:
        raise RunError("there are no samples")
    given = [{name: values.shape for name, values in s.items()} for s in samples.samples]
    for message in fed_with(func, zip(samples.names(), given, strict=True))[1]:
        warn(message)
    with Prepared(module) as prepared:
        if not prepared.candidates:
            raise RunError("there is no layer that could become int8")
        found = begin(prepared, samples)
        calibrate(prepared, samples, found, range(len(samples.samples)), jobs=jobs)
        for message in warnings_of(prepared, samples.names(), found):
            warn(message)
        return make_table(func, prepared, found, method, weight_method)


def make_int8(module: ModuleOp, table: ScaleTable | str, keep: Collection[str]) -> None:
    """Makes a model int8. Raises one of `USER_ERRORS`."""
    path = "the table"
    if isinstance(table, str):
        path = table
        with open(path, "rb") as f:
            table = read_scale_table(f.read(), path)
    quantize(model_of(module), table, path, keep)
    fuse_requantize(module)


def _samples(data: Data, names: Sequence[str]) -> Iterable[Mapping[str, Array]]:
    """A mapping for each sample."""
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
    """A sample as the runtime takes it, if it has these inputs."""
    if set(sample) != set(names):
        raise RunError(f"a sample has {', '.join(sample)}, the model {', '.join(names)}")
    return {name: np.asarray(values, "f4") for name, values in sample.items()}
