"""Inputs that stand for the outputs of custom layers: the runtime lacks these layers, and runs the
rest of the model."""

from collections.abc import Sequence

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.ir import OpResult
from xdsl.rewriter import Rewriter

from ..analysis.shape_inference import infer
from ..dialects.ncnn.assembly import names_of
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.custom import CustomOp, is_pnnx_operator
from ..dialects.ncnn.function import Names, add_input, outputs_of, set_outputs
from ..dialects.ncnn.lookup import layers_of, model_of
from ..interpreters.errors import RunError
from .trial_shapes import feeds_of


def without_custom_layers(module: ModuleOp) -> tuple[ModuleOp, str]:
    """Return a copy of a model in which the outputs of custom layers are inputs, of the declared
    shapes, and their inputs are outputs. Also return the replacement in words. Raise `RunError` for
    layers whose shapes are not declared."""
    copy = module.clone()
    func = model_of(copy)
    infer(func, {func.body.block.args[i]: feed.shape for i, feed in feeds_of(func).items()})
    customs = [op for op in func.body.block.ops if isinstance(op, CustomOp)]
    unknown = [op for op in customs if not all(map(static_shape_of, op.results))]
    if lost := list(dict.fromkeys(op.type.data for op in unknown)):
        reason = f"the model does not load: ncnn has no layer {', '.join(map(repr, sorted(lost)))}"
        if not any(map(is_pnnx_operator, lost)):
            reason += (
                f"; --custom-shape {lost[0]}=… declares the shapes of its outputs, with which the "
                "rest of the model is checked"
            )
        raise RunError(reason)
    outputs = [each for each in outputs_of(func) if not isinstance(each[0].owner, CustomOp)]
    ends = {value for value, _ in outputs}
    for op in customs:
        for value in op.inputs:
            if isinstance(value, OpResult) and not isinstance(value.owner, CustomOp | ConstantOp):
                outputs += [] if value in ends else [(value, DictionaryAttr({}))]
                ends.add(value)
    names = Names(name for op in layers_of(func) for name in names_of(op) if name)
    for op in customs:
        for result, name in zip(op.results, names_of(op), strict=True):
            blob = names.unique("custom") if name is None else name
            result.replace_all_uses_with(add_input(func, result.type, blob))
    set_outputs(func, outputs)
    for op in reversed(customs):
        Rewriter.erase_op(op)
    return copy, _replacement(customs)


def _replacement(customs: Sequence[CustomOp]) -> str:
    """Return the replacement of layers in words. Layers of metadata have no outputs."""
    types = {op.type.data: bool(op.results) for op in customs}
    found = [type_ for type_, has_outputs in types.items() if has_outputs]
    others = [type_ for type_, has_outputs in types.items() if not has_outputs]
    words = [f"random values for the outputs of {' and '.join(found)}"] if found else []
    return " and ".join([*words, *(f"without {type_}" for type_ in others)])
