"""Export of the `ncnn` dialect to `.param` and `.bin`.

The result is a graph of plain records and a list of weights. `param_writer.py` writes them in three
formats.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    f32,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.ncnn.assembly import from_extra, names_of
from ...dialects.ncnn.constant import ConstantOp, constant_of
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.function import Names, has_input_op, input_layer, input_name, input_params
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Param, decode, encode
from ...dialects.ncnn.structure import (
    EXTENT_IDS,
    InputOp,
    bottoms_of,
    carries_further_inputs,
    input_extents,
)
from ...dialects.ncnn.weights import WeightError
from ...formats.errors import FormatError, prefixed
from ...formats.graph import SHAPE_HINT_ID, Graph, LayerRecord, ParamValue
from ...formats.param_text import write_param_text
from ...formats.weight_storage import BinEncoding
from .. import Summary
from ..atomic_files import naming
from .names import BlobNames, Fork
from .weights import WeightWriter, slot_bytes


@dataclass
class Export:
    """A model ready to be written."""

    graph: Graph = field(default_factory=Graph)
    weights: list[tuple[ConstantOp, BinEncoding, str]] = field(
        default_factory=list[tuple[ConstantOp, BinEncoding, str]]
    )
    """The weights in the order of the `.bin`, with their encoding and owner."""
    makers: dict[int, LayerOp] = field(default_factory=dict[int, LayerOp])
    """The operation of each layer of `graph`, by index. Input and Split may have none."""

    def param_text(self) -> str:
        """Return the text of the `.param`."""
        return write_param_text(self.graph)

    def bin_size(self) -> int:
        """Return the size of the `.bin`. Raises `WeightError` with the layer's name."""
        total = 0
        for constant, encoding, owner in self.weights:
            with prefixed(WeightError, owner):
                total += slot_bytes(constant, encoding)
        return total

    def write_bin(self, out: IO[bytes], progress: Callable[[int], None] | None = None) -> int:
        """Write the `.bin` to an empty file. Return its size. Raises `WeightError` with the layer's
        name."""
        writer = WeightWriter(out, progress)
        for constant, encoding, owner in self.weights:
            with prefixed(WeightError, owner):
                writer.write_slot(constant, encoding)
        return writer.finish()

    def summary(self) -> Summary:
        """Return the size of the model. Raises `WeightError` with the layer's name."""
        types = Counter(layer.type for layer in self.graph.layers)
        return Summary(len(self.graph.layers), self.bin_size(), types)

    def save(self, param: str, weights: str) -> None:
        """Write both files, overwriting existing ones. Raises `OSError` and `WeightError`."""
        with naming(weights), open(weights, "wb") as f:
            self.write_bin(f)
        with naming(param), open(param, "w", encoding="utf-8", newline="\n") as f:
            f.write(self.param_text())


def export_module(module: ModuleOp) -> Export:
    """Return the layers and weights of the module's function.

    Raises `FormatError` for IR that a `.param` cannot express: several functions, operations of
    other dialects, a computed weight of a layer that needs constants.
    """
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    if len(functions) != 1 or len(list(module.ops)) != 1:
        found = ", ".join(op.name for op in module.ops) or "nothing"
        raise FormatError("", f"a .param contains one function; the module contains {found}")
    if len(functions[0].body.blocks) != 1:
        raise FormatError("", "a .param contains a function of one block")
    if not isinstance(functions[0].body.block.last_op, ReturnOp):
        raise FormatError("", "a .param contains a function that ends with func.return")
    return _Exporter(functions[0]).export_model()


def summarize(module: ModuleOp) -> Summary | None:
    """Return the size of a model; `None` for other IR."""
    try:
        return export_module(module).summary()
    except FormatError:
        return None


