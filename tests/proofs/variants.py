"""Further models to prove passes on: those of the lit tests with other extents, ranks, windows and
activations."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from ncnn_opt.analysis.shape_inference import infer, set_input_shapes
from ncnn_opt.dialects.ncnn.blob import shape_of
from ncnn_opt.dialects.ncnn.function import input_name
from ncnn_opt.dialects.ncnn.interfaces import ActivationHost
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.proofs import Proof, Status, prove
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException, VerifyException

from .instances import Instance

Shape = tuple[int, ...]

SHAPES: Mapping[str, Callable[[Shape], Shape]] = {
    "wider": lambda shape: (*shape[:-1], _more(shape[-1], 1)),
    "higher": lambda shape: (*shape[:-2], *(_more(n, 2) for n in shape[-2:-1]), *shape[-1:]),
    "larger": lambda shape: (*shape[:1], *(_more(n, 3) for n in shape[1:])),
    "of more channels": lambda shape: (_more(shape[0], max(shape[0], 1)), *shape[1:]),
    "in rows": lambda shape: (2, *shape) if len(shape) < 3 else shape,
    "of one channel": lambda shape: (1, *shape) if len(shape) < 4 else shape,
}
"""Other shapes of the inputs, by name."""

RANKS: Mapping[str, Shape] = {
    "of rank 3": (2, 4, 5),
    "of rank 2": (4, 3),
    "of rank 1": (6,),
}
"""Shapes of inputs of unknown rank, by name."""

PARAMS: Mapping[str, Mapping[str, Any]] = {
    "eps": {"eps": 0.125},
    "relu": {"activation_type": 1, "activation_params": ()},
    "leaky relu": {"activation_type": 2, "activation_params": (0.25,)},
    "clip": {"activation_type": 3, "activation_params": (-0.5, 0.5)},
    "sigmoid": {"activation_type": 4, "activation_params": ()},
    "stride": {"stride_w": 2},
    "dilation": {"dilation_w": 2},
    "padding": {"pad_left": 1, "pad_right": 1},
    "asymmetric padding": {"pad_left": 0, "pad_right": 1},
    "scalar": {"b": 0.75},
    "slope": {"slope": 0.375},
    "coefficient": {"coeff": 0.5},
    "factor": {"alpha": 0.625},
}
"""Other parameters of layers that have them, by name."""


def _more(n: int, more: int) -> int:
    return (3 if n == DYNAMIC_INDEX else n) + more


def variants(instance: Instance) -> Iterator[Instance]:
    """Yield models like one of a lit test that verify."""
    for name, change in SHAPES.items():
        yield from _changed(instance, name, partial(_reshape, change=change))
    for name, shape in RANKS.items():
        yield from _changed(instance, name, partial(_rank, shape=shape))
    for name, values in PARAMS.items():
        yield from _changed(instance, name, partial(_set, values=values))
        for shape in ("wider", "larger"):
            both = partial(_reshape_and_set, change=SHAPES[shape], values=values)
            yield from _changed(instance, f"{shape}, {name}", both)


def _changed(instance: Instance, name: str, change: Callable[[FuncOp], bool]) -> Iterator[Instance]:
    module = instance.module.clone()
    (func,) = [op for op in module.ops if isinstance(op, FuncOp)]
    try:
        if change(func):
            module.verify()
            yield instance._replace(function=f"{instance.function} ({name})", module=module)
    except (PassFailedException, VerifyException, ValueError):
        return  # the model allows no such change


def _reshape(func: FuncOp, change: Callable[[Shape], Shape]) -> bool:
    shapes = [shape_of(arg) for arg in func.body.block.args]
    known = {input_name(func, i): shape for i, shape in enumerate(shapes) if shape is not None}
    new = {name: change(shape) for name, shape in known.items()}
    if new == known or None in shapes:
        return False
    set_input_shapes(func, new)
    return True


def _reshape_and_set(
    func: FuncOp, change: Callable[[Shape], Shape], values: Mapping[str, Any]
) -> bool:
    return _reshape(func, change) and _set(func, values)


def _rank(func: FuncOp, shape: Shape) -> bool:
    args = [i for i, arg in enumerate(func.body.block.args) if shape_of(arg) is None]
    set_input_shapes(func, {input_name(func, i): shape for i in args})
    return bool(args)


def _set(func: FuncOp, values: Mapping[str, Any]) -> bool:
    """Set parameters of the layers that have them."""
    found = False
    for op in func.body.block.ops:
        if not isinstance(op, LayerOp) or not all(name in op.PARAMS for name in values):
            continue
        if all(getattr(op, name) == value for name, value in values.items()):
            continue
        if isinstance(op, ActivationHost) and "activation_type" in values and op.activation_type:
            continue
        op.set_params(**values)
        found = True
    if found:
        infer(func, {arg: shape_of(arg) or () for arg in func.body.block.args if shape_of(arg)})
    return found


def decided_variants(instances: Iterable[Instance], extents: bool = False) -> Iterator[Proof]:
    """Yield the proofs of variants on which a pass is proven or refuted."""
    for instance in instances:
        for variant in variants(instance):
            proof = prove(instance.rewrite, variant.module, extents=extents)
            if proof.status in (Status.PROVEN, Status.REFUTED):
                yield proof
