"""What operations a pattern is rooted at.

`op_type_rewrite_pattern` reads it from the annotation, and keeps it in a variable of the function
that it makes of the method (xDSL 0.74); nothing else of xDSL gives it.
"""

from types import UnionType

from xdsl.pattern_rewriter import RewritePattern


def root_of(pattern: type[RewritePattern]) -> "type | UnionType":
    """The annotation of a pattern whose method is an `op_type_rewrite_pattern`: a type or interface
    of operations, or a union of some. Raises `TypeError` for another pattern."""
    method = pattern.match_and_rewrite
    names, cells = method.__code__.co_freevars, method.__closure__ or ()
    for name, cell in zip(names, cells, strict=True):
        if name == "expected_type":
            return cell.cell_contents
    raise TypeError(f"{pattern.__name__} does not say what it is rooted at")
