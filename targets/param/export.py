"""`ncnn` dialect → `.param` and `.bin`."""

from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    Float32Type,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    f32,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.ncnn.assembly import from_extra, names_of
from ...dialects.ncnn.constant import ConstantOp, constant_of
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.function import (
    Names,
    input_layer,
    input_name,
    input_params,
    stands_in_place,
)
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Param, decode, encode
from ...dialects.ncnn.slots import Form
from ...dialects.ncnn.structure import (
    EXTENT_IDS,
    InputOp,
    bottoms_of,
    input_extents,
    is_part_of_reader,
)
from ...dialects.ncnn.weights import Storage, WeightAttr, WeightError
from ...formats.errors import FormatError
from ...formats.graph import Graph, LayerRecord, ParamValue
from ...formats.param_text import write_param_text
from .. import Summary
from ..files import naming
from .ahead import CopyAhead
from .names import BlobNames, Fork
from .weights import WeightWriter, slot_bytes

SHAPE_HINTS = 30
"""The id of a layer's shape hints."""


@dataclass
class Export:
    """A model ready to be written."""

    graph: Graph = field(default_factory=Graph)
    weights: list[tuple[ConstantOp, Form, str]] = field(
        default_factory=list[tuple[ConstantOp, Form, str]]
    )
    """Each weight in the order of the `.bin`, its form there, and whose it is."""

    def param_text(self) -> str:
        """The `.param`."""
        return write_param_text(self.graph)

    def bin_size(self) -> int:
        """The size of the `.bin`. Raises `WeightError` naming the layer."""
        total = 0
        for constant, form, owner in self.weights:
            with naming_layer(owner):
                total += slot_bytes(constant, form)
        return total

    def write_bin(
        self,
        out: IO[bytes],
        progress: Callable[[int], None] | None = None,
        ahead: CopyAhead | None = None,
    ) -> int:
        """Writes the `.bin`, to what was copied `ahead` or to an empty file; returns its size.
        Raises `WeightError` naming the layer."""
        writer = WeightWriter(out, progress, ahead)
        for constant, form, owner in self.weights:
            with naming_layer(owner):
                writer.write_slot(constant, form)
        return writer.finish()

    def summary(self) -> Summary:
        """How large the model is. Raises `WeightError` naming the layer."""
        types = Counter(layer.type for layer in self.graph.layers)
        return Summary(len(self.graph.layers), self.bin_size(), types)

    def save(self, param: str, weights: str) -> None:
        """Writes both files, whatever is there. Raises `OSError` and `WeightError`."""
        with naming(weights), open(weights, "wb") as f:
            self.write_bin(f)
        with naming(param), open(param, "w", encoding="utf-8", newline="\n") as f:
            f.write(self.param_text())


@contextmanager
def naming_layer(owner: str) -> Generator[None]:
    """Says in errors about a weight whose it is."""
    try:
        yield
    except WeightError as e:
        raise WeightError(f"{owner}: {e}") from e


def export_module(module: ModuleOp) -> Export:
    """The layers and weights of the module's function.

    Raises `FormatError` for what a `.param` cannot say: another function, operations of other
    dialects, a computed weight of a layer that takes constants only.
    """
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    if len(functions) != 1 or len(list(module.ops)) != 1:
        found = ", ".join(op.name for op in module.ops) or "nothing"
        raise FormatError("", f"a .param holds one function; the module holds {found}")
    if len(functions[0].body.blocks) != 1:
        raise FormatError("", "a .param holds a function of one block")
    if not isinstance(functions[0].body.block.last_op, ReturnOp):
        raise FormatError("", "a .param holds a function that ends with func.return")
    return _Exporter(functions[0]).run()


