"""The legalizations of all operators."""

from .arithmetic import LegalizeAddcmul, LegalizeExpression, LegalizeNormalize
from .batch_normalization import LegalizeBatchNorm
from .functional_convolution import LegalizeConvolution
from .shape_operators import (
    LegalizeJoin,
    LegalizePermute,
    LegalizeReshape,
    LegalizeSlice,
    LegalizeSplit,
    LegalizeUnbind,
)

LEGALIZED = frozenset[str]().union(
    LegalizeUnbind.TYPES,
    LegalizeSplit.TYPES,
    LegalizeSlice.TYPES,
    LegalizeJoin.TYPES,
    LegalizePermute.TYPES,
    LegalizeReshape.TYPES,
    LegalizeAddcmul.TYPES,
    LegalizeExpression.TYPES,
    LegalizeNormalize.TYPES,
    LegalizeConvolution.TYPES,
    LegalizeBatchNorm.TYPES,
)
"""The types of the operators that can be replaced by layers."""
