"""PNNX's own `.pnnx.param`, with its `.pnnx.bin`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from .. import Frontend, ReadOptions
from ..param import Param

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


class Pnnx(Frontend):
    """The graph as text."""

    kind = "pnnx.param"
    weights_words = "FILE or none"
    weights_of = Param.weights_of

    def looks_like(self, data: bytes) -> bool:
        from ...formats.pnnx_param import looks_like_pnnx

        return looks_like_pnnx(data)

    def read(
        self, data: bytes, path: str, options: ReadOptions, context: "Callable[[], Context]"
    ) -> "tuple[ModuleOp, list[str]]":
        from .importer import import_pnnx

        return import_pnnx(data, path, options)


FRONTENDS = (Pnnx(),)