def summarize(module: ModuleOp) -> Summary | None:
    """How large a model is; `None` for IR that is none."""
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
                raise FormatError("", f"operation '{op.name}' has no form in a .param")
            if isinstance(op, InputOp) and not all(stands_in_place(v) for v in op.inputs):
                raise FormatError("", f"{op.label()}: an input here has other uses as well")
        self.ops = [op for op in self.ops if not is_part_of_reader(op)]
        consumed = [v for op in self.ops for v in blob_operands(op)]
        self.blobs = BlobNames(func, consumed)
        self.data_constants = {
            v.owner for v in [*consumed, *self.blobs.outputs] if isinstance(v.owner, ConstantOp)
        }
        self.layer_names = Names(op.layer_name.data for op in self.ops if op.layer_name)

    def run(self) -> Export:
        self.add_inputs()
        for op in self.ops:
            if isinstance(op, ConstantOp) and op not in self.data_constants:
                continue  # nothing but weights are made of it
            self.add_layer(op)
        return self.export

    # -- inputs

    def add_inputs(self) -> None:
        """The arguments as Input layers; neighbours of one layer name are one layer."""
        records: list[LayerRecord] = []
        forks: list[tuple[Fork, LayerRecord]] = []
        for i, arg in enumerate(self.block.args):
            if stands_in_place(arg):
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
        """The layer that gives a blob of its maker several names, with shape hints if the maker has
        some."""
        name = self.layer_names.numbered("splitncnn_" if fork.type == "Split" else "noopncnn_")
        hint = hint_of(maker, fork.bottom)
        params = {SHAPE_HINTS: ParamValue.of_ints(hint * len(fork.tops))} if hint else {}
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
        if isinstance(op, ConstantOp) and params.get(21) is None and not is_plain_float(op):
            params[21] = ParamValue.of_int(0)  # only a tag can say that it is no plain float32
        record = LayerRecord(layer_type, name, bottoms, tuple(tops), params)
        self.export.graph.layers.append(record)
        self.add_weights(op, params)
        for fork in forks:
            self.add_fork(fork, record)

    def add_weights(self, op: LayerOp, params: dict[int, ParamValue]) -> None:
        if isinstance(op, ConstantOp):
            form = "tagged" if 21 in params else "plain"
            self.export.weights.append((op, form, op.label()))
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
            self.export.weights.append((constant, slots[name].form(op), owner))


def join_input(record: LayerRecord, blob: str, params: Mapping[int, ParamValue]) -> None:
    """Makes a blob a further top of an Input layer. The layer has one place for the extents of all
    its blobs: it says none if they are not the same."""
    record.tops += (blob,)
    if any(record.params.get(id) != params.get(id) for id in EXTENT_IDS.values()):
        for id in EXTENT_IDS.values():
            record.params.pop(id, None)


def hint_of(record: LayerRecord, blob: str) -> tuple[int, ...]:
    """The shape hint (dims, w, h, c or dims, w, h, d, c) that a layer has for one of its tops;
    empty if it has none, or none that the runtime could read."""
    hints = record.params.get(SHAPE_HINTS)
    values = () if hints is None else hints.as_ints()
    step, rest = divmod(len(values), len(record.tops))
    start = record.tops.index(blob) * step
    return values[start : start + step] if not rest and step in (4, 5) else ()


def blob_operands(op: LayerOp) -> list[SSAValue]:
    """The values that are bottoms in a file. (An Input layer has none there.)"""
    return [] if isinstance(op, InputOp) else bottoms_of(op)


def is_plain_float(constant: ConstantOp) -> bool:
    """Whether a constant is stored as float32 without a tag's help."""
    value, type_ = constant.value, constant.output.type
    plain = not isinstance(value, WeightAttr) or value.data.storage is Storage.PLAIN
    return plain and isinstance(cast(TensorType[Any], type_).element_type, Float32Type)


def layer_params(op: LayerOp) -> dict[int, ParamValue]:
    """The parameters of a layer by id, ascending, without those that are their default."""
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
    """A parameter's value in the terms of the format."""
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
    raise VerifyException(f"{attr} is no parameter")
