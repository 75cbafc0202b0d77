"""Attributes of the module that a pass or a pattern works on. This module imports no dialect."""

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation

from .target_info import ATTRIBUTE, VULKAN


def module_attribute(op: Operation, name: str) -> Attribute | None:
    """Return an attribute of the module of an operation."""
    module = op
    while (parent := module.parent_op()) is not None:
        module = parent
    return module.attributes.get(name)


def is_tuned_for_vulkan(op: Operation) -> bool:
    """Whether the module of an operation is tuned for a Vulkan device."""
    return module_attribute(op, ATTRIBUTE) == StringAttr(VULKAN)


def may_run_on_vulkan(op: Operation) -> bool:
    """Whether the module of an operation is not tuned for a CPU."""
    return module_attribute(op, ATTRIBUTE) in (None, StringAttr(VULKAN))
