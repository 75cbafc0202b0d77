"""Custom layers replaced by equivalent layers of ncnn."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.function import Names, outputs_of
from ...dialects.ncnn.layer import LayerOp
from ...dialects.xdsl_extras.spelling import nearest
from .joining import infer_types
from .naming import blob_names, layer_names
from .ordering import raise_input_ops


def expand(module: ModuleOp, types: Sequence[str]) -> list[str]:
    """Replace the custom layers of some types in the first function by the layers of the other
    functions, and erase these (`ExpandCustom`). Return the labels of the layers. Raise
    `PassFailedException`; nothing is changed then."""
    func, *others = [op for op in module.ops if isinstance(op, FuncOp)]
    if len(others) != len(types):
        raise PassFailedException(
            f"{len(types)} types of custom layers need {len(types)} further models, not "
            f"{len(others)}"
        )
    customs = [op for op in func.body.block.ops if isinstance(op, CustomOp)]
    found = [[op for op in customs if op.type.data == type_] for type_ in types]
    for type_, layers, body in zip(types, found, others, strict=True):
        if not layers:
            known = list(dict.fromkeys(op.type.data for op in customs))
            raise PassFailedException(
                f"there is no custom layer of type '{type_}'{nearest(type_, known)}"
            )
        for op in layers:
            _check(op, layers[0], body)
    for layers, body in zip(found, others, strict=True):
        raise_input_ops(body)
        for op in layers:
            _replace(func, op, body)
    for body in others:
        Rewriter.erase_op(body)
    infer_types(func)
    return [op.label() for layers in found for op in layers]


def _check(op: CustomOp, first: CustomOp, body: FuncOp) -> None:
    """Raise `PassFailedException` unless a function may stand for a layer."""
    counts = len(op.inputs), len(op.outputs)
    own = len(body.body.block.args), len(outputs_of(body))
    if counts != own:
        raise PassFailedException(
            f"{op.label()} has {counts[0]} inputs and {counts[1]} outputs, and the model that "
            f"stands for it {own[0]} and {own[1]}"
        )
    if op.weights:
        raise PassFailedException(
            f"{op.label()} has weights, which a model that stands for all layers of this type "
            "cannot have"
        )
    if op.extra != first.extra:
        raise PassFailedException(
            f"{op.label()} has other parameters than {first.label()}: one model cannot stand for "
            "both"
        )


def _replace(func: FuncOp, op: CustomOp, body: FuncOp) -> None:
    """Replace a layer by copies of the layers of a function."""
    values: dict[SSAValue, SSAValue] = dict(zip(body.body.block.args, op.inputs, strict=True))
    blobs, layers = Names(blob_names(func)), Names(layer_names(func))
    prefix = "" if op.layer_name is None else f"{op.layer_name.data}_"
    for each in body.body.block.ops:
        if isinstance(each, ReturnOp):
            continue
        copy = each.clone(values)
        if isinstance(copy, LayerOp):
            name = copy.layer_name
            own = [None if n is None else blobs.unique(f"{prefix}{n}") for n in names_of(copy)]
            set_names(copy, None if name is None else layers.unique(f"{prefix}{name.data}"), own)
        Rewriter.insert_op(copy, InsertPoint.before(op))
    named: set[SSAValue] = set()
    for result, name, (end, _) in zip(op.results, names_of(op), outputs_of(body), strict=True):
        value = values[end]
        if isinstance(end, BlockArgument) or value in named:
            pass  # the blob has its name already
        elif isinstance(value, OpResult) and isinstance(value.op, LayerOp):
            own = list(names_of(value.op))
            own[value.index] = name
            layer = value.op.layer_name
            set_names(value.op, None if layer is None else layer.data, own)
            value.name_hint = result.name_hint
            named.add(value)
        result.replace_all_uses_with(value)
    Rewriter.erase_op(op)
