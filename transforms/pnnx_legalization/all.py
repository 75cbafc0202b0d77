"""All legalizations of operators."""

from .arithmetic import LegalizeAddcmul, LegalizeExpression, LegalizeNormalize
from .building import Legalization
from .convolution import LegalizeConvolution
from .movement import (
    LegalizeJoin,
    LegalizePermute,
    LegalizeReshape,
    LegalizeSlice,
    LegalizeSplit,
    LegalizeUnbind,
)
from .normalization import LegalizeBatchNorm

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
