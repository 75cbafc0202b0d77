"""Arithmetic modulo a prime, on arrays of Python integers.

A number of the reals that a computation makes from its inputs by `+`, `-`, `*` and `/` has an image
modulo `PRIME`. Two polynomials of degree d that differ have equal images at a random point with a
probability of at most d / n, if each number is drawn from n (Schwartz and Zippel). Equal images at
random points are a proof up to that probability. Functions that are no polynomials are
*uninterpreted*: their image is a pseudorandom function of the argument's image, so they are equal
only where their arguments are.
"""

from fractions import Fraction
from functools import cache
from math import isfinite
from typing import Any, cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

PRIME = (1 << 61) - 1
"""The modulus."""

DENOMINATOR = 1 << 10
"""The largest denominator of a constant that is taken as a simple fraction."""

Images = NDArray[Any]
"""Images as an array of Python integers (`dtype=object`)."""


@cache
def image_of(number: float) -> int:
    """Return the image of a constant.

    A constant that float32 rounds stands for the simplest fraction that rounds to it: 0.16666667
    for 1/6. Other numbers stand for themselves. Numbers that are not finite have images, too, that
    no computation makes.
    """
    if not isfinite(number):
        return crc32(repr(number).encode())
    exact = Fraction(number)
    simple = exact.limit_denominator(DENOMINATOR)
    found = simple if np.float32(float(simple)) == np.float32(number) else exact
    return found.numerator * pow(found.denominator, -1, PRIME) % PRIME


def inverse(images: Images) -> Images:
    """Return the reciprocals. The reciprocal of 0, an infinity, has an image that no other
    computation makes."""
    return cast(Images, _inverse(images))


def _invert(image: int) -> int:
    return pow(image, -1, PRIME) if image else crc32(b"1/0")


_inverse = np.frompyfunc(_invert, 1, 1)


def uninterpreted(name: str, *arguments: Images) -> Images:
    """Return the images of a function without algebraic laws."""
    code = crc32(name.encode())
    function = np.frompyfunc(lambda *args: hash((code, *args)) % PRIME, len(arguments), 1)
    return cast(Images, function(*arguments))
