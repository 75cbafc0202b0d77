"""The root operation types of a pattern.

xDSL 0.74: `op_type_rewrite_pattern` reads the type from the annotation and keeps it only in a
closure of the decorated method.
"""

from types import UnionType

from xdsl.pattern_rewriter import RewritePattern


def root_of(pattern: type[RewritePattern]) -> "type | UnionType":
    """Return the annotation of a pattern whose method is an `op_type_rewrite_pattern`: an operation
    type or interface, or a union. Raises `TypeError` for other patterns."""
    method = pattern.match_and_rewrite
    names, cells = method.__code__.co_freevars, method.__closure__ or ()
    for name, cell in zip(names, cells, strict=True):
        if name == "expected_type":
            return cell.cell_contents
    raise TypeError(f"{pattern.__name__} does not declare its root operation")
