"""Which method takes the scales: the one by which the outputs are nearest to those of the float
model."""

from collections.abc import Callable, Collection

from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.lookup import model_of
from ..formats.scale_table import ScaleTable
from .evaluator import Bench
from .integers import quantized
from .scales import WEIGHT_METHODS, make_table
from .statistics import Statistics
from .thresholds import METHODS

TRIED_WEIGHTS = ("minmax", "mse")
"""Methods of weights; `aciq` clips what is not distributed normally far too much."""

Tell = Callable[[str, str, float], None]


def best_table(
    func: FuncOp,
    bench: Bench,
    found: Statistics,
    weight_method: str | None,
    keep: Collection[str] = (),
    tell: Tell = lambda method, weight_method, error: None,
) -> tuple[ScaleTable, float]:
    """The table by which the error at the worst output is least, and that: of all methods, then of
    those of weights unless one is given. The error of each is told."""
    prepared = bench.prepared
    assert model_of(prepared.module) is func
    tried: dict[tuple[str, str], tuple[float, ScaleTable]] = {}

    def error(method: str, weights: str) -> float:
        if (method, weights) not in tried:
            table = make_table(func, prepared, found, method, weights)
            model = quantized(prepared.module, table, keep, "")
            tried[method, weights] = bench.error(model), table
            tell(method, weights, tried[method, weights][0])
        return tried[method, weights][0]

    first = weight_method or TRIED_WEIGHTS[0]
    method = min(METHODS, key=lambda name: error(name, first))
    others = TRIED_WEIGHTS if weight_method is None else (weight_method,)
    weights = min(others, key=lambda name: error(method, name))
    assert weights in WEIGHT_METHODS
    least, table = tried[method, weights]
    return table, least
