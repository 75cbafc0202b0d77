"""What the converter dropped, taken from PNNX's own IR."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.ncnn.blob import BlobType, blob
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.function import update_type
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import BatchNormOp, NormalizeOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.structure import SplitOp
from ...dialects.pnnx.cast import CastOp
from ...dialects.pnnx.operations import GraphOp, OperatorOp
from ..rewriting.axis_merging import fold_shape
from ..rewriting.remarks import remark
from .functional_convolution import LegalizeConvolution
from .legalization import Shape, axis_in, ints_in, shape_of_tensor
from .legalizations import LEGALIZED
from .operator_matching import Matching, last_of_expression
from .shape_operators import order_of
from .tensor_layouts import BlobFacts, Facts, Layout, layout_of

NAME = "restore-pnnx"


def restore(func: FuncOp, graph: GraphOp) -> None:
    """Puts operators of a PNNX graph in the place of layers that the runtime does not have, and of
    those beside them whose blobs would have more dims than there are.

    Operators read and make tensors as PyTorch has them; casts stand where such a tensor is a blob
    to the layers around. Layers for which no operator is found stay as they are.
    """
    _Restorer(func, graph).run()


class _Restorer:
    def __init__(self, func: FuncOp, graph: GraphOp) -> None:
        self.func = func
        self.exposed: list[SSAValue] = []
        """Blobs in the place of others."""
        self.layers = [op for op in func.body.block.ops if isinstance(op, LayerOp)]
        heads = [op for op in graph.operators() if op.type.data == "pnnx.Input"]
        inputs = [shape_of_tensor(value) for op in heads for value in op.outputs]
        self.facts = BlobFacts(func, inputs)
        self.matching = Matching(graph, self.layers)
        self.tensors: dict[SSAValue, tuple[SSAValue, int | None]] = {}
        """For blobs that operators make: the tensor in the function, and the axis that the
        converter does not count as one of the blob's (`None`: it counts all)."""
        self.lost: set[SSAValue] = set()
        """Those that no blob can be."""
        self.dead: list[LayerOp] = []
        self.ends: dict[LayerOp, OperatorOp] = {}
        """Layers that compute the value of an expression that was met before."""

    def run(self) -> None:
        for op in self.layers:
            if self.restores(op):
                continue
            for operand in op.operands:
                if operand in self.lost and op not in self.dead:
                    self.tell(op)
            self.facts.visit(op)
        for op in reversed(self.dead):
            if not any(result.uses for result in op.results):
                Rewriter.erase_op(op)
        self.unbatch_outputs()
        self.retype()

    def unbatch_outputs(self) -> None:
        """Make outputs that would be batches of blobs, of which a reader that knows nothing of
        batches sees the first blob, blobs with the batch as an axis."""
        end = self.func.get_return_op()
        assert end is not None  # a model has outputs, if only none
        for i, value in enumerate(end.operands):
            maker = value.owner
            if not isinstance(maker, CastOp) or maker.batches()[1] is None:
                continue
            shape = shape_of_tensor(maker.input)
            if shape is not None:
                cast = CastOp(maker.input, blob(fold_shape(shape)))
                Rewriter.insert_op(cast, InsertPoint.before(end))
                cast.output.name_hint = value.name_hint
                end.operands[i] = cast.output

    def retype(self) -> None:
        """Types of what reads blobs that are others now: only what follows from them counts. Of one
        in a batch nothing is said."""
        changed = set(self.exposed)
        for op in self.func.body.block.ops:
            if not isinstance(op, LayerOp) or not any(v in changed for v in op.operands):
                continue
            types = op.infer_types() or (blob(None),) * len(op.results)
            for result, type_ in zip(op.results, types, strict=True):
                new = blob(None) if self.facts.of(result).batch != 1 else type_
                if result.type != new:
                    result = Rewriter.replace_value_with_new_type(result, new)
                changed.add(result)
        update_type(self.func)

    def tell(self, op: LayerOp) -> None:
        """A layer that reads what no blob can be, and of which no operator is known."""
        remark(NAME, op.label(), note="reads a blob of more than 4 dims")

    # -- one layer

    def restores(self, op: LayerOp) -> bool:
        """Puts an operator in the place of a layer, if it needs one and one is found."""
        if isinstance(op, SplitOp) and op.inputs[0] in self.tensors:
            for result in op.results:
                self.tensors[result] = self.tensors[op.inputs[0]]
                self.facts.say(result, self.facts.of(op.inputs[0]))
                if op.inputs[0] in self.lost:
                    self.lost.add(result)
            if op.inputs[0] in self.lost:
                self.dead.append(op)
            return op.inputs[0] in self.lost
        if self.matching.is_inserted(op):
            return self.passes_on(op)
        if (operator := self.matching.numbered(op)) is not None and self.contradicts(op, operator):
            return self.replaces(op, operator)
        if isinstance(op, NormalizeOp) and (operator := self.matching.find(op)) is not None:
            return self.normalizes_otherwise(op, operator) and self.replaces(op, operator)
        if isinstance(op, BatchNormOp) and self.normalizes_rows(op):
            return self.replaces(op, self.matching.norms[op])
        broken = any(operand in self.lost for operand in op.operands)
        if not isinstance(op, CustomOp) and not broken and op not in self.ends:
            return False
        if op in self.ends:
            return self.replaces(op, self.ends.pop(op))
        operator = self.matching.find(op)
        if operator is None:
            return broken and isinstance(op, ReshapeOp) and self.relays(op)
        if operator.type.data == "pnnx.Expression" and not isinstance(op, CustomOp):
            place = next(v for v in op.operands if v in self.lost)
            last = last_of_expression(op, operator, place, self.matching.values[place])
            if last is None:
                return False
            if last is not op:
                self.ends[last] = operator
                self.dead.append(op)
                return True
            for result in op.results:
                self.matching.values[result] = operator.outputs[0]
        return self.replaces(op, operator)

    def contradicts(self, op: LayerOp, operator: OperatorOp) -> bool:
        """Whether what a layer reads is what the operator reads, and what it makes is not."""
        if layout_of(self.facts.of(op.operands[0]), operator.inputs[0]) is None:
            return False
        self.facts.visit(op)
        made = [self.facts.of(result) for result in op.results]
        return all(f.shape is not None for f in made) and any(
            layout_of(facts, tensor) is None
            for facts, tensor in zip(made, operator.outputs, strict=True)
        )

    def normalizes_otherwise(self, op: NormalizeOp, operator: OperatorOp) -> bool:
        """Whether a Normalize, which knows channels only, was made of one along another axis."""
        shape = shape_of_tensor(operator.inputs[0])
        layout = layout_of(self.facts.of(op.input), operator.inputs[0])
        dims = ints_in(operator.param("dim", 1)) or ()
        axis = axis_in(dims[0], len(shape)) if shape is not None and len(dims) == 1 else None
        if layout is None or axis is None or op.across_spatial or not op.across_channel:
            return False
        return axis - (layout.axis is not None and layout.axis < axis) != 0

    def normalizes_rows(self, op: BatchNormOp) -> bool:
        """Whether a BatchNorm reads a blob whose outermost axis is not that of its channels, which
        are another axis of the tensor."""
        shape, operator = self.facts.of(op.input).shape, self.matching.norms.get(op)
        if operator is None or shape is None or shape[0] == op.channels:
            return False
        return layout_of(self.facts.of(op.input), operator.inputs[0]) is not None

    def passes_on(self, op: LayerOp) -> bool:
        """A reshape that was put in to count the batch as an axis, or not to: the tensor is the
        same."""
        blob_, tensor = op.operands[0], self.matching.values[op.results[0]]
        value = self.tensor_of(blob_, tensor)
        shape = shape_of_tensor(tensor)
        if value is None or shape is None:
            return False
        # What comes in as a batch goes out as an axis.
        if len(shape) <= 4 and not self.matching.is_stacked(op):
            self.expose(op.results[0], value, Facts(shape), Layout(None, 1), op)
        else:
            self.define(op.results[0], value, None)
        self.dead.append(op)
        return True

    def relays(self, op: ReshapeOp) -> bool:
        """A Reshape behind a blob of too many dims that says another shape of the same elements: a
        change of how the batch is counted that the converter put in."""
        self.facts.visit(op)
        facts, (value, _) = self.facts.of(op.results[0]), self.tensors[op.inputs[0]]
        shape = shape_of_tensor(value)
        if shape is None or facts.shape is None:
            return False
        layout = layout_of(facts, self.matching.values[op.inputs[0]])
        if layout is None:
            return False
        self.expose(op.results[0], value, facts, layout, op)
        self.matching.values[op.results[0]] = self.matching.values[op.inputs[0]]
        self.dead.append(op)
        return True

    def replaces(self, op: LayerOp, operator: OperatorOp) -> bool:
        """The operator in the place of the layer, with casts around."""
        if len(op.results) != len(operator.outputs) or operator.type.data not in LEGALIZED:
            return False
        if any(shape_of_tensor(v) is None and v.uses for v in operator.outputs):
            numbers = not operator.inputs  # an expression of a number alone has no shape
            if not numbers:
                return False
        sources = self.sources(op, operator)
        if sources is None:
            return False
        properties = {k: v for k, v in operator.properties.items() if k != "blobs"}
        weights = op.weight_operands() if isinstance(op, BatchNormOp) else {}
        if weights:
            properties["keys"] = ArrayAttr([StringAttr(key) for key in ("input", *weights)])
        copy = OperatorOp.create(
            operands=[*(value for value, _ in sources), *(v for v in weights.values() if v)],
            result_types=[v.type for v in operator.outputs],
            properties=properties,
        )
        Rewriter.insert_op(copy, InsertPoint.before(op))
        axis = next((axis for _, axis in sources if axis is not None), None)
        for result, tensor, old in zip(op.results, copy.outputs, operator.outputs, strict=True):
            self.matching.values.setdefault(result, old)
            self.settle(op, operator, (result, tensor, old), axis)
        self.dead.append(op)
        remark(NAME, op.label(), note=f"from {operator.label()}")
        return True

    def sources(
        self, op: LayerOp, operator: OperatorOp
    ) -> list[tuple[SSAValue, int | None]] | None:
        """The operands of the operator, in the function, and which axis of each the converter does
        not count."""
        found: list[tuple[SSAValue, int | None]] = []
        own = list(op.data_operands())
        for tensor in operator.inputs:
            blobs = [v for v in self.candidates(op) if self.matching.values.get(v) is tensor]
            if not blobs and len(operator.inputs) == len(own):
                blobs = [own[list(operator.inputs).index(tensor)]]
            if not blobs:
                return None
            value = self.tensor_of(blobs[0], tensor)
            if value is None:
                return None
            self.matching.values.setdefault(blobs[0], tensor)
            found.append((value, self.axis_of(blobs[0], tensor)))
        return found

    def candidates(self, op: LayerOp) -> list[SSAValue]:
        """The blobs that a layer reads, and those of layers before it that compute the same
        expression."""
        return [*op.operands, *(v for dead in self.dead[-16:] for v in dead.operands)]

    def tensor_of(self, value: SSAValue, tensor: SSAValue) -> SSAValue | None:
        """A blob as the tensor that it stands for."""
        if value in self.tensors:
            own = self.tensors[value][0]
            return own if own.type == tensor.type else None
        layout = layout_of(self.facts.of(value), tensor)
        if layout is None:
            return None
        cast = CastOp(value, tensor.type, layout.axis if layout.batch != 1 else None)
        maker = value.owner
        place = (
            InsertPoint.at_start(maker) if isinstance(maker, Block) else InsertPoint.after(maker)
        )
        Rewriter.insert_op(cast, place)
        return cast.output

    def axis_of(self, value: SSAValue, tensor: SSAValue) -> int | None:
        """The axis of the tensor that the blob does not have."""
        if value in self.tensors:
            return self.tensors[value][1]
        layout = layout_of(self.facts.of(value), tensor)
        return None if layout is None else layout.axis

    # -- results

    def settle(
        self,
        op: LayerOp,
        operator: OperatorOp,
        value: tuple[SSAValue, SSAValue, SSAValue],
        axis: int | None,
    ) -> None:
        """What a result is to the layers that read it: the blob that the converter took it for, as
        far as one can be that. `value` is the result, the tensor in the function and that of the
        graph."""
        result, tensor, old = value
        shape = shape_of_tensor(tensor)
        if shape is None:
            self.define(result, tensor, None)
            return
        if isinstance(op, ReshapeOp):
            self.facts.visit(op)
            facts = self.facts.of(result)
            layout = None if facts.shape is None else layout_of(facts, old)
            if layout is not None:
                self.expose(result, tensor, facts, layout, op)
                return
        after = axis_after(operator, axis)
        extents = shape if after is None else (*shape[:after], *shape[after + 1 :])
        if not 1 <= len(extents) <= 4:
            self.define(result, tensor, after)
            return
        batch = 1 if after is None else shape[after]
        self.expose(result, tensor, Facts(extents, batch, after), Layout(after, batch), op)

    def define(self, result: SSAValue, tensor: SSAValue, axis: int | None) -> None:
        """A result that no blob can be: the layers that read it are restored in turn."""
        self.tensors[result] = (tensor, axis)
        self.lost.add(result)

    def expose(
        self, result: SSAValue, tensor: SSAValue, facts: Facts, layout: Layout, op: LayerOp
    ) -> None:
        """A result that is a blob of this layout."""
        assert facts.shape is not None
        type_: BlobType = blob(facts.shape)
        cast = CastOp(tensor, type_, None, layout.axis if layout.batch != 1 else None)
        Rewriter.insert_op(cast, InsertPoint.before(op))
        result.replace_all_uses_with(cast.output)
        cast.output.name_hint = result.name_hint
        self.exposed.append(cast.output)
        self.facts.say(cast.output, facts)
        if (own := self.matching.values.get(result)) is not None:
            self.matching.values[cast.output] = own
        self.tensors[cast.output] = (tensor, layout.axis)


