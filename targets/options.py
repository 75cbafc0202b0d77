"""How IR is printed."""

from enum import Enum
from typing import NamedTuple


class WeightStyle(Enum):
    """What is printed for weights of more than 16 elements."""

    REFERENCE = "reference"
    """A slice of a file where they are one, hex otherwise."""
    INLINE = "inline"
    """Hex for every one."""
    ELIDE = "elide"
    """`#ncnn.elided`."""


class MlirOptions(NamedTuple):
    """How to print a module."""

    weights: WeightStyle = WeightStyle.REFERENCE
    generic: bool = False
    properties_as_attributes: bool = False
    debuginfo: bool = False
    colours: bool = False
    """By the escape sequences of terminals."""
