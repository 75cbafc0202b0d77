"""IR as text, with references to weight files."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from .. import Frontend, ReadOptions

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation


class Mlir(Frontend):
    """The text of a module, or of a module's content."""

    kind = "mlir"

    def read(
        self, data: bytes, path: str, options: ReadOptions, context: "Callable[[], Context]"
    ) -> "tuple[ModuleOp, list[str]]":
        from .parsing import parse_ir, verify_ir
        from .references import elide_missing_references

        warnings: list[str] = []
        if options.structure_only:
            data, warnings = elide_missing_references(data, path, options.weights == "none")
        known = context()
        known.allow_unregistered = options.allow_unregistered
        starts: dict[Operation, int] = {}
        module = parse_ir(known, data, path, options.implicit_module, starts)

        def line_of(op: "Operation") -> int | None:
            if op not in starts:
                return None
            before = data.decode()[: starts[op]].count("\n")
            return before + 1 + options.line_offset

        if options.verify:
            verify_ir(module, path, line_of)
        return module, warnings


FRONTENDS = (Mlir(),)
