"""From layers to linalg: the passes, and the facts about the model that callers need.

Some facts are lost in linalg: the names of blobs, indices of an Embed, whether tiles are safe. They
are noted between the passes, and travel beside the module (`Lowered`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.passes import PassPipeline
from xdsl.utils.arg_spec import parse_pipeline

from ..analysis.input_shapes import contradictions, fitting_shape
from ..conversion.completeness import label_of, layers_left, unknown_input
from ..conversion.host_ops import take_tail
from ..conversion.to_linalg.dispatch_barriers import (
    insert_float_barriers,
    is_int8,
    separate_int8,
    separate_pads,
)
from ..conversion.to_linalg.processors import PROCESSORS
from ..conversion.to_linalg.tiles import only_multiplies_rows, tile_products
from ..dialects.fused.convolution import Convolutional
from ..dialects.iree import GlobalOp
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.constant import constant_of
from ..dialects.ncnn.function import input_name, output_names
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.quantization import DynamicInt8
from ..dialects.ncnn.weight_specs import pattern_text
from ..dialects.ncnn.weights import dtype_of
from ..interpreters.inputs import is_embedding_index
from ..transforms import get_all_passes
from ..transforms.rewriting.remarks import Remark, listening
from .errors import NativeError
from .options import CompileOptions


@dataclass(frozen=True)
class Port:
    """An input or a result of a program."""

    name: str
    """The name of the blob."""
    dtype: str
    """NumPy's name of the element type."""
    shape: tuple[int | None, ...]
    """The shape; `None` for a dynamic extent."""
    is_index: bool = False
    """Whether an Embed reads the input: its elements are int32, whose bits the program takes in
    elements of `dtype`, as the runtime does."""


@dataclass(frozen=True)
class Lowered:
    """A model in the form that IREE reads."""

    module: ModuleOp
    inputs: tuple[Port, ...]
    results: tuple[Port, ...]
    """The results of the code: the outputs, or the inputs of the tail."""
    outputs: tuple[str, ...]
    """The names of the model's outputs."""
    tail: ModuleOp | None
    """The module that runs on the host afterwards, if there is one."""
    may_be_tiled: bool = True
    """Whether IREE may and should lay out matrices in tiles: see the functions `may_be_tiled` and
    `only_multiplies_rows`."""
    fuses_pads: bool = False
    """Whether IREE should compute borders in the kernels that read them."""

    def parameters(self) -> list[GlobalOp]:
        """Return the weights that are not in the code."""
        return [op for op in self.module.ops if isinstance(op, GlobalOp)]

    def has_int8(self) -> bool:
        """Whether an operation computes int8."""
        return any(is_int8(v) for op in self.module.walk() for v in op.results)


@dataclass(frozen=True)
class Fused:
    """A model of fused operations that can be lowered to linalg."""

    module: ModuleOp
    inputs: tuple[str, ...]
    results: tuple[str, ...]
    """The results of the code."""
    outputs: tuple[str, ...]
    """The outputs of the model."""
    tail: ModuleOp | None = None
    indices: tuple[str, ...] = ()
    """The inputs that an Embed reads."""

    @property
    def func(self) -> FuncOp:
        """The function of the model."""
        return model_of(self.module)

    def clone(self) -> "Fused":
        """Return a copy whose operations may be changed."""
        return replace(
            self, module=self.module.clone(), tail=None if self.tail is None else self.tail.clone()
        )


def fuse(module: ModuleOp, options: CompileOptions) -> Fused:
    """Turn the layers of a module into fused operations, in place, and take out the layers that run
    on the host. Inputs must have known ranks. Raises `NativeError`."""
    func = model_of(module)
    check_inputs(func)
    inputs = [input_name(func, i) for i in range(len(func.body.block.args))]
    indices = [input_name(func, a.index) for a in func.body.block.args if is_embedding_index(a)]
    outputs = output_names(func)
    stages = options.stages()
    _run([stages.host_ops], module)
    tail, results = take_tail(module), output_names(func)
    _run([stages.fusing], module)
    return Fused(module, tuple(inputs), tuple(results), tuple(outputs), tail, tuple(indices))


