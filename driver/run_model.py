"""Running a model on given or random values, and comparing two models.

These functions return results for the Python API and other modules; `model_runs.py` prints those of
`ncnn-run`.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..analysis.adopted_shapes import adopt_shapes
from ..dialects.ncnn.function import inputs_of, output_names
from ..dialects.ncnn.lookup import model_of
from ..dialects.xdsl_extras.spelling import nearest, nearest_or_all
from ..dialects.xdsl_extras.warning import warn
from ..interpreters.run import blobs_of
from ..runtime import ENGINES
from ..runtime.agreement import Agreement, check_comparable, compare_models
from ..runtime.engines import compute
from ..runtime.process import Runtime
from ..runtime.trial_shapes import random_inputs, take_shapes
from ..samples.sources import as_blob
from .errors import UsageError

Array = NDArray[Any]
Given = Mapping[str, ArrayLike] | ArrayLike | None
"""Values of inputs by name, of the only input, or `None` for random values."""


def as_blobs(func: FuncOp, given: Given, seed: int = 0) -> dict[str, Array]:
    """Return the values of inputs. Raises `UsageError` for an unknown input, and `RunError` if
    random values need an unknown shape."""
    if given is None:
        return random_inputs(func, seed)[0]
    args = inputs_of(func)
    if not isinstance(given, Mapping):
        if len(args) != 1:
            known = ", ".join(f"'{name}'" for name in args)
            raise UsageError(f"a value for each input is needed, by name: {known}")
        given = {name: given for name in args}
    for name in given:
        if name not in args:
            raise UsageError(
                f"there is no input '{name}'{nearest_or_all(name, list(args), 'inputs')}"
            )
    return {name: as_blob(name, args[name], np.asarray(v)) for name, v in given.items()}


def run_model(
    module: ModuleOp,
    given: Given = None,
    wanted: Collection[str] | None = None,
    engine: str = ENGINES[0],
    seed: int = 0,
) -> dict[str, Array]:
    """Return these blobs of a model, or its outputs. Raises `UsageError` and `RunError`."""
    func = model_of(module)
    inputs, names = as_blobs(func, given, seed), names_of_blobs(func, wanted)
    return compute(engine, _shaped(module, inputs, given), inputs, names)


def names_of_blobs(func: FuncOp, wanted: Collection[str] | None) -> Sequence[str]:
    """Return the names of the requested blobs, by default of the outputs. Raises `UsageError` for
    an unknown name."""
    known = blobs_of(func)
    for name in wanted or ():
        if name not in known:
            raise UsageError(f"there is no blob '{name}'{nearest(name, list(known))}")
    return list(dict.fromkeys(wanted)) if wanted else output_names(func)


def verify_model(
    first: ModuleOp,
    second: ModuleOp,
    path: str,
    given: Given = None,
    *,
    samples: int = 1,
    seed: int = 0,
    tolerance: float = 1e-4,
    engine: str | None = None,
    all_blobs: bool = False,
    by_default: bool = False,
) -> Agreement:
    """Compare the outputs of two models, or all blobs that both have, for the given values or for
    `samples` random samples. `path` names the second model in messages. `by_default`: nobody chose
    the tolerance (see `compare_models`). The default engine is the
    runtime, if it is installed. Raises `UsageError` and `RunError`."""
    engine = engine or ("ncnn" if Runtime.is_there() else "numpy")
    one, other = model_of(first), model_of(second)
    check_comparable(one, other, path)
    found, words = list[Agreement](), ""
    for sample in range(1 if given is not None else samples):
        if given is None:
            inputs, words = random_inputs(one, seed, sample)
        else:
            inputs = as_blobs(one, given)
        first, second = (_shaped(each, inputs, given) for each in (first, second))
        theirs = {name: inputs[name] for name in inputs if name in inputs_of(other)}
        runs = partial(compute, engine, first, inputs), partial(compute, engine, second, theirs)
        found.append(
            compare_models(
                one,
                other,
                *runs,
                tolerance,
                inputs=words,
                all_blobs=all_blobs,
                by_default=by_default,
            )
        )
    return min(found, key=lambda each: (bool(each), -each.error))


def _shaped(module: ModuleOp, inputs: Mapping[str, Array], given: Given) -> ModuleOp:
    """Return a copy of a model whose inputs have the shapes of these values. Warn where a caller's
    values have other extents than the model declares. Raise `RunError` where weights do not allow
    these."""
    copy = module.clone()
    if given is None:
        take_shapes(model_of(copy), inputs)
    for message in adopt_shapes(model_of(copy), {n: v.shape for n, v in inputs.items()}):
        warn(message)
    return copy
