"""Activations that a graph spells out."""

from math import inf, isfinite, pi, sqrt
from typing import ClassVar

from ....dialects.ncnn.activation import (
    ClipOp,
    GELUOp,
    HardSigmoidOp,
    HardSwishOp,
    MishOp,
    ReLUOp,
    SwishOp,
)
from ....dialects.ncnn.formulas import Term, clamped, erf, mish, sigmoid, tanh
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.params import to_float32
from .algebra import Blob, Scalar
from .matching import Match, close
from .recognizer import NewLayer, Recognizer, layer

x = Blob("x")
a, b, c, most = Scalar("a"), Scalar("b"), Scalar("c"), Scalar("most")


class FormSwish(Recognizer):
    """Makes a Swish of a product with a Sigmoid.

    Algebra: `x * sigmoid(x)`, where sigmoid(x) may be spelled `1 / (1 + exp(-x))`.

    Conditions, and why: as for `Recognizer`.
    """

    SPELLINGS: ClassVar[tuple[Term, ...]] = (x * sigmoid(x),)

    def layer(self, found: Match) -> NewLayer | None:
        return layer(SwishOp, found.blobs["x"])


class FormHardSigmoid(Recognizer):
    """Makes a HardSigmoid of a line that is cut off at 0 and 1.

    Algebra: `c * clip(a * x + b, 0, most)` with `c * most = 1` is `clip(c a * x + c b, 0, 1)`.

    Conditions, and why: as for `Recognizer`;
    - the line rises: ncnn computes where it is cut off, which for a falling one is the wrong way;
    - there is a line: `clip(x, 0, 1)` is a Clip, which a convolution can do by itself.
    """

    ROOTS: ClassVar[tuple[type[LayerOp], ...]] = (*Recognizer.ROOTS, ClipOp, ReLUOp)
    SPELLINGS: ClassVar[tuple[Term, ...]] = (c * clamped(a * x + b, 0.0, most),)

    def layer(self, found: Match) -> NewLayer | None:
        return _hard(HardSigmoidOp, found)


class FormHardSwish(Recognizer):
    """Makes a HardSwish of a blob times its HardSigmoid, or what that is spelled out.

    Algebra: `c * x * clip(a * x + b, 0, most)` with `c * most = 1` is
    `x * clip(c a * x + c b, 0, 1)`. A HardSigmoid is `clip(alpha * x + beta, 0, 1)`.

    Conditions, and why: as for `Recognizer`; the line rises, as for `FormHardSigmoid`.
    """

    SPELLINGS: ClassVar[tuple[Term, ...]] = (c * x * clamped(a * x + b, 0.0, most),)

    def layer(self, found: Match) -> NewLayer | None:
        return _hard(HardSwishOp, found)


def _hard(cls: type[LayerOp], found: Match) -> NewLayer | None:
    factor = found.scalars["c"]
    alpha, beta = (to_float32(factor * found.scalars[name]) for name in "ab")
    if not close(factor * found.scalars["most"], 1.0) or not 0 < alpha < inf or not isfinite(beta):
        return None
    return layer(cls, found.blobs["x"], alpha=alpha, beta=beta)


class FormMish(Recognizer):
    """Makes a Mish of a product with the hyperbolic tangent of a Softplus.

    Algebra: `x * tanh(softplus(x))`, where softplus(x) may be spelled `log(1 + exp(x))`.

    Conditions, and why: as for `Recognizer`.
    """

    SPELLINGS: ClassVar[tuple[Term, ...]] = (mish(x),)

    def layer(self, found: Match) -> NewLayer | None:
        return layer(MishOp, found.blobs["x"])


class FormGELU(Recognizer):
    """Makes a GELU of its formula with the error function, or, with `fast_gelu`, of its
    approximation with the hyperbolic tangent.

    Algebra: `x / 2 * (1 + erf(x / sqrt(2)))`; or `x / 2 * (1 + tanh(u))` with
    `u = sqrt(2 / pi) * (x + 0.044715 x^3)`, x before the bracket or in it; `1 + tanh(u)` is also
    `2 * sigmoid(2 u)`.

    Conditions, and why: as for `Recognizer`.
    """

    CUBIC: ClassVar[Term] = sqrt(2 / pi) * (x + 0.044715 * x**3.0)
    FACTORED: ClassVar[Term] = sqrt(2 / pi) * x * (1 + 0.044715 * x**2.0)
    SPELLINGS: ClassVar[tuple[Term, ...]] = (
        0.5 * x * (1 + erf(x / sqrt(2.0))),
        0.5 * x * (1 + tanh(CUBIC)),
        0.5 * x * (1 + tanh(FACTORED)),
        x * sigmoid(2.0 * CUBIC),
        x * sigmoid(2.0 * FACTORED),
    )

    def layer(self, found: Match) -> NewLayer | None:
        return layer(GELUOp, found.blobs["x"], fast_gelu=int(found.spelling > 0))
