"""How traced arrays compute functions of NumPy, and `traceable` functions of the reference.

`arrays.py` imports this module when an array is first used, as these functions construct traced
arrays.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from ...interpreters.fused import scalars
from ...interpreters.ncnn import erf as erfs
from ...interpreters.ncnn import formulas, int8, normalization, scans, shapes
from ...interpreters.ncnn import windows as sliding
from . import functions, loops, primitives, ufuncs
from .arrays import Traced, node_of
from .contractions import matmul
from .indexing import get, put
from .nodes import Node
from .ufuncs import bits_as, reduce

__all__ = ["FUNCTIONS", "apply", "bits_as", "get", "put", "reduce"]

FUNCTIONS: Mapping[Callable[..., Any], Callable[..., Any]] = {
    np.where: functions.where,
    np.clip: functions.clip,
    np.mean: functions.mean,
    np.max: Traced.max,
    np.sum: Traced.sum,
    np.cumsum: functions.cumulative_sum,
    np.concatenate: functions.concatenate,
    np.stack: functions.stack,
    np.zeros: partial(functions.constant, 0),
    np.ones: partial(functions.constant, 1),
    np.full: functions.filled,
    np.empty: functions.empty,
    np.zeros_like: partial(functions.constant_like, 0),
    np.ones_like: partial(functions.constant_like, 1),
    np.empty_like: functions.empty_like,
    np.broadcast_to: functions.broadcast_to,
    np.reshape: Traced.reshape,
    np.transpose: functions.transpose,
    np.swapaxes: Traced.swapaxes,
    np.moveaxis: functions.moveaxis,
    np.expand_dims: functions.expand_dims,
    np.split: functions.split,
    np.repeat: functions.repeat,
    np.tile: functions.tile,
    np.take: functions.take,
    np.flip: functions.flip,
    np.pad: functions.pad,
    np.einsum: functions.einsum,
    np.trace: functions.trace,
    np.diag: functions.diag,
    np.copy: Traced.copy,
    np.shape: attrgetter("shape"),
    np.ndim: attrgetter("ndim"),
    np.squeeze: functions.squeeze,
    scans.scan: loops.scan,
    erfs.erf: primitives.erf,
    erfs.erfc: primitives.erfc,
    shapes.as_float: primitives.as_float,
    int8.rounded: primitives.rounded,
    int8.exact: primitives.exact,
    int8.mac_body: primitives.mac_body,
    normalization.power: primitives.power,
    formulas.inverse_root: primitives.inverse_root,
    scalars.compared: primitives.compared,
    np.fmod: primitives.c_fmod,
    sliding.pad: primitives.pad,
    sliding.correlate: primitives.correlate,
    sliding.spread: primitives.spread,
    sliding.over_windows: primitives.over_windows,
    sliding.windows: primitives.windows,
}


def apply(ufunc: np.ufunc, inputs: Sequence[Any], **kwargs: Any) -> Node:
    """Return the node of a function that NumPy applies to each element, or of `matmul`."""
    if ufunc is np.matmul:
        return matmul(*map(node_of, inputs))
    return ufuncs.apply(ufunc, inputs, **kwargs)
