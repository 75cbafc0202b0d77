"""Insertion of a layer that is given as a line of a `.param`."""

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import Names, named, outputs_of, set_outputs, signature_of
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import find_blob, model_of
from ...dialects.ncnn.structure import InputOp
from ...formats.errors import FormatError
from ...formats.graph import MAGIC, Graph, LayerRecord
from ...formats.param_text import read_param_text
from ...frontends.names import name_hint
from ...frontends.param.importer import import_graph
from ...frontends.param.weights import NoWeights
from .naming import blob_names, layer_names


def parse_line(line: str) -> LayerRecord:
    """Return the layer in a line of a `.param`. Raise `PassFailedException` for a line that is not
    a layer."""
    counts = line.split(None, 4)[2:4]
    if len(counts) < 2 or not all(each.isdecimal() for each in counts):
        raise PassFailedException(
            f"'{line}' is no line of a .param: TYPE NAME INPUTS OUTPUTS BLOB… ID=VALUE…"
        )
    inputs, outputs = map(int, counts)
    head = line.split(None, 4 + inputs + outputs)
    bottoms, tops = head[4 : 4 + inputs], head[4 + inputs : 4 + inputs + outputs]
    # The line alone is a file in which Input layers write the blobs that the layer reads.
    own = [*head[: 4 + inputs], *(_apart(top, bottoms) for top in tops)]
    # (The first Input is there because ncnn takes no file without blobs.)
    text = [f"Input {i} 0 1 {name}" for i, name in enumerate(dict.fromkeys(["..", *bottoms]))]
    text.append(" ".join([*own, *head[4 + inputs + outputs :]]))
    blobs = len(text) - 1 + len(tops)
    data = "\n".join([str(MAGIC), f"{len(text)} {blobs}", *text, ""])
    try:
        record = read_param_text(data.encode(), "").layers[-1]
    except FormatError as e:
        raise PassFailedException(f"'{line}': {e.message}") from e
    record.tops = tuple(tops)
    return record


def _apart(top: str, bottoms: Sequence[str]) -> str:
    """Return the name of an output with which a layer can be read that replaces an input."""
    return f"{top}.." if top in bottoms else top


def insert(func: FuncOp, record: LayerRecord) -> None:
    """Insert a layer (`InsertLayers`). Raise `PassFailedException` for an unknown blob, a name that
    is in use, and a layer that cannot be inserted."""
    if record.type == "Input":
        raise PassFailedException("an Input layer cannot be inserted: no layer would read it")
    if record.name in layer_names(func):
        raise PassFailedException(f"there is a layer '{record.name}' already: use another name")
    inputs = [find_blob(func, name) for name in record.bottoms]
    for top in record.tops:
        if top in blob_names(func) and top not in record.bottoms:
            raise PassFailedException(
                f"layer '{record.name}' cannot write blob '{top}', which another layer writes; "
                "a layer that reads the blob can replace it"
            )
    op = _made(record)
    op.operands = [*inputs]
    types = op.infer_types() or ()
    for result, type_ in zip(op.results, types, strict=False):
        Rewriter.replace_value_with_new_type(result, type_)
    _put_behind(func, op, inputs)
    set_names(op, record.name, list(record.tops))
    _connect(func, op, record)


def _made(record: LayerRecord) -> LayerOp:
    """Return the operation of a layer, without operands of this model."""
    blobs = list(dict.fromkeys(record.bottoms))
    heads = [LayerRecord("Input", name, (), (name,)) for name in blobs]
    tops = tuple(_apart(top, blobs) for top in record.tops)
    own = LayerRecord(record.type, record.name, record.bottoms, tops, record.params)
    try:
        module = import_graph(Graph([*heads, own]), "", NoWeights())
    except FormatError as e:
        raise PassFailedException(e.message) from e
    block = model_of(module).body.block
    layers = [op for op in block.ops if isinstance(op, LayerOp)]
    if any(isinstance(op, ConstantOp) for op in layers):
        raise PassFailedException(
            f"layer '{record.name}' ({record.type}) has weights, which a line does not contain"
        )
    if len(layers) != 1:
        raise PassFailedException(f"layer '{record.name}' has more inputs than it reads")
    return layers[0].clone()


def _put_behind(func: FuncOp, op: Operation, inputs: list[SSAValue]) -> None:
    """Put an operation behind the last one that it depends on, at the start without any."""
    owners = {value.op for value in inputs if isinstance(value, OpResult)}
    block = func.body.block
    last = None
    for each in block.ops:
        is_metadata = not each.operands and not each.results and each is not block.last_op
        if each in owners or (inputs and is_metadata and last is each.prev_op):
            last = each  # (layers of metadata stay the first ones)
    place = InsertPoint.at_start(block) if last is None else InsertPoint.after(last)
    Rewriter.insert_op(op, place)


def _connect(func: FuncOp, op: LayerOp, record: LayerRecord) -> None:
    """Let later layers read the blobs that the layer replaces. Return the others to the user."""
    outputs = outputs_of(func)
    signature = signature_of(func)
    for top, result in zip(record.tops, op.results, strict=True):
        result.name_hint = name_hint(top)
        if top not in record.bottoms:
            outputs.append((result, named(top)))
            continue
        old = op.operands[record.bottoms.index(top)]
        for use in list(old.uses):
            if use.operation is not op and not isinstance(use.operation, InputOp):
                use.operation.operands[use.index] = result
        outputs = [(result if value is old else value, attrs) for value, attrs in outputs]
        names = Names(blob_names(func))
        if old in signature.inputs:  # an input keeps its name
            own = list(names_of(op))
            own[result.index] = names.unique(f"{top}_{record.name}")
            set_names(op, record.name, own)
        elif isinstance(old, OpResult) and isinstance(old.op, LayerOp):
            own = list(names_of(old.op))
            own[old.index] = names.unique(f"{top}_before_{record.name}")
            name = old.op.layer_name
            set_names(old.op, None if name is None else name.data, own)
    set_outputs(func, outputs)