def axis_after(operator: OperatorOp, axis: int | None) -> int | None:
    """Where the axis that the converter does not count is after an operator; `None` if it is gone,
    or counted from there on."""
    inputs: Sequence[Shape | None] = [shape_of_tensor(v) for v in operator.inputs]
    if operator.type.data in LegalizeConvolution.TYPES:
        return 0  # images never have the batch among their axes
    if axis is None or not inputs or inputs[0] is None:
        return None
    rank = len(inputs[0])
    match operator.type.data:
        case "torch.unbind" | "Tensor.select" | "torch.select":
            dim = axis_in(operator.param("dim", 0), rank)
            out = shape_of_tensor(operator.outputs[0])
            if dim == axis:  # what was a batch is one no more: the outermost axis is, if it can be
                return 0 if out is not None and out[0] == 1 and len(out) > 1 else None
            return None if dim is None else axis - (dim < axis)
        case "Tensor.permute" | "torch.permute" | "torch.transpose":
            order = order_of(operator, rank)
            return None if order is None else order.index(axis)
        case "torch.stack":
            dim = axis_in(operator.param("dim", 0), rank + 1)
            return None if dim is None else axis + (dim <= axis)
        case (
            "Tensor.reshape" | "Tensor.view" | "torch.flatten" | "torch.squeeze" | "torch.unsqueeze"
        ):
            return _axis_after_reshape(operator, inputs[0], axis)
        case _:
            out = shape_of_tensor(operator.outputs[0])
            return axis if out is not None and len(out) == rank else None


def _axis_after_reshape(operator: OperatorOp, shape: Shape, axis: int) -> int | None:
    """The outermost axis stays if its extent does."""
    out = shape_of_tensor(operator.outputs[0])
    return 0 if axis == 0 and out is not None and out[0] == shape[0] else None
