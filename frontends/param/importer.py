"""Import of `.param` into the `ncnn` dialect: one function `@main`, one operation per layer, in
file order."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FileLineColLoc,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    LocationAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    f32,
    i32,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from ...dialects.ncnn import BY_TYPE
from ...dialects.ncnn.assembly import set_names, to_extra
from ...dialects.ncnn.blob import UNRANKED
from ...dialects.ncnn.constant import ConstantOp, data_slot, load_type_problem
from ...dialects.ncnn.custom import CustomOp, custom_slot
from ...dialects.ncnn.function import set_blobs_without_split
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.operands import SEGMENTS
from ...dialects.ncnn.params import DerivedParam, Param, ParamKind, ParamView, Value
from ...dialects.ncnn.structure import (
    EXTENT_IDS,
    InputOp,
    NoopOp,
    input_extents,
    input_type,
    shape_of_extents,
)
from ...dialects.ncnn.weight_specs import WeightSlot
from ...formats.errors import FormatError
from ...formats.graph import Graph, LayerRecord, ParamValue
from ...formats.numbers import word_to_float
from ..names import name_hint
from .weights import WeightSizing, WeightSource, custom_hint


def import_graph(
    graph: Graph,
    path: str,
    weights: WeightSource,
    custom_weights: Mapping[str, Sequence[int]] | None = None,
    layer_weights: Mapping[str, Sequence[int]] | None = None,
) -> ModuleOp:
    """Return the module of a model read from `path`.

    `custom_weights` gives the number of floats of each weight by custom layer type, `layer_weights`
    by layer name for types without an entry. Warnings are added to the graph's. Raises
    `FormatError` with the layer's line for inconsistencies.
    """
    return _Importer(graph, path, weights, custom_weights or {}, layer_weights or {}).import_model()


@dataclass
class _Importer:
    graph: Graph
    path: str
    weights: WeightSource
    custom_weights: Mapping[str, Sequence[int]]
    layer_weights: Mapping[str, Sequence[int]]

    def __post_init__(self) -> None:
        self.file = StringAttr(self.path)
        custom = {r.type: self._has_counts(r) for r in self.graph.layers if r.type not in BY_TYPE}
        self.sizes = WeightSizing(
            custom_hint(list(custom), [t for t, known in custom.items() if known])
        )
        self.block = Block()
        self.values: dict[str, SSAValue] = {}
        self.arg_attrs: list[DictionaryAttr] = []

    def import_model(self) -> ModuleOp:
        layers = self.graph.layers
        head = next((i for i, r in enumerate(layers) if r.type != "Input"), len(layers))
        for i, record in enumerate(layers):
            try:
                if record.type == "Input":
                    self.add_input(record, in_place=i >= head)
                else:
                    self.add_layer(record)
                    if record.type not in BY_TYPE and not self._has_counts(record):
                        self.sizes.skipped(f"{record.type} '{record.name}'")
            except VerifyException as e:
                raise FormatError(self.path, str(e), record.line) from e
        self.weights.finish(self.sizes)
        return self.finish()

    # -- inputs

    def add_input(self, record: LayerRecord, in_place: bool) -> None:
        """Turn an Input layer into arguments; if it is not at the head of the file, add an
        `ncnn.input` in its place."""
        values, extra = self.params_of(InputOp, record)
        type_ = input_type(ParamView(InputOp.PARAMS, values))
        args = [self.block.insert_arg(type_, len(self.block.args)) for _ in record.tops]
        for arg, top in zip(args, record.tops, strict=True):
            arg.location = self.location(record)
            entries: dict[str, Attribute] = {"ncnn.blob": StringAttr(top)}
            if not in_place:
                if record.name != top:
                    entries["ncnn.layer"] = StringAttr(record.name)
                if rest := extra_input_params(record, input_extents(type_)):
                    entries["ncnn.params"] = DictionaryAttr(rest)
            self.arg_attrs.append(DictionaryAttr(entries))
            self.define(top, arg)
        if in_place:
            op = InputOp.make(args, {}, [type_] * len(args), {})
            op.init_params(values)
            op.extra = to_extra(extra)
            self.add_op(op, record)

    # -- layers

    def add_layer(self, record: LayerRecord) -> None:
        cls = BY_TYPE.get(record.type)
        if cls is None:
            self.add_custom(record)
            return
        values, extra = self.params_of(cls, record)
        self.sizes.check_parameters(f"{record.type} '{record.name}'", extra)
        view = ParamView(cls.PARAMS, values)
        if cls is ConstantOp:
            self.add_memory_data(record, values, extra)
            return
        bottoms = self.inputs_of(cls, record, view)
        weights: dict[str, SSAValue | None] = {}
        if cls.dynamic_by(view):
            most = cls.NUM_INPUTS[1] or 1
            bottoms, rest = bottoms[:most], bottoms[most:]
            weights = dict(zip(cls.WEIGHTS, rest, strict=False))
            self.check_bias_blob(cls, record, view, weights)
        else:
            for name, slot in cls.WEIGHTS.items():
                if slot.when(view):
                    weights[name] = self.take(record, name, slot, view)
        self.check_arity(cls, record, len(bottoms), weights)
        op = cls.make(bottoms, weights, [UNRANKED] * len(record.tops), {})
        op.init_params(values)
        op.extra = to_extra(extra)
        self.add_op(op, record)

    def check_bias_blob(
        self,
        cls: type[LayerOp],
        record: LayerRecord,
        view: Any,
        weights: Mapping[str, SSAValue | None],
    ) -> None:
        """Check that a layer whose weights are blobs has a bias blob if its parameters say so: the
        runtime reads beyond its inputs otherwise."""
        slot = cls.WEIGHTS.get("bias")
        if slot is not None and slot.when(view) and "bias" not in weights:
            raise VerifyException(
                f"{record.type} '{record.name}': bias_term is 1, but there is no bias blob, and "
                "the runtime reads beyond the inputs; add the blob, or set bias_term to 0"
            )

    def inputs_of(self, cls: type[LayerOp], record: LayerRecord, view: Any) -> list[SSAValue]:
        """Return the blobs that a layer reads as inputs and weights. Further blobs, which the
        runtime ignores, become operands of a Noop before it."""
        values = [self.values[b] for b in record.bottoms]
        most = cls.NUM_INPUTS[1]
        if most is None or not cls.ignores_more(view):
            return values
        if cls.dynamic_by(view):
            most += sum(1 for slot in cls.WEIGHTS.values() if slot.when(view))
        values, further = values[:most], values[most:]
        if further:
            names = ", ".join(f"'{name}'" for name in record.bottoms[most:])
            self.graph.warnings.append(
                f"{self.path}:{record.line or '?'}: {record.type} '{record.name}' has more inputs "
                f"than it reads: the runtime ignores {names}"
            )
            noop = NoopOp.make([values[0], *further], {}, [values[0].type], {})
            noop.properties["further_inputs"] = UnitAttr()
            set_names(noop, None, [record.bottoms[0]])
            noop.results[0].name_hint = values[0].name_hint
            noop.location = self.location(record)
            self.block.add_op(noop)
            values[0] = noop.results[0]
        return values

    def check_arity(
        self,
        cls: type[LayerOp],
        record: LayerRecord,
        inputs: int,
        weights: Mapping[str, SSAValue | None],
    ) -> None:
        """Check the conditions for building the operation; its verifier checks the rest."""
        for count, what, (least, most) in (
            (inputs, "input", cls.NUM_INPUTS),
            (len(record.tops), "output", cls.NUM_OUTPUTS),
        ):
            if count < least or (most is not None and count > most):
                bound = least if least == most else f"{least} to {'any' if most is None else most}"
                raise VerifyException(
                    f"{record.type} '{record.name}': {count} {what}s, but the layer has {bound}"
                )
        missing = [n for n in cls.required_weights() if weights.get(n) is None]
        if missing:
            raise VerifyException(
                f"{record.type} '{record.name}': weight '{missing[0]}' is missing"
            )

    def take(self, record: LayerRecord, name: str, slot: WeightSlot, view: Any) -> SSAValue:
        """Return the next weight of the `.bin` as a constant."""
        what = f"{record.type} '{record.name}', weight '{name}'"
        try:
            shape = slot.shape(view)
        except VerifyException as e:
            raise VerifyException(f"{what}: {e}") from e
        if any(n <= 0 for n in shape):
            raise VerifyException(f"{what} has the invalid shape {'x'.join(map(str, shape))}")
        try:
            value, type_ = self.weights.take(slot, view, what)
        except FormatError as e:
            raise FormatError(e.path, e.message + self.sizes.hint) from e
        self.sizes.took(f"{record.type} '{record.name}'")
        constant = ConstantOp.of(value, type_)
        constant.output.name_hint = name_hint(f"{record.name}_{name}")
        constant.location = self.location(record)
        self.block.add_op(constant)
        return constant.output

    def add_memory_data(
        self, record: LayerRecord, values: dict[str, Value], extra: dict[int, Attribute]
    ) -> None:
        self.check_arity(ConstantOp, record, len(record.bottoms), {})
        view = ParamView(ConstantOp.PARAMS, values)
        shape = shape_of_extents(view)
        # If all extents are 0, ncnn reads one undefined float, which IR cannot represent.
        if not shape:
            self.add_custom(record)
            return
        if (problem := load_type_problem(view.load_type)) is not None:
            raise VerifyException(f"MemoryData '{record.name}': {problem}")
        constant = self.take(record, "data", data_slot(shape, view.load_type), view).owner
        assert isinstance(constant, ConstantOp)
        constant.detach()
        constant.init_params(values)
        constant.extra = to_extra(extra)
        self.add_op(constant, record)

    def add_custom(self, record: LayerRecord) -> None:
        counts = self.custom_weights.get(record.type, self.layer_weights.get(record.name, ()))
        if list(counts) == [0]:
            counts = ()  # no weights
        slots = enumerate(map(custom_slot, counts))
        weights = [self.take(record, f"weight{i}", slot, None) for i, slot in slots]
        bottoms = [self.values[b] for b in record.bottoms]
        values, extra = self.params_of(CustomOp, record)
        op = CustomOp.create(
            operands=[*bottoms, *weights],
            result_types=[UNRANKED] * len(record.tops),
            properties={
                "type": StringAttr(record.type),
                SEGMENTS: DenseArrayBase.from_list(i32, [len(bottoms), len(weights)]),
            },
        )
        op.init_params(values)
        op.extra = to_extra(extra)
        self.add_op(op, record)

    def _has_counts(self, record: LayerRecord) -> bool:
        """Whether the weights of a custom layer are known; it may have none."""
        return record.type in self.custom_weights or bool(self.layer_weights.get(record.name))

    def params_of(
        self, cls: type[LayerOp], record: LayerRecord
    ) -> tuple[dict[str, Value], dict[int, Attribute]]:
        """Return the parameters of a line by declared name, as ncnn reads them, and the undeclared
        ones by id."""
        declared = cls.PARAMS_BY_ID
        values: dict[str, Value] = {}
        extra: dict[int, Attribute] = {}
        for id, value in record.params.items():
            if id not in declared:
                extra[id] = to_attribute(value)
                continue
            name, param = declared[id]
            kind = ParamKind.INT if isinstance(param, DerivedParam) else param.kind
            read = read_as(value, kind)
            if isinstance(param, Param) and param.bitwise:
                read = tuple(word_to_float(word) for word in value.words)
            elif value.mismatch(kind.value):
                self.graph.warnings.append(
                    f"{self.path}:{record.line or '?'}: {record.type} '{record.name}': parameter "
                    f"{id} ({name}) has another kind of number than the runtime reads: "
                    f"it sees {'the default' if read is None else read}"
                )
            if read is not None:
                values[name] = read
        return values, extra

    # -- assembly

    def add_op(self, op: LayerOp, record: LayerRecord) -> None:
        """Name, type, check and append an operation, and define its blobs."""
        set_names(op, record.name, record.tops)
        op.location = self.location(record)
        op.verify_parts()  # the module's verifier checks properties that no file can violate
        types = op.infer_types()
        for result, type_ in zip(op.results, types or (), strict=False):
            if result.type != type_:
                Rewriter.replace_value_with_new_type(result, type_)
        self.block.add_op(op)
        for top, result in zip(record.tops, op.results, strict=True):
            self.define(top, result)

    def location(self, record: LayerRecord) -> LocationAttr:
        if record.line is None:
            return UNKNOWN_LOC
        return FileLineColLoc(self.file, IntAttr(record.line), IntAttr(1))

    def define(self, name: str, value: SSAValue) -> None:
        self.values[name] = value
        value.name_hint = name_hint(name)

    def finish(self) -> ModuleOp:
        """Build the function: terminal blobs are its results, in file order."""
        consumers = Counter(b for record in self.graph.layers for b in record.bottoms)
        outputs = [
            top
            for record in self.graph.layers
            if record.type != "Input"
            for top in record.tops
            if not consumers[top]
        ]
        results = [self.values[name] for name in outputs]
        self.block.add_op(ReturnOp(*results))
        func = FuncOp(
            "main",
            ([a.type for a in self.block.args], [r.type for r in results]),
            Region(self.block),
            arg_attrs=ArrayAttr(self.arg_attrs) if self.arg_attrs else None,
            res_attrs=ArrayAttr([DictionaryAttr({"ncnn.blob": StringAttr(n)}) for n in outputs])
            if outputs
            else None,
        )
        # Such files run without light mode, and export preserves them.
        set_blobs_without_split(func, [name for name in self.values if consumers[name] > 1])
        return ModuleOp([func])


def read_as(value: ParamValue, kind: ParamKind) -> Value | None:
    """Return a file's value as ncnn reads it for a parameter of this kind; `None`: the default."""
    match kind:
        case ParamKind.INT:
            return None if (n := value.as_int(default=0)) != value.as_int(default=1) else n
        case ParamKind.FLOAT:
            return None if value.is_array or value.is_str else value.as_float()
        case ParamKind.INTS:
            return value.as_ints() if value.is_array else None
        case ParamKind.FLOATS:
            return value.as_floats() if value.is_array else None
        case ParamKind.STR:
            return value.as_str() if value.is_str else None


def to_attribute(value: ParamValue) -> Attribute:
    """Return the attribute for an undeclared parameter. A value of unknown kind (from a binary
    file) becomes an int with the same bits."""
    if value.is_str:
        return StringAttr(value.text)
    if value.is_array:
        if any(value.float_flags):
            return DenseArrayBase.from_list(f32, value.as_floats())
        return DenseArrayBase.from_list(i32, value.words)
    if value.kind == "float":
        return FloatAttr(value.as_float(), f32)
    return IntegerAttr(value.words[0], i32)


def extra_input_params(record: LayerRecord, extents: Mapping[int, int]) -> dict[str, Attribute]:
    """Return the parameters of an Input layer, by id, that its blobs' type does not express."""
    said = dict.fromkeys(EXTENT_IDS.values(), 0) | dict(extents)
    return {
        str(id): to_attribute(value)
        for id, value in sorted(record.params.items())
        if not (value.kind in ("int", "word") and said.get(id) == value.words[0])
    }
