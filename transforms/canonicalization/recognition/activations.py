"""Recognition of activations."""

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
from .algebra import AnyBlob, AnyNumber
from .matching import Match, close
from .recognizer import NewLayer, Recognizer, layer

x = AnyBlob("x")
a, b, c, most = AnyNumber("a"), AnyNumber("b"), AnyNumber("c"), AnyNumber("most")


class FormSwish(Recognizer):
    """Recognize a Swish: a product with a Sigmoid.

    Algebra: `x * sigmoid(x)`, where sigmoid(x) may be spelled `1 / (1 + exp(-x))`.

    Conditions, and why:
    - both factors have the same x, and the Sigmoid and its parts have no users but the product:
      another user would need them;
    - where it is spelled out, both numbers are 1 and the exponent is -x, up to a relative
      difference of 2e-6: a Swish has no parameters;
    - all layers have the same feature mask and no unknown parameters, and the release that the
      module is made for has the new layer;
    - x and the result have the same shape where it is known: the new layer does not broadcast.
    """

    SPELLINGS: ClassVar[tuple[Term, ...]] = (x * sigmoid(x),)

    def layer(self, found: Match) -> NewLayer | None:
        return layer(SwishOp, found.blobs["x"])


class FormHardSigmoid(Recognizer):
    """Recognize a HardSigmoid: a line that is clipped to 0 and 1.

    Algebra: `c * clip(a * x + b, 0, most)` with `c * most = 1` is `clip(c a * x + c b, 0, 1)`.

    Conditions, and why:
    - `c * most` is 1, up to a relative difference of 2e-6: the layer is clipped at 1;
    - the line rises: ncnn computes the clipping points, and in the wrong order for a falling line;
    - the formula contains a line: `clip(x, 0, 1)` alone is a Clip, which a convolution can absorb;
    - the values between have no users outside and are no outputs: another user would need them;
    - all layers have the same feature mask and no unknown parameters, and the release that the
      module is made for has the new layer;
    - x and the result have the same shape where it is known: the new layer does not broadcast.
    """

    ROOTS: ClassVar[tuple[type[LayerOp], ...]] = (*Recognizer.ROOTS, ClipOp, ReLUOp)
    SPELLINGS: ClassVar[tuple[Term, ...]] = (c * clamped(a * x + b, 0.0, most),)

    def layer(self, found: Match) -> NewLayer | None:
        return _hard(HardSigmoidOp, found)


class FormHardSwish(Recognizer):
    """Recognize a HardSwish: a blob times its HardSigmoid, which may be spelled out.

    Algebra: `c * x * clip(a * x + b, 0, most)` with `c * most = 1` is `x * clip(c a * x + c b, 0,
    1)`. A HardSigmoid is `clip(alpha * x + beta, 0, 1)`.

    Conditions, and why:
    - the factor and the line have the same x, and the line and the clip have no users outside:
      another user would need them;
    - `c * most` is 1, up to a relative difference of 2e-6: the layer is clipped at 1;
    - the line rises: ncnn computes the clipping points, and in the wrong order for a falling line;
    - all layers have the same feature mask and no unknown parameters, and the release that the
      module is made for has the new layer;
    - x and the result have the same shape where it is known: the new layer does not broadcast.
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
    """Recognize a Mish: a product with the hyperbolic tangent of a Softplus.

    Algebra: `x * tanh(softplus(x))`, where softplus(x) may be spelled `log(1 + exp(x))`.

    Conditions, and why:
    - both factors have the same x, and the Softplus and the hyperbolic tangent have no users but
      the next layer: another user would need them;
    - where the Softplus is spelled out, its number is 1, up to a relative difference of 2e-6: a
      Mish has no parameters;
    - all layers have the same feature mask and no unknown parameters, and the release that the
      module is made for has the new layer;
    - x and the result have the same shape where it is known: the new layer does not broadcast.
    """

    SPELLINGS: ClassVar[tuple[Term, ...]] = (mish(x),)

    def layer(self, found: Match) -> NewLayer | None:
        return layer(MishOp, found.blobs["x"])


class FormGELU(Recognizer):
    """Recognize a GELU by its formula with the error function, or its approximation with the
    hyperbolic tangent (`fast_gelu`).

    Algebra: `x / 2 * (1 + erf(x / sqrt(2)))`; or `x / 2 * (1 + tanh(u))` with `u = sqrt(2 / pi) *
    (x + 0.044715 x^3)`, where x may be factored out of the bracket; `1 + tanh(u)` is also `2 *
    sigmoid(2 u)`.

    Conditions, and why:
    - 1/2, sqrt(2), sqrt(2 / pi) and 0.044715 are the numbers, up to a relative difference of 2e-6,
      wherever they are multiplied in: a GELU has no parameters;
    - all occurrences of x are the same blob, and the values between have no users outside and are
      no outputs: another user would need them;
    - all layers have the same feature mask and no unknown parameters, and the release that the
      module is made for has the new layer;
    - x and the result have the same shape where it is known: the new layer does not broadcast.
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
