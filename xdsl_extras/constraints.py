"""The constraint that an operand was declared with.

xDSL 0.74: IRDL wraps it into one on a range, and that perhaps into one on the range's length.
"""

from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, RangeConstraint, RangeLengthConstraint, RangeOf


def declared(constraint: RangeConstraint[Attribute]) -> AttrConstraint | None:
    """The constraint on each value of a range; `None` if it is of another kind."""
    if isinstance(constraint, RangeLengthConstraint):
        constraint = constraint.constraint
    return constraint.constr if isinstance(constraint, RangeOf) else None
