"""ncnn's `.param` and `.param.bin`, with their `.bin`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...formats.file_names import weights_beside
from .. import Frontend, ReadOptions, is_weight_path

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


class Param(Frontend):
    """The graph as text."""

    kind = "param"
    weights_words = "FILE, none or random"

    def looks_like(self, data: bytes) -> bool:
        return data.lstrip().startswith(b"7767517")

    def weights_of(self, path: str, options: ReadOptions) -> str | None:
        if options.weights is None:
            return weights_beside(path)
        return options.weights if is_weight_path(options.weights) else None

    def read(
        self, data: bytes, path: str, options: ReadOptions, context: "Callable[[], Context]"
    ) -> "tuple[ModuleOp, list[str]]":
        from .model_reader import import_param

        return import_param(data, path, options)


class ParamBin(Param):
    """The graph in the binary format of ncnn2mem."""

    kind = "param.bin"

    def looks_like(self, data: bytes) -> bool:
        from ...formats.param_binary import looks_binary

        return looks_binary(data)


FRONTENDS = (Param(), ParamBin())