class _Exporter:
    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.block = func.body.block
        self.export = Export()
        self.ops: list[LayerOp] = []
        for op in self.block.ops:
            if isinstance(op, LayerOp):
                self.ops.append(op)
            elif not isinstance(op, ReturnOp):
                raise FormatError("", f"a .param cannot express the operation '{op.name}'")
            if isinstance(op, InputOp) and not all(has_input_op(v) for v in op.inputs):
                raise FormatError("", f"{op.label()}: an input here has other uses as well")
        self.ops = [op for op in self.ops if not carries_further_inputs(op)]
        consumed = [v for op in self.ops for v in blob_operands(op)]
        self.blobs = BlobNames(func, consumed)
        self.data_constants = {
            v.owner for v in [*consumed, *self.blobs.outputs] if isinstance(v.owner, ConstantOp)
        }
        self.layer_names = Names(op.layer_name.data for op in self.ops if op.layer_name)

    def export_model(self) -> Export:
        self.add_inputs()
        for op in self.ops:
            if isinstance(op, ConstantOp) and op not in self.data_constants:
                continue  # it only produces weights
            self.add_layer(op)
        return self.export

    # -- inputs

    def add_inputs(self) -> None:
        """Add the arguments as Input layers; adjacent arguments with the same layer name form one
        layer."""
        records: list[LayerRecord] = []
        forks: list[tuple[Fork, LayerRecord]] = []
        for i, arg in enumerate(self.block.args):
            if has_input_op(arg):
                continue
            blob, fork = self.blobs.define(arg, input_name(self.func, i))
            name = input_layer(self.func, i) or blob
            params = {id: ParamValue.of_int(n) for id, n in input_extents(arg.type).items()}
            if (raw := input_params(self.func, i)) is not None:
                params |= {id: to_value(attr) for id, attr in from_extra(raw).items()}
            if records and records[-1].name == name:
                join_input(records[-1], blob, params)
            else:
                params = dict(sorted(params.items()))
                records.append(LayerRecord("Input", name, (), (blob,), params))
            if fork is not None:
                forks.append((fork, records[-1]))
        self.export.graph.layers += records
        for fork, record in forks:
            self.add_fork(fork, record)

    def add_fork(self, fork: Fork, maker: LayerRecord) -> None:
        """Add the layer that gives a producer's blob several names, with shape hints if the
        producer has some."""
        name = self.layer_names.numbered("splitncnn_" if fork.type == "Split" else "noopncnn_")
        hint = hint_of(maker, fork.bottom)
        params = {SHAPE_HINT_ID: ParamValue.of_ints(hint * len(fork.tops))} if hint else {}
        record = LayerRecord(fork.type, name, (fork.bottom,), tuple(fork.tops), params)
        self.export.graph.layers.append(record)

    # -- layers

    def add_layer(self, op: LayerOp) -> None:
        layer_type = op.type.data if isinstance(op, CustomOp) else op.LAYER_TYPE
        bottoms = tuple(self.blobs.use(v) for v in blob_operands(op))
        wanted = names_of(op)
        name = op.layer_name.data if op.layer_name is not None else None
        if name is None:
            name = self.layer_names.numbered(f"{layer_type.lower()}_")
        tops: list[str] = []
        forks: list[Fork] = []
        for i, result in enumerate(op.results):
            own = name if len(op.results) == 1 else f"{name}_{i}"
            top, fork = self.blobs.define(result, wanted[i] or own)
            tops.append(top)
            if fork is not None:
                forks.append(fork)
        params = layer_params(op)
        if isinstance(op, ConstantOp) and op.encoding() == "tagged":
            params[21] = ParamValue.of_int(0)
        record = LayerRecord(layer_type, name, bottoms, tuple(tops), params)
        self.export.makers[len(self.export.graph.layers)] = op
        self.export.graph.layers.append(record)
        self.add_weights(op)
        for fork in forks:
            self.add_fork(fork, record)

    def add_weights(self, op: LayerOp) -> None:
        if isinstance(op, ConstantOp):
            self.export.weights.append((op, op.encoding(), op.label()))
            return
        if op.weights_are_dynamic():
            return
        slots = op.weight_slots()
        for name, value in op.weight_operands().items():
            if value is None:
                continue
            constant = constant_of(value)
            if constant is None:
                raise FormatError(
                    "", f"{op.label()}: weight '{name}' is computed, but must be a constant"
                )
            owner = f"{op.label()}, weight '{name}'"
            self.export.weights.append((constant, slots[name].encoding(op), owner))


def join_input(record: LayerRecord, blob: str, params: Mapping[int, ParamValue]) -> None:
    """Add a blob to an Input layer's outputs. The layer has extents for all its blobs in common;
    they are dropped if the blobs differ."""
    record.tops += (blob,)
    if any(record.params.get(id) != params.get(id) for id in EXTENT_IDS.values()):
        for id in EXTENT_IDS.values():
            record.params.pop(id, None)


def hint_of(record: LayerRecord, blob: str) -> tuple[int, ...]:
    """Return a layer's shape hint (dims, w, h, c or dims, w, h, d, c) for an output blob; empty if
    it has none that the runtime could read."""
    hints = record.params.get(SHAPE_HINT_ID)
    values = () if hints is None else hints.as_ints()
    step, rest = divmod(len(values), len(record.tops))
    start = record.tops.index(blob) * step
    return values[start : start + step] if not rest and step in (4, 5) else ()


def blob_operands(op: LayerOp) -> list[SSAValue]:
    """Return the values that are input blobs in a file. (An Input layer has none there.)"""
    return [] if isinstance(op, InputOp) else bottoms_of(op)


def layer_params(op: LayerOp) -> dict[int, ParamValue]:
    """Return the non-default parameters of a layer by id, ascending."""
    values: dict[int, ParamValue] = {}
    for name, param in op.PARAMS.items():
        if isinstance(param, Param):
            attr = op.properties.get(name)
            if attr is not None and attr != encode(param.kind, param.default_for(op)):
                values[param.id] = to_value(attr)
        elif (value := getattr(op, name)) != param.default:
            values[param.id] = ParamValue.of_int(value)
    for id, attr in from_extra(op.extra).items():
        values[id] = to_value(attr)
    return dict(sorted(values.items()))


def to_value(attr: Attribute) -> ParamValue:
    """Return a parameter's value as a record of the format."""
    if isinstance(attr, StringAttr):
        return ParamValue.of_str(attr.data)
    value: Any = decode(attr)
    if isinstance(attr, IntegerAttr):
        return ParamValue.of_int(value)
    if isinstance(attr, FloatAttr):
        return ParamValue.of_float(value)
    if isinstance(attr, DenseArrayBase) and cast(DenseArrayBase[Any], attr).elt_type == f32:
        return ParamValue.of_floats(value)
    if isinstance(attr, DenseArrayBase):
        return ParamValue.of_ints(value)
    raise VerifyException(f"{attr} is not a parameter")