def lower_fused(model: Fused, options: CompileOptions) -> Lowered:
    """Turn fused operations and layers into linalg, in place. Raises `NativeError`, with the
    reason, for a layer without a native form."""
    module, func = model.module, model.func
    reasons: dict[str, str] = {}

    def on_remark(remark: Remark) -> None:
        reasons.update(dict.fromkeys(remark.layers, remark.note))

    stages = options.stages()
    tiled, fused = may_be_tiled(func), False
    with listening(on_remark):
        _run([stages.to_linalg], module)
        _check_lowered(func, reasons)
        tiled = tiled and not only_multiplies_rows(func)
        if options.target == "cpu" and options.for_iree:
            fused = prepare_kernels(func, options)
        _run([stages.weights], module)
    return Lowered(
        module,
        # Weights may be further arguments.
        tuple(
            replace(port, is_index=port.name in model.indices)
            for port in _ports(model.inputs, list(func.function_type.inputs)[: len(model.inputs)])
        ),
        _ports(model.results, list(func.function_type.outputs)),
        model.outputs,
        model.tail,
        tiled,
        fused,
    )


def prepare_kernels(func: FuncOp, options: CompileOptions) -> bool:
    """Give products their tiles, and put barriers between kernels. Return whether IREE should
    compute borders in the kernels that read them."""
    processor = PROCESSORS[options.processor]
    tile_products(func, processor)
    separate_int8(func)
    insert_float_barriers(func, processor.has_masks)
    return processor.has_masks and separate_pads(func)


def lower(module: ModuleOp, options: CompileOptions) -> Lowered:
    """Turn the layers of a module into linalg, in place. Raises `NativeError` like `fuse` and
    `lower_fused`."""
    return lower_fused(fuse(module, options), options)


def may_be_tiled(func: FuncOp) -> bool:
    """Whether IREE may lay out the matrices of a model of layers and fused operations in tiles. It
    compiles wrong code where attention quantizes its factors; layers with scales for their input
    are correct. For AVX-512 (3.13), it also does for convolutions of groups that read a blob as
    their weight."""
    return not any(
        (isinstance(op, DynamicInt8) and op.integers())
        or (
            isinstance(op, Convolutional)
            and op.group_count() > 1
            and constant_of(op.weight) is None
        )
        for op in func.walk()
    )


def _run(pipeline: Sequence[str], module: ModuleOp) -> None:
    known = get_all_passes()
    specs = parse_pipeline(",".join(pipeline))
    passes = tuple(known[spec.name]().from_pass_spec(spec) for spec in specs)
    PassPipeline(passes).apply(Context(), module)


def check_inputs(func: FuncOp) -> None:
    """Raise `NativeError`, with advice, for an input of unknown rank and for shapes that weights
    contradict."""
    if (unknown := unknown_input(func)) is not None:
        raise NativeError(unknown)
    if (found := next(contradictions(func), None)) is not None:
        raise NativeError(f"{found}{_fitting_shape_advice(func)}")


def _fitting_shape_advice(func: FuncOp) -> str:
    for i, arg in enumerate(func.body.block.args):
        own = static_shape_of(arg)
        if own is not None and (other := fitting_shape(func, i, own)) is not None:
            return f"; try --input-shape {input_name(func, i)}={pattern_text(other)}"
    return ""


def _check_lowered(func: FuncOp, reasons: dict[str, str]) -> None:
    """Raise `NativeError` for a layer that was not lowered."""
    for op in layers_left(func):
        label = label_of(op)
        reason = reasons.get(label) or "it has no reference semantics"
        raise NativeError(f"{label} has no native form: {reason.removeprefix(label).lstrip(': ')}")


def _ports(names: Sequence[str], types: Sequence[Attribute]) -> tuple[Port, ...]:
    return tuple(_port(name, type_) for name, type_ in zip(names, types, strict=True))


def _port(name: str, type_: Attribute) -> Port:
    if not isinstance(type_, TensorType):
        raise NativeError(f"the rank of blob '{name}' is unknown")
    tensor = cast(TensorType[Any], type_)
    shape = tuple(None if n == DYNAMIC_INDEX else n for n in tensor.get_shape())
    return Port(name, dtype_of(tensor.element_type), shape)
