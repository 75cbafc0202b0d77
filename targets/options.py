"""The options of printing IR, in a module that imports no dialect: command lines need them
early."""

from enum import Enum
from typing import NamedTuple


class WeightStyle(Enum):
    """The form of weights with more than 16 elements."""

    REFERENCE = "reference"
    """A reference for slices of files, hex otherwise."""
    INLINE = "inline"
    """Hex for all."""
    ELIDE = "elide"
    """`#ncnn.elided`."""


class MlirOptions(NamedTuple):
    """The options of printing a module."""

    weights: WeightStyle = WeightStyle.REFERENCE
    generic: bool = False
    properties_as_attributes: bool = False
    debuginfo: bool = False
    colours: bool = False
    """Whether to use terminal escape sequences."""
