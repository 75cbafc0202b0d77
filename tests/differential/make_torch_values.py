"""Writes torch_values.json: values of PNNX's functions as PyTorch computes them.

cd tests && python -m differential.make_torch_values
"""

import json
from pathlib import Path

import numpy as np

from .torch_functions import BINARY, UNARY, call

FILE = Path(__file__).with_name("torch_values.json")

NUMBERS = (
    -np.inf, -3.4e38, -1e10, -4097.0, -100.25, -88.8, -55.0, -7.0, -3.0, -2.5, -2.0, -1.5, -1.0,
    -0.75, -0.5, -0.3, -0.001, -1e-20, -0.0, 0.0, 1e-20, 0.001, 0.3, 0.5, 0.9, 1.0, 1.5, 2.0, 2.5,
    3.5, 6.0, 55.0, 88.8, 100.25, 4097.0, 1e10, 3.4e38, np.inf, np.nan,
)  # fmt: skip
"""Operands: negative, zero, half-way, large and non-finite ones."""

PAIRED = (-np.inf, -1e10, -55.0, -3.0, -0.5, -0.0, 0.0, 0.5, 1.0, 7.0, 55.0, 1e10, np.inf, np.nan)
"""Operands of functions of two tensors, each with each."""

EXPONENTS = (0.0, 1.0, 2.0, 3.0, 4.0, 7.0, -1.0, -2.0, -3.0, 0.5, 1.5, -0.5, 0.3, 2.2, -0.7)
DIVISORS = (0.3, 3.0, -2.5, 1.0, -0.1, 55.0)
BASES = (2.0, 0.3, 1.0)


def main() -> None:
    """Writes the file."""
    x = np.array(NUMBERS, "f4")
    a, b = (z.ravel() for z in np.meshgrid(np.array(PAIRED, "f4"), np.array(PAIRED, "f4")))
    tables = {f"{name}(@0)": call(name, x) for name in UNARY}
    tables |= {f"{name}(@0,@1)": call(name, a, b) for name in BINARY if name != "pow"}
    tables |= {f"pow(@0,{p:g})": call("pow", x, p) for p in EXPONENTS}
    tables |= {f"pow({c:g},@0)": call("pow", c, x) for c in BASES}
    for name in ("fmod", "floor_divide", "remainder"):
        tables |= {f"{name}(@0,{c:g})": call(name, x, c) for c in DIVISORS}
        tables |= {f"{name}({c:g},@0)": call(name, c, x) for c in DIVISORS[:3]}
    values = {text: [_shortest(v) for v in result] for text, result in tables.items()}
    lines = ",\n".join(f"{json.dumps(text)}: {json.dumps(row)}" for text, row in values.items())
    FILE.write_text(f"{{\n{lines}\n}}\n")


def _shortest(value: np.float32) -> float:
    """The number of the fewest digits that is this one in float32."""
    return float(str(value))


if __name__ == "__main__":
    main()
