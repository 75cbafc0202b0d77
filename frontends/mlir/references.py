"""References to weight files in text before parsing."""

import os
import re

from ...formats.errors import decoded
from .parsing import NOT_TEXT

_REFERENCE = re.compile(r'#ncnn\.weight<"((?:[^"\\]|\\.)*)"[^>]*>')


def elide_missing_references(data: bytes, path: str, all_of_them: bool) -> tuple[bytes, list[str]]:
    """Return IR with references to missing files (or all references) elided, and messages about
    them. Raises `FormatError` for content that is not text."""
    text, folder = decoded(data, path, NOT_TEXT), os.path.dirname(path)
    files = set(_REFERENCE.findall(text))
    lost = {f for f in files if all_of_them or not os.path.exists(os.path.join(folder, f))}
    if lost:
        text = _REFERENCE.sub(lambda m: "#ncnn.elided" if m[1] in lost else m[0], text)
    if all_of_them:
        return text.encode(), ["structure only: weights are counted as the types say"]
    missing = ", ".join(f"'{name}'" for name in sorted(lost))
    told = [f"there is no {missing}; it is counted as the types say"] if lost else []
    return text.encode(), told
