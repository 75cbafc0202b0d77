"""Reading models of which the structure is enough."""

import os
import re

from xdsl.dialects.builtin import ModuleOp

from ...frontends.files import ImportOptions, weights_beside
from ..environment import make_context
from ..ir_text import check_text, parse_ir, verify_ir
from ..models import read_model

STRUCTURE_ONLY = "structure only: weights are counted as the parameters say, as float32 or int8"
"""What to say of a model that was read without weights."""

_REFERENCE = re.compile(r'#ncnn\.weight<"((?:[^"\\]|\\.)*)"[^>]*>')


def open_model(
    path: str, weights: str | None, allow_trailing: bool, custom: dict[str, tuple[int, ...]]
) -> tuple[ModuleOp, list[str]]:
    """The verified module of a model, and notes about it. Weights that are not there are left out:
    the `.bin` beside a `.param`, if no other is named, and files that a `.mlir` refers to. Raises
    one of `USER_ERRORS`."""
    if path.endswith(".mlir"):
        return _open_mlir(path, weights == "none")
    notes: list[str] = []
    if weights is None and not os.path.exists(beside := weights_beside(path)):
        weights = "none"
        notes.append(f"there is no '{beside}'; {STRUCTURE_ONLY}")
    elif weights == "none":
        notes.append(STRUCTURE_ONLY)
    module, messages = read_model(path, ImportOptions(weights, allow_trailing, custom))
    return module, notes + messages


def _open_mlir(path: str, without: bool) -> tuple[ModuleOp, list[str]]:
    with open(path, "rb") as f:
        data = f.read()
    check_text(data, path)
    text, folder = data.decode(), os.path.dirname(path)
    files = set(_REFERENCE.findall(text))
    lost = {f for f in files if without or not os.path.exists(os.path.join(folder, f))}
    if lost:
        text = _REFERENCE.sub(lambda m: "#ncnn.elided" if m[1] in lost else m[0], text)
    module = parse_ir(make_context(), text.encode(), path)
    verify_ir(module, path)
    if without:
        return module, ["structure only: weights are counted as the types say"]
    missing = ", ".join(f"'{name}'" for name in sorted(lost))
    return module, [f"there is no {missing}; it is counted as the types say"] if lost else []
