"""The inputs, outputs and parameters of a model as plain Python values.

The Python API returns these values, so that its users need not know xDSL.
"""

from collections.abc import Mapping
from typing import Any, cast

from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerType, ModuleOp, TensorType
from xdsl.ir import Attribute
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects.ncnn import BY_TYPE
from ..dialects.ncnn.blob import Extents, extents_of
from ..dialects.ncnn.constant import ConstantOp, constant_of
from ..dialects.ncnn.function import input_name, output_names, outputs_of
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.params import Param, ParamKind, Value
from ..dialects.ncnn.weights import dense_weight, rounded
from ..formats.graph import LayerRecord, ParamValue
from ..frontends.param.importer import read_as
from ..interpreters.run import blobs_of
from .errors import UsageError


def list_inputs(module: ModuleOp) -> list[tuple[str, Extents]]:
    """Return the name and extents of each input. Raises `PassFailedException` for a module without
    a model."""
    func = model_of(module)
    return [(input_name(func, i), extents_of(arg.type)) for i, arg in enumerate(func.args)]


def list_outputs(module: ModuleOp) -> list[tuple[str, Extents]]:
    """Return the name and extents of each output. Raises `PassFailedException` for a module without
    a model."""
    func = model_of(module)
    values = [value for value, _ in outputs_of(func)]
    return [(n, extents_of(v.type)) for n, v in zip(output_names(func), values, strict=True)]


def shapes_of_blobs(module: ModuleOp) -> dict[str, Extents]:
    """Return the extents of each blob. Raises `PassFailedException` for a module without a
    model."""
    return {name: extents_of(value.type) for name, value in blobs_of(model_of(module)).items()}


def weights_of(op: LayerOp) -> Mapping[str, NDArray[Any]]:
    """Return the weights of a layer by name. Raises `WeightError` if their file is missing or
    truncated."""
    values = {"data": op.output} if isinstance(op, ConstantOp) else op.weight_operands()
    constants = {name: constant_of(value) for name, value in values.items() if value is not None}
    return {name: found.read() for name, found in constants.items() if found is not None}


def replace_weight(op: LayerOp, name: str, values: NDArray[Any]) -> None:
    """Replace a weight of a layer by others of the same shape, which are converted to the type that
    the weight is stored in. Other layers that share the weight keep it. Raises `UsageError`."""
    slots = {"data": op.output} if isinstance(op, ConstantOp) else op.weight_operands()
    found = {key: each for key, value in slots.items() if value and (each := constant_of(value))}
    if (old := found.get(name)) is None:
        known = ", ".join(map(repr, found)) or "none"
        raise UsageError(f"{op.label()} has no weight '{name}'; it has {known}")
    type_ = cast(TensorType[Attribute], old.output.type)
    if values.shape != type_.get_shape():
        shapes = ["x".join(map(str, shape)) for shape in (type_.get_shape(), values.shape)]
        raise UsageError("weight '{}' of {} is {}, not {}".format(name, op.label(), *shapes))
    is_exact = not isinstance(type_.element_type, IntegerType)
    if values.dtype.kind not in "fiu" or not (is_exact or (rounded(values, type_) == values).all()):
        kind = type_.element_type
        raise UsageError(f"weight '{name}' of {op.label()} is stored as {kind}; not all values fit")
    new = dense_weight(values, type_)
    if old.output.has_one_use() or old is op:
        old.value = new
        return
    copy = old.clone()
    copy.value = new
    Rewriter.insert_op(copy, InsertPoint.before(old))
    op.set_weights(**{name: copy.output})


def params_of(record: LayerRecord) -> Mapping[str | int, Value]:
    """Return the parameters of a layer by name, or by id for an id that its type lacks."""
    cls = BY_TYPE.get(record.type)
    places: dict[int, tuple[str, ParamKind]] = {}
    if cls is not None:
        for name, param in cls.PARAMS.items():
            places[param.id] = name, param.kind if isinstance(param, Param) else ParamKind.INT
    values: dict[str | int, Value] = {}
    for id, value in record.params.items():
        key, kind = places.get(id, (id, _kind_of(value)))
        read = read_as(value, kind)
        if read is not None:
            values[key] = read
    return values


def _kind_of(value: ParamValue) -> ParamKind:
    """Return the kind of an unknown parameter by its notation."""
    if value.is_str:
        return ParamKind.STR
    if value.is_array:
        return ParamKind.FLOATS if any(value.float_flags) else ParamKind.INTS
    return ParamKind.FLOAT if value.kind == "float" else ParamKind.INT
