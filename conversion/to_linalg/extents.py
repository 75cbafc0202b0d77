"""Dynamic extents as values of `index` type.

A symbolic extent is a term over the extents of the inputs (`h + 2`, `h // 2`). MLIR has no such
types, so the code computes an extent once, from `tensor.dim` of an input, and all operations read
that value.
"""

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.shapes.terms import Atom, Extent, ExtentTerm
from ..tracing.nodes import NotTraced


class ExtentValues:
    """Values of extents, each computed once at the start of a function."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._ops: list[Operation] = []
        self._made: dict[Extent, SSAValue] = {}
        self._atoms: dict[Atom, SSAValue] = {}

    def _place(self, op: Operation) -> SSAValue:
        """Insert an operation after the earlier ones."""
        where = InsertPoint.after(self._ops[-1]) if self._ops else InsertPoint.at_start(self._block)
        Rewriter.insert_op(op, where)
        self._ops.append(op)
        return op.results[0]

    def drop_unread(self) -> None:
        """Remove values without users."""
        for op in reversed(self._ops):
            if not op.results[0].first_use:
                Rewriter.erase_op(op)

    def know(self, value: SSAValue, shape: Sequence[Extent]) -> None:
        """Record a tensor and its extents; the values of symbols are read from it."""
        for axis, extent in enumerate(shape):
            if not isinstance(extent, ExtentTerm):
                continue
            atom = _single(extent)
            if atom is not None and atom not in self._atoms and atom.name == "symbol":
                index = self.of(axis)
                self._atoms[atom] = self._place(tensor.DimOp(value, index))

    def of(self, extent: Extent) -> SSAValue:
        """Return the value of an extent. Raises `NotTraced` if no arithmetic computes it."""
        if extent not in self._made:
            self._made[extent] = self._compute(extent)
        return self._made[extent]

    def _compute(self, extent: Extent) -> SSAValue:
        if isinstance(extent, int):
            return self._place(arith.ConstantOp(IntegerAttr(extent, IndexType())))
        total: SSAValue | None = None
        for monomial, factor in extent.parts.items():
            value = self.of(factor) if factor != 1 or not monomial else None
            for atom in monomial:
                own = self._atom(atom)
                value = own if value is None else self._place(arith.MuliOp(value, own))
            assert value is not None
            total = value if total is None else self._place(arith.AddiOp(total, value))
        if total is None:
            raise NotTraced("an extent is not known")
        return total

    def _atom(self, atom: Atom) -> SSAValue:
        if atom not in self._atoms:
            self._atoms[atom] = self._function(atom)
        return self._atoms[atom]

    def _function(self, atom: Atom) -> SSAValue:
        match atom.name:
            case "//" | "quotient":
                dividend, by = (self.of(cast(Extent, arg)) for arg in atom.args)
                return self._place(arith.FloorDivSIOp(dividend, by))
            case "minimum" | "maximum":
                a, b = (self.of(arg) for arg in cast(Any, atom.args[0]))
                return self._place(
                    (arith.MinSIOp if atom.name == "minimum" else arith.MaxSIOp)(a, b)
                )
            case "tail":  # of a pooling that covers all elements; the remainder is C's
                rest, stride = (self.of(cast(Extent, arg)) for arg in atom.args)
                left, none = self._place(arith.RemSIOp(rest, stride)), self.of(0)
                lacking = self._place(arith.SubiOp(stride, left))
                is_whole = self._place(arith.CmpiOp(left, none, "eq"))
                return self._place(arith.SelectOp(is_whole, none, lacking))
            case _:
                raise NotTraced(f"an extent is computed by '{atom.name}'")


def _single(extent: ExtentTerm) -> Atom | None:
    """Return the only atom of an extent; `None` for other extents."""
    if len(extent.parts) != 1:
        return None
    ((monomial, factor),) = extent.parts.items()
    return monomial[0] if factor == 1 and len(monomial) == 1 else None
