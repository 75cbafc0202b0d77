"""Models with fewer layers."""

from collections.abc import Collection

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.ncnn.assembly import names_of
from ...dialects.ncnn.function import (
    Names,
    add_input,
    drop_input,
    named,
    outputs_of,
    set_blobs_without_split,
    set_outputs,
    signature_of,
)
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import model_of
from ..edits.joining import infer_types
from ..edits.naming import blob_names, file_layers


def layer_count(module: ModuleOp) -> int:
    """Return the number of layers, without Input layers and weights."""
    return len(file_layers(model_of(module)))


def with_output(module: ModuleOp, index: int) -> ModuleOp | None:
    """Return the model that ends with a layer: its results are the only outputs."""
    copy = module.clone()
    func = model_of(copy)
    op = file_layers(func)[index]
    if not op.results:
        return None
    names = Names(())
    ends: list[tuple[SSAValue, str]] = []
    declared = dict(zip([v for v, _ in outputs_of(func)], signature_of(func).outputs, strict=True))
    for result, own in zip(op.results, names_of(op), strict=True):
        ends.append((result, names.unique(declared.get(result) or own or f"out{result.index}")))
    set_outputs(func, [(value, named(name)) for value, name in ends])
    return finished(copy)


def without_outputs(module: ModuleOp, indices: Collection[int]) -> ModuleOp | None:
    """Return the model without some of its outputs, and without the layers of these only."""
    copy = module.clone()
    func = model_of(copy)
    set_outputs(func, [end for i, end in enumerate(outputs_of(func)) if i not in indices])
    return finished(copy)


def without_layers(
    module: ModuleOp, indices: Collection[int], bypass: bool = False, suffix: str = "_in"
) -> ModuleOp | None:
    """Return the model without some of its layers. Their results become inputs with their name and
    a suffix, or, with `bypass`, blobs of the same type that the layers read."""
    copy = module.clone()
    func = model_of(copy)
    layers = [op for i, op in enumerate(file_layers(func)) if i in indices]
    names = Names(blob_names(func))
    inside = set[Operation](layers)
    for op in layers:
        for result, own in zip(op.results, names_of(op), strict=True):
            if not any(use.operation not in inside for use in result.uses):
                continue
            same = next((v for v in op.data_operands() if v.type == result.type), None)
            if bypass and same is not None:
                result.replace_all_uses_with(same)
            elif bypass:
                return None
            else:
                name = (
                    own if own and not suffix else names.unique(f"{own}{suffix}" if own else "in")
                )
                _make_input(func, result, name)
    for op in reversed(layers):
        if any(result.first_use for result in op.results):
            return None
        Rewriter.erase_op(op)
    return finished(copy)


def _make_input(func: FuncOp, result: OpResult, name: str) -> None:
    """Let an input replace a result. Outputs that would be this input vanish."""
    outputs = outputs_of(func)
    set_outputs(func, [end for end in outputs if end[0] is not result])
    if result.first_use is None:
        return
    arg = add_input(func, result.type, name)
    arg.name_hint = result.name_hint
    result.replace_all_uses_with(arg)


def finished(module: ModuleOp) -> ModuleOp | None:
    """Return a module without unused layers and inputs, with the types inferred; `None` if it has
    no outputs."""
    func = model_of(module)
    outputs = [end for end in outputs_of(func) if not isinstance(end[0], BlockArgument)]
    if not outputs:
        return None
    set_outputs(func, outputs)
    for op in reversed(list(func.body.block.ops)):
        unread = op.results and not any(result.first_use for result in op.results)
        if isinstance(op, LayerOp) and unread:
            Rewriter.erase_op(op)
    for arg in list(func.args):
        if not arg.first_use:
            drop_input(func, arg)
    set_blobs_without_split(func, [])
    infer_types(func)
    return module
