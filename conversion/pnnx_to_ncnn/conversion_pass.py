"""The pass that makes an ncnn model of a PNNX graph."""

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import Float16Type, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.custom import CustomOp, is_pnnx_operator
from ...dialects.ncnn.function import output_names, update_type
from ...dialects.pnnx.operations import GraphOp, OperatorOp, graph_in
from ...dialects.pnnx.tensors import shape_in_torch
from ...transforms.pnnx_legalization.operator_matching import INSERTED
from ...transforms.rewriting.layer_builder import Shape
from ...transforms.storage.convert_storage import ConvertStorage
from .archive import Archive
from .conversion import Unconverted, Weight, convert_graph
from .lowering import Array

REASON = "pnnx.unconverted"
"""The attribute of a module with the reason why its graph was not converted."""


def pop_reason(module: ModuleOp) -> str | None:
    """Return the reason why the graph in a module was not converted, and remove it."""
    reason = module.attributes.pop(REASON, None)
    return reason.data if isinstance(reason, StringAttr) else None


@dataclass(frozen=True)
class ConvertPnnxToNcnn(ModulePass):
    """Convert the PNNX graph in the module to layers, operator by operator.

    The new function replaces a function beside the graph: the converter's own model, whose weights
    may be float16; then those of the new function are float16, too. If an operator has no layers,
    the converter's model and the graph stay unchanged, and an attribute of the module has the
    reason; without that model this is an error. A graph without weights stays, too.
    """

    name = "convert-pnnx-to-ncnn"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        graph = graph_in(op)
        if graph is None:
            return
        models = (f for f in op.body.block.ops if isinstance(f, FuncOp))
        # Another export may stand beside the model.
        old = next((f for f in models if f.sym_name.data == "main"), None)
        if graph.archive is None and any(o.weight_types() for o in graph.operators()):
            if old is None:
                raise PassFailedException(
                    "the weights are missing: the .pnnx.bin is not beside the .pnnx.param"
                )
            return
        read = reader_of(graph)
        try:
            if old is not None:
                check_same_model(old, graph)
            made = convert_graph(graph, read, declared_shapes(old))
            if old is not None:
                check_interface(old, function_of(made))
        except Unconverted as e:
            if old is None:
                raise
            op.attributes[REASON] = StringAttr(str(e))
            return
        if old is not None and has_halves(old):
            ConvertStorage(storage="fp16").apply(ctx, made)
        func = function_of(made)
        func.detach()
        if old is not None:
            take_names(func, old)
        for each in filter(None, (graph, old)):
            Rewriter.erase_op(each)
        Rewriter.insert_op(func, InsertPoint.at_start(op.body.block))


def reader_of(graph: GraphOp) -> Weight:
    """Return the reader of a graph's weights. A graph without an archive has none to read."""

    def read(op: OperatorOp, key: str) -> Array:
        raise Unconverted(f"{op.label()} has no weight '{key}'")

    return read if graph.archive is None else Archive(graph, graph.archive.data).read


def take_names(func: FuncOp, old: FuncOp) -> None:
    """Give the outputs the order, and inputs and outputs the names, of the converter's model."""
    end, types = func.get_return_op(), list(func.function_type.outputs)
    assert end is not None
    if len(types) > 1:
        order = [int(name.removeprefix("out")) for name in output_names(old)]
        end.operands = [end.operands[i] for i in order]
        types = [types[i] for i in order]
    func.arg_attrs, func.res_attrs = old.arg_attrs, old.res_attrs
    update_type(func)


def function_of(module: ModuleOp) -> FuncOp:
    """Return the only function in a module."""
    (func,) = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    return func


def declared_shapes(func: FuncOp | None) -> list[Shape | None]:
    """Return the shapes of the input blobs that the converter's model declares."""
    return [] if func is None else [static_shape_of(arg) for arg in func.body.block.args]


def check_interface(old: FuncOp, new: FuncOp) -> None:
    """Raise `Unconverted` if the models have other numbers of inputs or outputs."""
    for word, a, b in (
        ("inputs", old.function_type.inputs, new.function_type.inputs),
        ("outputs", old.function_type.outputs, new.function_type.outputs),
    ):
        if len(a) != len(b):
            raise Unconverted(f"it has {len(a)} {word}, and PNNX's graph {len(b)}")
    names = output_names(old)
    if len(names) > 1 and sorted(names) != sorted(f"out{i}" for i in range(len(names))):
        raise Unconverted("its outputs have other names than PNNX's: their order is not known")


MAX_RATIO = 4
"""The converter may split a weight of an operator into so many, or join so many."""


def check_same_model(func: FuncOp, graph: GraphOp) -> None:
    """Raise `Unconverted` if a graph does not belong to the converter's model: a layer that the
    runtime lacks has no operator of its name and type, or a weight has no counterpart of its
    size."""
    operators = {(op.layer.data, op.type.data) for op in graph.operators()}
    sizes = {
        prod(shape)
        for op in graph.operators()
        for type_ in op.weight_types().values()
        if (shape := shape_in_torch(type_)) is not None
    }
    for op in func.body.block.ops:
        if isinstance(op, CustomOp) and is_pnnx_operator(op.type.data):
            name = op.properties.get("name")
            own = name.data if isinstance(name, StringAttr) else ""
            if not INSERTED.fullmatch(own) and (own, op.type.data) not in operators:
                raise Unconverted(f"it has no operator of {op.label()}: it is of another model")
        if isinstance(op, ConstantOp) and (shape := static_shape_of(op.output)) is not None:
            count = prod(shape)
            if len(shape) > 1 and not any(_fit(count, size) for size in sizes):
                raise Unconverted(f"it has no weight of {count} elements: it is of another model")


def _fit(a: int, b: int) -> bool:
    """Whether one number of elements is a small multiple of another one."""
    low, high = sorted((a, b))
    return low > 0 and high % low == 0 and high // low <= MAX_RATIO


def has_halves(func: FuncOp) -> bool:
    """Whether a model has float16 weights."""
    return any(
        isinstance(op, ConstantOp) and isinstance(op.output.type.element_type, Float16Type)
        for op in func.body.block.ops
    )
