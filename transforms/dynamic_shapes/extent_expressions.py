"""Terms as expressions of the runtime's parameters."""

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.ncnn.extents import AXES
from ...dialects.shapes.terms import Atom, Extent, Term
from .exported_model import SizedModel

MOST_BLOBS = 10
"""An expression names a blob by one digit."""


class Expressions:
    """Writes terms as expressions for a layer: on the extents of its own inputs if that can be,
    else on those of further blobs, which become inputs as well."""

    def __init__(self, model: SizedModel, op: Operation, own: Sequence[SSAValue]) -> None:
        self.model = model
        self.op = op
        self.blobs = list(own)

    def write(self, term: Extent) -> str | None:
        """A term; `None` if no expression says it."""
        if not isinstance(term, Term):
            return str(term)
        return self._of_blobs(term) or self._of_others(term) or self._of_parts(term)

    def _of_blobs(self, term: Term) -> str | None:
        """On the inputs that the layer has: an extent, a multiple or part of one, a product."""
        own = [
            (f"{i}{letter}", n)
            for i, blob in enumerate(self.blobs)
            for letter, n in self._extents(blob)
            if isinstance(n, Term)
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

    def _of_others(self, term: Term) -> str | None:
        """On a blob that is there already before the layer."""
        for blob, letter in self.model.holders(term):
            if self._is_before(blob):
                return self._refer(blob, letter)
        return None

    def _refer(self, blob: SSAValue, letter: str) -> str | None:
        if blob not in self.blobs:
            if len(self.blobs) == MOST_BLOBS:
                return None
            self.blobs.append(blob)
        return f"{self.blobs.index(blob)}{letter}"

    def _is_before(self, blob: SSAValue) -> bool:
        owner = blob.owner
        return isinstance(owner, Block) or owner.is_before_in_block(self.op)

    def _of_parts(self, term: Term) -> str | None:
        """As a sum of products of what it consists of, down to the inputs' extents."""
        total: str | None = None
        parts = sorted(term.parts.items(), key=lambda item: (item[1] < 0, len(item[0]) == 0))
        for monomial, n in parts:
            factors = [self._atom(atom) for atom in monomial]
            if None in factors:
                return None
            text = str(abs(n)) if abs(n) != 1 or not factors else ""
            for factor in factors:
                text = f"*({text},{factor})" if text else str(factor)
            if total is None:
                total = text if n > 0 else f"neg({text})"
            else:
                total = f"{'+' if n > 0 else '-'}({total},{text})"
        return total

    def _atom(self, atom: Atom) -> str | None:
        term = Term({(atom,): 1})
        if (text := self._of_blobs(term) or self._of_others(term)) is not None:
            return text
        if atom.name == "//":
            dividend, divisor = atom.args
            assert isinstance(dividend, Term)
            text = self.write(dividend)
            return None if text is None else f"//({text},{divisor})"
        # An input whose extent is a multiple of this symbol.
        for value in self.model.func.body.block.args:
            for letter, n in self._extents(value):
                if isinstance(n, Term) and isinstance(times := n // term, int):
                    if term * times == n and (text := self._refer(value, letter)) is not None:
                        return f"//({text},{times})"
        return None
