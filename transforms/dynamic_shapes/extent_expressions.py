"""Terms as expressions of the runtime's parameters."""

from collections.abc import Mapping, Sequence

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.ncnn.extents import AXES
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from ...dialects.shapes.terms import Atom, Extent, ExtentTerm
from .exported_model import ExportedModel

MAX_BLOBS = 10
"""The maximal number of blobs in an expression, which names a blob by one digit."""


class Inexpressible(Exception):
    """No expression of the runtime computes an extent."""


def set_expressions(
    op: LayerOp,
    model: ExportedModel,
    blobs: Sequence[SSAValue],
    expressions: Mapping[str, Sequence[Extent]],
    **params: Value,
) -> None:
    """Set parameters of a layer to lists of expressions of these extents, and others to values. The
    layer reads `blobs` and the further blobs that the expressions name. Raises `Inexpressible`."""
    writer = ExpressionWriter(model, op, blobs)
    texts = {name: ",".join(map(writer.write, extents)) for name, extents in expressions.items()}
    op.set_params(**params, **texts)
    op.operands = writer.blobs


class ExpressionWriter:
    """Writes terms as expressions for a layer. They use the extents of the layer's inputs if
    possible, else of other blobs, which become further inputs."""

    def __init__(self, model: ExportedModel, op: Operation, own: Sequence[SSAValue]) -> None:
        self.model = model
        self.op = op
        self.blobs = list(own)

    def write(self, term: Extent) -> str:
        """Return the expression of a term. Raises `Inexpressible`."""
        if not isinstance(term, ExtentTerm):
            return str(term)
        return self._of_blobs(term) or self._of_others(term) or self._of_parts(term)

    def _of_blobs(self, term: ExtentTerm) -> str | None:
        """Return a multiple, a quotient, a sum with an integer, or a product of extents of the
        layer's inputs."""
        own = [
            (f"{i}{letter}", n)
            for i, blob in enumerate(self.blobs)
            for letter, n in self._extents(blob)
            if isinstance(n, ExtentTerm)
        ]
        for text, n in own:
            if n == term:
                return text
        for text, n in own:
            if isinstance(times := term // n, int) and n * times == term:
                return f"*({text},{times})"
            if isinstance(times := n // term, int) and term * times == n:
                return f"//({text},{times})"
            if isinstance(more := term - n, int):
                return f"+({text},{more})" if more > 0 else f"-({text},{-more})"
        for i, (text, n) in enumerate(own):
            for other, m in own[i:]:
                if n * m == term:
                    return f"*({text},{other})"
        return None

    def _extents(self, blob: SSAValue) -> list[tuple[str, Extent]]:
        extents = self.model.terms.get(blob, ())
        return list(zip(AXES[len(extents)], extents, strict=True)) if extents else []

    def _of_others(self, term: ExtentTerm) -> str | None:
        """Return the extent of another blob that is defined before the layer."""
        for blob, letter in self.model.holders(term):
            owner = blob.owner
            if isinstance(owner, Block) or owner.is_before_in_block(self.op):
                return self._refer(blob, letter)
        return None

    def _refer(self, blob: SSAValue, letter: str) -> str | None:
        if blob not in self.blobs:
            if len(self.blobs) == MAX_BLOBS:
                return None
            self.blobs.append(blob)
        return f"{self.blobs.index(blob)}{letter}"

    def _of_parts(self, term: ExtentTerm) -> str:
        """Return a sum of products of atoms."""
        total: str | None = None
        parts = sorted(term.parts.items(), key=lambda item: (item[1] < 0, len(item[0]) == 0))
        for monomial, n in parts:
            text = str(abs(n)) if abs(n) != 1 or not monomial else ""
            for factor in map(self._atom, monomial):
                text = f"*({text},{factor})" if text else factor
            if total is None:
                total = text if n > 0 else f"neg({text})"
            else:
                total = f"{'+' if n > 0 else '-'}({total},{text})"
        return total or "0"

    def _atom(self, atom: Atom) -> str:
        term = ExtentTerm({(atom,): 1})
        if (text := self._of_blobs(term) or self._of_others(term)) is not None:
            return text
        if atom.name == "//":
            dividend, divisor = atom.args
            assert isinstance(dividend, ExtentTerm)
            return f"//({self.write(dividend)},{divisor})"
        # An input whose extent is a multiple of this symbol.
        for value in self.model.func.body.block.args:
            for letter, n in self._extents(value):
                if isinstance(n, ExtentTerm) and isinstance(times := n // term, int):
                    if term * times == n and (text := self._refer(value, letter)) is not None:
                        return f"//({text},{times})"
        # An input whose extent is a sum of this symbol and others: `p` of `p + n`.
        for value in self.model.func.body.block.args:
            for letter, n in self._extents(value):
                rest = n - term if isinstance(n, ExtentTerm) else n
                if isinstance(n, ExtentTerm) and not _has(rest, atom):
                    if (text := self._refer(value, letter)) is not None:
                        return f"-({text},{self.write(rest)})"
        raise Inexpressible


def _has(extent: Extent, atom: Atom) -> bool:
    """Whether an atom is part of an extent."""
    return isinstance(extent, ExtentTerm) and any(atom in monomial for monomial in extent.parts)
