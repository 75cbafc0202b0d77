"""Types and attributes of the `pnnx` dialect."""

import os
from contextvars import ContextVar

from xdsl.ir import Data, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

ARCHIVE_BASE: ContextVar[str | None] = ContextVar("ARCHIVE_BASE", default=None)
"""The folder that printed archive paths are relative to; `None`: the working directory."""


@irdl_attr_definition
class AnyType(ParametrizedAttribute, TypeAttribute):
    """The type of an operand without a type in the file: a list, a number, or a tensor of any
    shape."""

    name = "pnnx.any"


@irdl_attr_definition
class NullType(ParametrizedAttribute, TypeAttribute):
    """The unknown element type of a tensor (PNNX's `null`)."""

    name = "pnnx.null"


@irdl_attr_definition
class ArchiveAttr(Data[str]):
    """A `.pnnx.bin`: `#pnnx.archive<"model.pnnx.bin">`.

    In text, the path is relative to the text's folder; in memory it is absolute. The values of a
    weight are the member `OPERATOR.KEY`.
    """

    name = "pnnx.archive"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            data = parser.parse_optional_bytes_literal()
            path = parser.parse_str_literal() if data is None else os.fsdecode(data)
        if not path or "\0" in path:
            parser.raise_error("expected a file name")
        name = parser.lexer.input.name
        folder = os.path.dirname(name) if os.path.isfile(name) else ""
        return os.path.abspath(os.path.join(folder, path))

    def print_parameter(self, printer: Printer) -> None:
        base = ARCHIVE_BASE.get() or os.getcwd()
        with printer.in_angle_brackets():
            printer.print_bytes_literal(os.fsencode(os.path.relpath(self.data, base)))
