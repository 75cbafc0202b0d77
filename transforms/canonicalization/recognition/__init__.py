"""Recognizers: one layer for several that spell out what it computes.

`algebra.py` has the words for formulas, `meaning.py` says what each layer computes in them, and
`matching.py` finds a formula in the graph. With these, a recognizer (`recognizer.py`) is a formula
and the layer that it stands for: `activations.py`, `normalizations.py`. Layers that move elements
instead of computing are compared by what becomes of the parts of axes: `layouts.py`, `grouping.py`.
Attention has several inputs, and is looked for layer by layer: `attention.py`.
"""

from collections.abc import Sequence

from xdsl.pattern_rewriter import RewritePattern

from ....dialects.ncnn.interfaces import Reshaping
from ....dialects.ncnn.matmul import MatMulOp
from .activations import FormGELU, FormHardSigmoid, FormHardSwish, FormMish, FormSwish
from .attention import FormSDPA
from .grouping import FormGroupNorm
from .layouts import FormMoved
from .normalizations import FormNorm, FormNormalize, FormRMSNorm, FormSoftmax
from .recognizer import Recognizer

RECOGNIZERS: Sequence[Recognizer] = (
    FormSwish(),
    FormHardSwish(),
    FormHardSigmoid(),
    FormGELU(),
    FormMish(),
    FormNorm(),
    FormRMSNorm(),
    FormNormalize(),
    FormSoftmax(),
)
"""Those that are a formula."""

OF_TYPES: Sequence[tuple[type, RewritePattern]] = (
    *((root, each) for each in RECOGNIZERS for root in each.ROOTS),
    (MatMulOp, FormSDPA()),
    (Reshaping, FormGroupNorm()),
    (Reshaping, FormMoved()),
)
"""All, and the types or interfaces of the layers that they are rooted at."""
