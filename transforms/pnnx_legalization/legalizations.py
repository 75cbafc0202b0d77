"""All legalizations of operators."""

from .arithmetic import LegalizeAddcmul, LegalizeExpression, LegalizeNormalize
from .batch_normalization import LegalizeBatchNorm
from .functional_convolution import LegalizeConvolution
from .legalization import Legalization
from .shape_operators import (
    LegalizeJoin,
    LegalizePermute,
    LegalizeReshape,
    LegalizeSlice,
    LegalizeSplit,
    LegalizeUnbind,
)

LEGALIZATIONS: tuple[type[Legalization], ...] = (
    LegalizeUnbind,
    LegalizeSplit,
    LegalizeSlice,
    LegalizeJoin,
    LegalizePermute,
    LegalizeReshape,
    LegalizeAddcmul,
    LegalizeExpression,
    LegalizeNormalize,
    LegalizeConvolution,
    LegalizeBatchNorm,
)

LEGALIZED = frozenset(name for cls in LEGALIZATIONS for name in cls.TYPES)
"""The types of operators that there are layers for."""
