"""The table of PNNX's operators in docs/pnnx.md, from the declarations of the conversion:

python docs/making/pnnx_operators.py
"""

import re
from pathlib import Path

from ncnn_opt.conversion.pnnx_to_ncnn import table
from ncnn_opt.conversion.pnnx_to_ncnn.table import LOWERINGS

PAGE = Path(__file__).parents[1] / "pnnx.md"
BEGIN, END = "<!-- operators -->\n", "<!-- end of operators -->\n"
"""The lines around the table."""


def family(type_: str) -> str:
    """Return the module of the conversion that lowers an operator."""
    module = LOWERINGS[type_].__module__.rpartition(".")[2]
    return "shapes and expressions" if module == table.__name__.rpartition(".")[2] else module


def rows() -> list[str]:
    """Return the lines of the table, a family a line."""
    families = sorted({family(type_) for type_ in LOWERINGS})
    lines = ["| family | operators |", "| --- | --- |"]
    for name in families:
        types = sorted((t for t in LOWERINGS if family(t) == name), key=str.lower)
        lines.append(f"| {name} | {', '.join(f'`{t}`' for t in types)} |")
    return lines


def text() -> str:
    """Return the part of the page."""
    return "\n".join([f"{BEGIN}{len(LOWERINGS)} operators have layers:\n", *rows(), "", END])


def replaced(page: str) -> str:
    """Return the page with the present table."""
    pattern = re.escape(BEGIN) + ".*" + re.escape(END)
    return re.sub(pattern, lambda _: text(), page, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(replaced(PAGE.read_text()))
