"""Attributes without verification.

xDSL 0.74 verifies an attribute whenever one is made, and has no switch for that: its own driver
does the same for `--disable-verify`.
"""

from xdsl.ir import Attribute


def skip_attributes() -> None:
    """Lets attributes be made without verification, in this process, from now on."""
    Attribute.__post_init__ = lambda self: None
