"""The C side of a compiled model: a header, and the function that it declares.

LLVM's function takes the weights as further arguments. The function in C has them as constants of
the library, so that an application passes only inputs and outputs.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..dialects.ncnn.function import Names
from .errors import NativeError
from .lowering import Port

CODE = "ncnn_opt_code"
"""The function that LLVM compiles. Its arguments are inputs, weights and results."""

MARK = "/* Made by ncnn-opt. */"
"""The first line of a header."""

_TYPES = {
    "float32": "float",
    "float16": "uint16_t",
    "int8": "int8_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint8": "uint8_t",
    "bool": "uint8_t",
}
"""The C types of elements by NumPy's names."""


@dataclass(frozen=True)
class CFunction:
    """A function of C."""

    name: str
    inputs: Sequence[Port]
    results: Sequence[Port]

    def __post_init__(self) -> None:
        """Raises `NativeError` if a blob has a dynamic extent."""
        for port in (*self.inputs, *self.results):
            if None in port.shape:
                raise NativeError(
                    f"a C function needs static shapes, but '{port.name}' is "
                    f"{_extents(port)}; set the shape with --input-shape"
                )

    def arguments(self) -> list[str]:
        """Return the names of the arguments."""
        names = Names(())
        return [names.unique(_identifier("in", port.name)) for port in self.inputs] + [
            names.unique(_identifier("out", port.name)) for port in self.results
        ]

    def declaration(self) -> str:
        """Return the function without a body."""
        types = [f"const {_type(port.dtype)} *" for port in self.inputs]
        types += [f"{_type(port.dtype)} *" for port in self.results]
        own = [a + b for a, b in zip(types, self.arguments(), strict=True)]
        return f"void {self.name}({', '.join(own)})"


def name_for(path: str) -> str:
    """Return the name of the function of the library at this path."""
    return _identifier("run", Path(path).stem)


def _identifier(prefix: str, name: str) -> str:
    return f"{prefix}_{re.sub('[^A-Za-z0-9_]', '_', name)}"


def _type(dtype: str) -> str:
    return _TYPES[np.dtype(dtype).name]


def _extents(port: Port) -> str:
    return " x ".join("?" if n is None else str(n) for n in port.shape) or "a number"


def header(signature: CFunction) -> str:
    """Return the header of a library."""
    guard = f"{signature.name.upper()}_H"
    ports = (*signature.inputs, *signature.results)
    rows = zip(signature.arguments(), ports, strict=True)
    shapes = "\n".join(f"   {name}: {_extents(port)}" for name, port in rows)
    return f"""{MARK}
#ifndef {guard}
#define {guard}

#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif

/* Computes a model. Blobs are row by row, without gaps between channels:

{shapes}

   Memory that it needs on the way it gets from malloc, and gives back. Several threads may call it
   at once. */
{signature.declaration()};

#ifdef __cplusplus
}}
#endif

#endif
"""


def wrapper(signature: CFunction, weights: Sequence[int], file: Path) -> str:
    """Return the function of the header. It calls LLVM's function with the weights, which are at
    these offsets in a file."""
    own = signature.arguments()
    split = len(signature.inputs)
    stored = [f"(void *)(weights + {offset})" for offset in weights]
    given = [*(f"(void *){name}" for name in own[:split]), *stored, *own[split:]]
    arguments = ",\n      ".join(given)
    pointers = ", ".join(["void *"] * len(given))
    path = json.dumps(json.dumps(str(file), ensure_ascii=False)[1:-1], ensure_ascii=False)[1:-1]
    return f"""#include <stdint.h>
#include <string.h>

__asm__(".section .rodata\\n"
        ".balign 64\\n"
        "ncnn_opt_weights:\\n"
        ".incbin \\"{path}\\"\\n"
        ".byte 0\\n"
        ".text\\n");
extern const char weights[] __asm__("ncnn_opt_weights");

void {CODE}({pointers});

{signature.declaration()};
{signature.declaration()} {{
  {CODE}({arguments});
}}
{_COPY}"""


_COPY = """
/* What LLVM calls to copy elements that are not side by side. */

typedef struct {
  char *allocated, *aligned;
  int64_t offset, extents_and_strides[];
} Memory;

typedef struct {
  int64_t rank;
  Memory *memory;
} Ranked;

static void copy(const char *from, const int64_t *from_strides, char *to, const int64_t *to_strides,
                 const int64_t *extents, int64_t rank, int64_t size) {
  if (rank == 0 || (rank == 1 && *from_strides == 1 && *to_strides == 1)) {
    memcpy(to, from, (rank == 0 ? 1 : *extents) * size);
    return;
  }
  for (int64_t i = 0; i < *extents; i++)
    copy(from + i * *from_strides * size, from_strides + 1, to + i * *to_strides * size,
         to_strides + 1, extents + 1, rank - 1, size);
}

void memrefCopy(int64_t size, Ranked *from, Ranked *to);
void memrefCopy(int64_t size, Ranked *from, Ranked *to) {
  const Memory *a = from->memory, *b = to->memory;
  copy(a->aligned + a->offset * size, a->extents_and_strides + from->rank,
       b->aligned + b->offset * size, b->extents_and_strides + to->rank, a->extents_and_strides,
       from->rank, size);
}
"""
