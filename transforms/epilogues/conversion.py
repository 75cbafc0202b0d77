"""The scalar code of the layers in `dialects/ncnn/conversion.py` that change elements only."""

from typing import Any

from xdsl.dialects.builtin import bf16, f16, f32, i8

from ...dialects.ncnn.conversion import CastOp, storage_word
from .registry import NotFused, scalar_code
from .terms import Term, from_int, narrowed, widened

_TYPES = {"float32": f32, "float16": f16, "int8": i8, "bfloat16": bf16}


@scalar_code(CastOp, integers=True)
def cast(op: CastOp, x: Term) -> Term:
    before, after = storage_word(op.type_from), storage_word(op.type_to)
    if before == after:
        return x
    own: Any = op.input.type
    if _TYPES.get(before) != own.element_type:
        raise NotFused(f"a cast of {before} on elements of {own.element_type}")
    match before, after:
        case "float32", "float16" | "bfloat16":
            return narrowed(x, _TYPES[after])
        case "float16" | "bfloat16", "float32":
            return widened(x)
        case "int8", "float32":
            return from_int(x)
        case _:
            raise NotFused(f"the runtime makes no {after} of {before}")
