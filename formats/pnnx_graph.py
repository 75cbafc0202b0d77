"""The records of PNNX's own IR: the content of a `.pnnx.param` in plain Python.

Reader and writer share them, and need no IR.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Scalar = None | bool | int | float | str
Value = Scalar | tuple[int, ...] | tuple[float, ...] | tuple[str, ...]
"""The value of a parameter. Floats are representable as float32."""

DTYPES: dict[str, int] = {
    "null": 0,
    "f32": 4,
    "f64": 8,
    "f16": 2,
    "i32": 4,
    "i64": 8,
    "i16": 2,
    "i8": 1,
    "u8": 1,
    "bool": 1,
    "c64": 8,
    "c128": 16,
    "c32": 4,
    "bf16": 2,
}
"""The element types and their sizes in bytes."""


@dataclass(frozen=True)
class TensorShape:
    """The type of an operand or a weight."""

    extents: tuple[int | None, ...]
    """At least one extent; `None` for a dynamic one (`?`)."""
    dtype: str
    """One of `DTYPES`."""


@dataclass
class PnnxOperator:
    """A line of the file."""

    type: str
    name: str
    inputs: tuple[str, ...] = ()
    """The names of operands."""
    outputs: tuple[str, ...] = ()
    params: dict[str, Value] = field(default_factory=dict[str, Value])
    weights: dict[str, TensorShape] = field(default_factory=dict[str, TensorShape])
    """The weights' types. Their values are the members `NAME.KEY` of the `.pnnx.bin`."""
    keys: tuple[str, ...] = ()
    """The operator's names of its inputs (`query`, `key`, …; "" for an unnamed one), one per input,
    or empty."""
    line: int | None = None


@dataclass
class PnnxGraph:
    """A whole file."""

    operators: list[PnnxOperator] = field(default_factory=list[PnnxOperator])
    shapes: dict[str, TensorShape] = field(default_factory=dict[str, TensorShape])
    """The types of operands, where the file has them."""
    warnings: list[str] = field(default_factory=list[str])


def member_name(operator: str, key: str) -> str:
    """Return the name of a weight's member in the `.pnnx.bin`."""
    return f"{operator}.{key}"
