"""IR as text, with references to weight files."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from .. import Frontend, ReadOptions

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


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
        module = parse_ir(known, data, path, options.implicit_module)
        if options.verify:
            verify_ir(module, path)
        return module, warnings


FRONTENDS = (Mlir(),)
