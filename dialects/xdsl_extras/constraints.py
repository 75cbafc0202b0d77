"""The declared constraint of an operand.

xDSL 0.74: IRDL wraps it in a range constraint, which may be wrapped in a length constraint.
"""

from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, RangeConstraint, RangeLengthConstraint, RangeOf


def declared(constraint: RangeConstraint[Attribute]) -> AttrConstraint | None:
    """Return the constraint on each value of a range; `None` for other kinds."""
    if isinstance(constraint, RangeLengthConstraint):
        constraint = constraint.constraint
    return constraint.constr if isinstance(constraint, RangeOf) else None
