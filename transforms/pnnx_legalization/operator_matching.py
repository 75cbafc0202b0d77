"""Matching of the layers of an ncnn model with the operators of its PNNX graph.

The converter keeps the names of layers that it cannot convert, renumbers the other layers, and
inserts reshapes. So the search starts at unconverted layers and follows their blobs: the users of a
blob and of its tensor are in the same order.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.normalization import BatchNormOp
from ...dialects.ncnn.structure import SplitOp
from ...dialects.pnnx.operations import GraphOp, OperatorOp
from .pnnx_expressions import depth_of, parse_expression

_Operation = TypeVar("_Operation", bound=Operation)

INSERTED = re.compile(r"(?P<layer>.+)_ncnn(batch2dim_|dim2batch_|reshape_?)(?P<place>[0-9]+)")
"""The names of reshapes that the converter inserts before a layer's input."""

_NUMBERED = re.compile(r"(chunk|split|tensor_split)_([0-9]+)")
"""The names of Slices: the operator, and its index among operators of the same type."""

_STACKED = re.compile(r"stack_(?P<number>[0-9]+)")

COUNTERPARTS: Mapping[str, frozenset[str]] = {
    "Permute": frozenset(("Tensor.permute", "torch.permute", "torch.transpose")),
    "Reshape": frozenset(
        ("Tensor.reshape", "Tensor.reshape_as", "Tensor.view", "Tensor.unflatten")
        + ("torch.flatten", "torch.squeeze", "torch.unsqueeze")
    ),
    "BinaryOp": frozenset(("pnnx.Expression",)),
    "UnaryOp": frozenset(("pnnx.Expression",)),
    "Concat": frozenset(("torch.cat", "torch.stack")),
    "Normalize": frozenset(("F.normalize",)),
    "Crop": frozenset(("Tensor.slice", "Tensor.select")),
}
"""The operators that the converter replaces by these layers."""


class Matching:
    """The search and its results."""

    def __init__(self, graph: GraphOp, layers: Sequence[LayerOp]) -> None:
        self.values: dict[SSAValue, SSAValue] = {}
        """The tensor of each matched blob."""
        self.operators: dict[LayerOp, OperatorOp] = {}
        """The operator of each matched layer."""
        self._graph = graph
        norms = [op for op in layers if isinstance(op, BatchNormOp)]
        theirs = [op for op in graph.operators() if op.type.data.startswith("nn.BatchNorm")]
        same = [op.channels for op in norms] == [op.param("num_features", 0) for op in theirs]
        self.norms = dict(zip(norms, theirs, strict=True)) if same else {}
        """The operator of each BatchNorm; empty if the converter fused one of them."""
        self._by_name: dict[str, OperatorOp | None] = {}
        for op in graph.operators():
            # A repeated name is ambiguous.
            self._by_name[op.layer.data] = None if op.layer.data in self._by_name else op
        self._stacks = [op for op in graph.operators() if op.type.data == "torch.stack"]
        customs = [op for op in layers if isinstance(op, CustomOp)]
        for op in customs:
            operator = self._by_name.get(_name(op))
            if operator is not None and operator.type.data == op.type.data:
                self.match(op, operator)
        for op in customs:
            self._match_inserted(op)

    def match(self, op: LayerOp, operator: OperatorOp) -> bool:
        """Match a layer with an operator, if the numbers of their results agree. Return whether
        they do."""
        if len(op.results) != len(operator.outputs):
            return False
        if isinstance(op, CustomOp) and len(op.inputs) != len(operator.inputs):
            return False
        self.operators[op] = operator
        for blob, tensor in zip(op.results, operator.outputs, strict=True):
            self._record(blob, tensor)
        if isinstance(op, CustomOp):
            for blob, tensor in zip(op.inputs, operator.inputs, strict=True):
                self._record(_source(blob), tensor)
        return True

    def _match_inserted(self, op: CustomOp) -> None:
        """Match the blobs of an inserted reshape with the tensor that its name specifies: an input
        of another layer."""
        inserted = INSERTED.fullmatch(_name(op))
        if inserted is None or len(op.inputs) != 1 or len(op.results) != 1:
            return
        reader = self._by_name.get(inserted["layer"])
        stacked = _STACKED.fullmatch(inserted["layer"])
        if reader is None and stacked is not None and int(stacked["number"]) < len(self._stacks):
            reader = self._stacks[int(stacked["number"])]
        place = int(inserted["place"])
        if reader is not None and place < len(reader.inputs):
            tensor = reader.inputs[place]
            self._record(_source(op.inputs[0]), tensor)
            self._record(op.results[0], tensor)

    def _record(self, blob: SSAValue, tensor: SSAValue) -> None:
        for value in _copies(blob):
            self.values.setdefault(value, tensor)

    def is_inserted(self, op: LayerOp) -> bool:
        """Whether the converter inserted this reshape: it has no operator."""
        return (
            isinstance(op, CustomOp)
            and op not in self.operators
            and len(op.inputs) == len(op.results) == 1
            and op.inputs[0] in self.values
            and self.values.get(op.results[0]) is self.values[op.inputs[0]]
        )

    def numbered(self, op: LayerOp) -> OperatorOp | None:
        """Return the operator of a Slice whose name contains the index among operators of its
        type."""
        name = _NUMBERED.fullmatch(_name(op))
        if name is None or op.LAYER_TYPE != "Slice":
            return None
        kinds = [o for o in self._graph.operators() if o.type.data == f"torch.{name[1]}"]
        number = int(name[2])
        found = kinds[number] if number < len(kinds) else None
        return found if found is not None and len(found.outputs) == len(op.results) else None

    def is_stacked(self, op: LayerOp) -> bool:
        """Whether an inserted reshape adds the new axis to an input of a `stack`."""
        inserted = INSERTED.fullmatch(_name(op))
        return inserted is not None and _STACKED.fullmatch(inserted["layer"]) is not None

    def find(self, op: LayerOp) -> OperatorOp | None:
        """Return the operator of a layer that reads a matched blob, and match its results."""
        if op in self.operators:
            return self.operators[op]
        kinds = COUNTERPARTS.get(op.LAYER_TYPE)
        if kinds is None:
            return None
        for blob in op.operands:
            if (tensor := self.values.get(blob)) is None:
                continue
            ours = [r for r in self._readers(_source(blob)) if r.LAYER_TYPE in COUNTERPARTS]
            same_kind = [r for r in ours if COUNTERPARTS[r.LAYER_TYPE] == kinds]
            theirs = [
                use
                for use in operators_of(tensor)
                if use.type.data in kinds and not self._is_custom(use)
            ]
            if len(same_kind) == len(theirs) and op in same_kind:
                found = theirs[same_kind.index(op)]
                if found.type.data == "pnnx.Expression":
                    return found
                return found if self.match(op, found) else None
        return None

    def _is_custom(self, operator: OperatorOp) -> bool:
        """Whether the converter left an operator unconverted."""
        return any(
            isinstance(op, CustomOp) for op, own in self.operators.items() if own is operator
        )

    def _readers(self, blob: SSAValue) -> list[LayerOp]:
        """Return the layers that read a blob, perhaps through Splits and inserted reshapes, in
        program order."""
        found: list[LayerOp] = []
        for value in _copies(blob):
            for use in value.uses:
                op = use.operation
                if isinstance(op, LayerOp) and not isinstance(op, SplitOp):
                    found += self._readers(op.results[0]) if self.is_inserted(op) else [op]
        return in_order(found)


