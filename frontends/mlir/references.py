"""References to files of weights, in text that is not parsed yet."""

import os
import re

from .parsing import check_text

_REFERENCE = re.compile(r'#ncnn\.weight<"((?:[^"\\]|\\.)*)"[^>]*>')


def without_lost(data: bytes, path: str, all_of_them: bool) -> tuple[bytes, list[str]]:
    """IR with nothing for references to files that are not there, or for all, and what to say of
    that. Raises `FormatError` for what is no text."""
    check_text(data, path)
    text, folder = data.decode(), os.path.dirname(path)
    files = set(_REFERENCE.findall(text))
    lost = {f for f in files if all_of_them or not os.path.exists(os.path.join(folder, f))}
    if lost:
        text = _REFERENCE.sub(lambda m: "#ncnn.elided" if m[1] in lost else m[0], text)
    if all_of_them:
        return text.encode(), ["structure only: weights are counted as the types say"]
    missing = ", ".join(f"'{name}'" for name in sorted(lost))
    told = [f"there is no {missing}; it is counted as the types say"] if lost else []
    return text.encode(), told
