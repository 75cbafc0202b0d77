"""Declaration of the shape functions of custom layers."""

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.blob import extents_in
from ...dialects.ncnn.custom import CustomOp
from ...dialects.xdsl_extras.spelling import nearest
from .joining import infer_types


def declare(models: Sequence[FuncOp], functions: Mapping[str, str]) -> list[str]:
    """Set the shape functions of custom layers by type, and infer the shapes that follow. Return
    the labels of the layers. Raise `PassFailedException` for a type without layers, and for a
    function that does not fit a layer."""
    known = [op for model in models for op in _customs(model)]
    types = list(dict.fromkeys(op.type.data for op in known))
    for type_ in functions:
        if type_ not in types:
            raise PassFailedException(
                f"there is no custom layer of type '{type_}'{nearest(type_, types)}"
            )
    for op in known:
        if op.type.data in functions:
            op.shape = StringAttr(functions[op.type.data])
    for model in models:
        infer_types(model)
        for op in _customs(model):
            wanted = op.contract_violation([extents_in(value.type) for value in op.inputs])
            if wanted is not None:
                raise PassFailedException(f"{op.label()} {wanted}")
    return [op.label() for op in known if op.type.data in functions]


def _customs(model: FuncOp) -> Iterator[CustomOp]:
    return (op for op in model.body.block.ops if isinstance(op, CustomOp))
