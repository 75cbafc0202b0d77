"""Non-ASCII strings.

xDSL 0.74 prints such characters as escaped bytes, and parses a literal with them as bytes.
"""

from typing import cast

from xdsl.dialects.builtin import ArrayAttr, BytesAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute


def with_text(attr: Attribute) -> Attribute:
    """Return the attribute with bytes decoded to strings, also within arrays and dictionaries."""
    if isinstance(attr, BytesAttr):
        try:
            return StringAttr(attr.data.decode())
        except UnicodeDecodeError:
            return attr
    if isinstance(attr, ArrayAttr):
        return ArrayAttr([with_text(a) for a in cast(ArrayAttr[Attribute], attr)])
    if isinstance(attr, DictionaryAttr):
        return DictionaryAttr({key: with_text(a) for key, a in attr.data.items()})
    return attr
