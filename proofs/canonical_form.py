"""A canonical form of a model: its live operations with their parameters, names and weights."""

import hashlib
from collections.abc import Iterator
from typing import Any

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.structure import InputOp
from ..dialects.ncnn.weights import ElidedAttr, HeldWeight

NAMES = frozenset(("name", "blobs", "shape_hints"))
"""Properties of a layer that do not change its outputs."""


def live_operations(func: FuncOp) -> list[Operation]:
    """Return the operations that the outputs depend on, in program order, and Input layers."""
    block = func.body.block
    live: set[Operation] = set()
    pending = [op for op in block.ops if isinstance(op, ReturnOp | InputOp) or op.regions]
    while pending:
        op = pending.pop()
        if op not in live:
            live.add(op)
            pending += [v.owner for v in op.operands if isinstance(v.owner, Operation)]
    return [op for op in block.ops if op in live]


def canonical_key(op: Operation) -> tuple[str, dict[str, Attribute]]:
    """Return the facts about an operation, beside its operands, that its results depend on."""
    properties = {k: v for k, v in op.properties.items() if k not in NAMES}
    if not isinstance(op, LayerOp):
        properties |= op.attributes
    return op.name, properties


class CanonicalForm:
    """The canonical form of modules that share most weights: each weight is read once."""

    def __init__(self) -> None:
        self._digests: dict[tuple[Attribute, Attribute], str] = {}

    def hash(self, module: ModuleOp) -> str:
        """Return the hash of a module, including names and weights."""
        text = "\n".join(self.lines(module, with_weights=True))
        return hashlib.sha256(text.encode()).hexdigest()

    def structure(self, module: ModuleOp) -> list[str]:
        """Return the live operations of a module as text, without the values of weights."""
        return list(self.lines(module, with_weights=False))

    def lines(self, module: ModuleOp, with_weights: bool) -> Iterator[str]:
        """Yield a line for each live operation."""
        for func in module.ops:
            if not isinstance(func, FuncOp) or len(func.body.blocks) != 1:
                yield str(func)
                continue
            numbers: dict[SSAValue, int] = {}
            for value in func.body.block.args:
                numbers[value] = len(numbers)
            yield f"{func.sym_name.data} {func.arg_attrs} {func.res_attrs}"
            for op in live_operations(func):
                operands = " ".join(str(numbers[value]) for value in op.operands)
                for value in op.results:
                    numbers[value] = len(numbers)
                yield f"{op.name} {operands} {self._facts(op, with_weights)}"

    def _facts(self, op: Operation, with_weights: bool) -> str:
        if op.regions:
            return str(op)
        facts = {k: str(v) for k, v in op.properties.items()}
        if isinstance(op, ConstantOp):
            type_: Any = op.output.type
            facts["value"] = self._digest(op) if with_weights else str(type_.get_shape())
        elif not isinstance(op, LayerOp):
            facts |= {k: str(v) for k, v in op.attributes.items()}
        return str(sorted(facts.items()))

    def _digest(self, op: ConstantOp) -> str:
        key = op.value, op.output.type
        if key not in self._digests:
            if isinstance(op.value, ElidedAttr | HeldWeight):
                data = b""
            else:
                data = op.read().tobytes()
            assert isinstance(op.output.type, TensorType)
            self._digests[key] = f"{op.output.type} {hashlib.sha256(data).hexdigest()}"
        return self._digests[key]
