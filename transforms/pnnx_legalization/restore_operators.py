"""Restoration of operators that the converter dropped, from PNNX's own IR."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.batches import BlobBatch
from ...dialects.ncnn.blob import UNRANKED, blob
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.function import update_type
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import BatchNormOp, NormalizeOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.structure import SplitOp
from ...dialects.pnnx.cast import CastOp
from ...dialects.pnnx.operations import GraphOp, OperatorOp
from ..rewriting.axis_merging import fold_shape
from ..rewriting.layer_builder import Shape
from ..rewriting.remarks import remark
from .functional_convolution import LegalizeConvolution
from .legalization import as_axis, as_ints, shape_of_tensor
from .legalizations import LEGALIZED
from .operator_matching import Matching, last_of_expression
from .shape_operators import order_of
from .tensor_layouts import Layout, batches_for, layout_of

NAME = "restore-pnnx"


def restore(func: FuncOp, graph: GraphOp) -> None:
    """Replace layers that the runtime lacks, and adjacent layers whose blobs would have too many
    dims, by operators of a PNNX graph.

    Operators read and make PyTorch's tensors. Casts convert between these tensors and the blobs of
    the remaining layers. Layers without an operator stay unchanged.
    """
    _Restorer(func, graph).restore()


class _Restorer:
    """The state of one restoration."""

    def __init__(self, func: FuncOp, graph: GraphOp) -> None:
        self.func = func
        self.exposed: list[SSAValue] = []
        """The new blobs of restored operators."""
        self.layers = [op for op in func.body.block.ops if isinstance(op, LayerOp)]
        heads = [op for op in graph.operators() if op.type.data == "pnnx.Input"]
        inputs = [shape_of_tensor(value) for op in heads for value in op.outputs]
        self.batches = batches_for(func, inputs)
        self.matching = Matching(graph, self.layers)
        self.tensors: dict[SSAValue, tuple[SSAValue, int | None]] = {}
        """For the blobs of restored operators: the tensor in the function, and its axis that the
        converter does not count as an axis of the blob (`None`: it counts all)."""
        self.lost: set[SSAValue] = set()
        """The blobs of `tensors` that have too many dims for a blob."""
        self.dead: list[LayerOp] = []
        """Replaced layers."""
        self.ends: dict[LayerOp, OperatorOp] = {}
        """The operators of expressions, by the last layer that computes the expression."""

    def restore(self) -> None:
        """Visit all layers in program order."""
        for op in self.layers:
            if self.replace_if_needed(op):
                continue
            for operand in op.operands:
                if operand in self.lost and op not in self.dead:
                    remark(NAME, op.label(), note="reads a blob of more than 4 dims")
            self.batches.visit(op)
        for op in reversed(self.dead):
            if not any(result.uses for result in op.results):
                Rewriter.erase_op(op)
        self.unbatch_outputs()
        self.retype()

    def unbatch_outputs(self) -> None:
        """Replace outputs that are batches of blobs by blobs with the batch as an axis. A user who
        extracts a batch gets only its first blob."""
        end = self.func.get_return_op()
        assert end is not None  # present even without outputs
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
        """Infer the types of layers that depend on new blobs. Blobs of a batch have no rank."""
        changed = set(self.exposed)
        for op in self.func.body.block.ops:
            if not isinstance(op, LayerOp) or not any(v in changed for v in op.operands):
                continue
            types = op.infer_types() or (UNRANKED,) * len(op.results)
            for result, type_ in zip(op.results, types, strict=True):
                new = UNRANKED if self.batches.of(result).count != 1 else type_
                if result.type != new:
                    result = Rewriter.replace_value_with_new_type(result, new)
                changed.add(result)
        update_type(self.func)

    # -- one layer

    def replace_if_needed(self, op: LayerOp) -> bool:
        """Replace a layer by its operator if it needs one. Return whether it was replaced."""
        if isinstance(op, SplitOp) and op.inputs[0] in self.tensors:
            for result in op.results:
                self.tensors[result] = self.tensors[op.inputs[0]]
                self.batches.record(result, self.batches.of(op.inputs[0]))
                if op.inputs[0] in self.lost:
                    self.lost.add(result)
            if op.inputs[0] in self.lost:
                self.dead.append(op)
            return op.inputs[0] in self.lost
        if self.matching.is_inserted(op):
            return self.bypass(op)
        if (operator := self.matching.numbered(op)) is not None and self.contradicts(op, operator):
            return self.replace(op, operator)
        if isinstance(op, NormalizeOp) and (operator := self.matching.find(op)) is not None:
            return self.has_other_axis(op, operator) and self.replace(op, operator)
        if isinstance(op, BatchNormOp) and self.has_other_channels(op):
            return self.replace(op, self.matching.norms[op])
        broken = any(operand in self.lost for operand in op.operands)
        if not isinstance(op, CustomOp) and not broken and op not in self.ends:
            return False
        if op in self.ends:
            return self.replace(op, self.ends.pop(op))
        operator = self.matching.find(op)
        if operator is None:
            return broken and isinstance(op, ReshapeOp) and self.bypass_reshape(op)
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
        return self.replace(op, operator)

    def contradicts(self, op: LayerOp, operator: OperatorOp) -> bool:
        """Whether a layer has the input of its operator, but other results."""
        if layout_of(self.batches.of(op.operands[0]), operator.inputs[0]) is None:
            return False
        self.batches.visit(op)
        made = [self.batches.of(result) for result in op.results]
        return all(each.extents() is not None for each in made) and any(
            layout_of(blobs, tensor) is None
            for blobs, tensor in zip(made, operator.outputs, strict=True)
        )

    def has_other_axis(self, op: NormalizeOp, operator: OperatorOp) -> bool:
        """Whether a Normalize, which supports channels only, replaces one along another axis."""
        shape = shape_of_tensor(operator.inputs[0])
        layout = layout_of(self.batches.of(op.input), operator.inputs[0])
        dims = as_ints(operator.param("dim", 1)) or ()
        axis = as_axis(dims[0], len(shape)) if shape is not None and len(dims) == 1 else None
        if layout is None or axis is None or op.across_spatial or not op.across_channel:
            return False
        return axis - (layout.axis is not None and layout.axis < axis) != 0

    def has_other_channels(self, op: BatchNormOp) -> bool:
        """Whether the channels of a BatchNorm are not the outermost axis of its input."""
        shape, operator = self.batches.of(op.input).extents(), self.matching.norms.get(op)
        if operator is None or shape is None or shape[0] == op.channels:
            return False
        return layout_of(self.batches.of(op.input), operator.inputs[0]) is not None

    def bypass(self, op: LayerOp) -> bool:
        """Bypass an inserted reshape: it changes only whether the batch is an axis, and the tensor
        stays the same. Return whether this succeeds."""
        blob_, tensor = op.operands[0], self.matching.values[op.results[0]]
        value = self.tensor_of(blob_, tensor)
        shape = shape_of_tensor(tensor)
        if value is None or shape is None:
            return False
        # A batch becomes an axis.
        if len(shape) <= 4 and not self.matching.is_stacked(op):
            self.expose(op.results[0], value, BlobBatch(shape), Layout(), op)
        else:
            self.define(op.results[0], value, None)
        self.dead.append(op)
        return True

    def bypass_reshape(self, op: ReshapeOp) -> bool:
        """Bypass a Reshape of a blob of too many dims. The converter inserted it to treat the batch
        differently. Return whether this succeeds."""
        self.batches.visit(op)
        blobs, (value, _) = self.batches.of(op.results[0]), self.tensors[op.inputs[0]]
        if shape_of_tensor(value) is None or blobs.extents() is None:
            return False
        layout = layout_of(blobs, self.matching.values[op.inputs[0]])
        if layout is None:
            return False
        self.expose(op.results[0], value, blobs, layout, op)
        self.matching.values[op.results[0]] = self.matching.values[op.inputs[0]]
        self.dead.append(op)
        return True

    def replace(self, op: LayerOp, operator: OperatorOp) -> bool:
        """Replace a layer by its operator, with casts around it. Return whether this succeeds."""
        if len(op.results) != len(operator.outputs) or operator.type.data not in LEGALIZED:
            return False
        if any(shape_of_tensor(v) is None and v.uses for v in operator.outputs):
            if operator.inputs:  # an expression without operands has no shape
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
            self.replace_result(op, operator, (result, tensor, old), axis)
        self.dead.append(op)
        remark(NAME, op.label(), note=f"from {operator.label()}")
        return True

    def sources(
        self, op: LayerOp, operator: OperatorOp
    ) -> list[tuple[SSAValue, int | None]] | None:
        """Return the operands of the operator in the function, each with the axis that the blob
        lacks."""
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
        """Return the operands of a layer, and of preceding layers of the same expression."""
        return [*op.operands, *(v for dead in self.dead[-16:] for v in dead.operands)]

    def tensor_of(self, value: SSAValue, tensor: SSAValue) -> SSAValue | None:
        """Return the tensor of a blob, perhaps by a new cast; `None` if it has another layout."""
        if value in self.tensors:
            own = self.tensors[value][0]
            return own if own.type == tensor.type else None
        layout = layout_of(self.batches.of(value), tensor)
        if layout is None:
            return None
        cast = CastOp(value, tensor.type, layout.batch_axis())
        maker = value.owner
        place = (
            InsertPoint.at_start(maker) if isinstance(maker, Block) else InsertPoint.after(maker)
        )
        Rewriter.insert_op(cast, place)
        return cast.output

    def axis_of(self, value: SSAValue, tensor: SSAValue) -> int | None:
        """Return the axis of the tensor that the blob lacks; `None` if it has all."""
        if value in self.tensors:
            return self.tensors[value][1]
        layout = layout_of(self.batches.of(value), tensor)
        return None if layout is None else layout.axis

    # -- results

    def replace_result(
        self,
        op: LayerOp,
        operator: OperatorOp,
        value: tuple[SSAValue, SSAValue, SSAValue],
        axis: int | None,
    ) -> None:
        """Replace a result by a blob with the layout that the converter assumed, if it has at most
        four dims. `value` is the result, its tensor in the function, and its tensor in the
        graph."""
        result, tensor, old = value
        shape = shape_of_tensor(tensor)
        if shape is None:
            self.define(result, tensor, None)
            return
        if isinstance(op, ReshapeOp):
            self.batches.visit(op)
            blobs = self.batches.of(result)
            layout = None if blobs.extents() is None else layout_of(blobs, old)
            if layout is not None:
                self.expose(result, tensor, blobs, layout, op)
                return
        after = axis_after(operator, axis)
        extents = shape if after is None else (*shape[:after], *shape[after + 1 :])
        if not 1 <= len(extents) <= 4:
            self.define(result, tensor, after)
            return
        batch = 1 if after is None else shape[after]
        self.expose(result, tensor, BlobBatch(extents, batch), Layout(after, batch), op)

    def define(self, result: SSAValue, tensor: SSAValue, axis: int | None) -> None:
        """Record a result of too many dims: the layers that read it are restored as well."""
        self.tensors[result] = (tensor, axis)
        self.lost.add(result)

    def expose(
        self, result: SSAValue, tensor: SSAValue, blobs: BlobBatch, layout: Layout, op: LayerOp
    ) -> None:
        """Replace a result by a blob of this layout."""
        cast = CastOp(tensor, blob(blobs.known_extents()), None, layout.batch_axis())
        Rewriter.insert_op(cast, InsertPoint.before(op))
        result.replace_all_uses_with(cast.output)
        cast.output.name_hint = result.name_hint
        self.exposed.append(cast.output)
        self.batches.record(cast.output, blobs)
        if (own := self.matching.values.get(result)) is not None:
            self.matching.values[cast.output] = own
        self.tensors[cast.output] = (tensor, layout.axis)


def axis_after(operator: OperatorOp, axis: int | None) -> int | None:
    """Return the place, after an operator, of the axis that blobs lack; `None` if blobs have all
    axes again."""
    inputs: Sequence[Shape | None] = [shape_of_tensor(v) for v in operator.inputs]
    if operator.type.data in LegalizeConvolution.TYPES:
        return 0  # the blobs of images lack the batch
    if axis is None or not inputs or inputs[0] is None:
        return None
    rank = len(inputs[0])
    match operator.type.data:
        case "torch.unbind" | "Tensor.select" | "torch.select":
            dim = as_axis(operator.param("dim", 0), rank)
            out = shape_of_tensor(operator.outputs[0])
            if dim == axis:  # the batch is gone, and an outermost axis of 1 replaces it
                return 0 if out is not None and out[0] == 1 and len(out) > 1 else None
            return None if dim is None else axis - (dim < axis)
        case "Tensor.permute" | "torch.permute" | "torch.transpose":
            order = order_of(operator, rank)
            return None if order is None else order.index(axis)
        case "torch.stack":
            dim = as_axis(operator.param("dim", 0), rank + 1)
            return None if dim is None else axis + (dim <= axis)
        case (
            "Tensor.reshape" | "Tensor.view" | "torch.flatten" | "torch.squeeze" | "torch.unsqueeze"
        ):
            # The outermost axis stays if it keeps its extent.
            out = shape_of_tensor(operator.outputs[0])
            return 0 if axis == 0 and out is not None and out[0] == inputs[0][0] else None
        case _:
            out = shape_of_tensor(operator.outputs[0])
            return axis if out is not None and len(out) == rank else None