def last_of_expression(
    op: LayerOp, operator: OperatorOp, blob: SSAValue, tensor: SSAValue
) -> LayerOp | None:
    """Return the layer that computes the value of an expression; `op` is the first layer that reads
    the operand. There is one layer per function around the operand."""
    node = parse_expression(str(operator.param("expr", "")))
    if node is None or tensor not in operator.inputs:
        return None
    depth = depth_of(node, list(operator.inputs).index(tensor))
    for _ in range((depth or 1) - 1):
        uses = list(op.results[0].uses)
        following = uses[0].operation if len(uses) == 1 else None
        if not isinstance(following, LayerOp) or following.LAYER_TYPE not in (
            "BinaryOp",
            "UnaryOp",
        ):
            return None
        op = following
    return op


def operators_of(tensor: SSAValue) -> list[OperatorOp]:
    """Return the operators that read a tensor, each once, in program order."""
    users = dict.fromkeys(use.operation for use in tensor.uses)
    return in_order([op for op in users if isinstance(op, OperatorOp)])


def in_order(ops: Sequence[_Operation]) -> list[_Operation]:
    """Return operations of one block in program order, each once."""
    wanted = list(dict.fromkeys(ops))
    block = wanted[0].parent if wanted else None
    if len(wanted) < 2 or block is None:
        return wanted
    return sorted(wanted, key=block.get_operation_index)


def _source(blob: SSAValue) -> SSAValue:
    """Return the blob before Splits."""
    while isinstance(blob.owner, SplitOp):
        blob = blob.owner.inputs[0]
    return blob


def _copies(blob: SSAValue) -> Iterator[SSAValue]:
    """Yield a blob and its copies by Splits."""
    yield blob
    for use in blob.uses:
        if isinstance(use.operation, SplitOp):
            for result in use.operation.results:
                yield from _copies(result)


def _name(op: Operation) -> str:
    name = op.properties.get("name")
    return name.data if isinstance(name, StringAttr) else ""
