"""Attributes without verification.

xDSL 0.74 verifies every attribute on construction and has no switch for it; its own driver does the
same as this module for `--disable-verify`.
"""

from xdsl.ir import Attribute


def skip_attributes() -> None:
    """Disable verification of attributes in this process from now on."""
    Attribute.__post_init__ = lambda self: None
