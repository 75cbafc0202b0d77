"""ncnn's files as inputs of plain `xdsl-opt`.

xDSL 0.74 finds dialects and passes of packages by their entry points, but no frontends: given a
`.param`, it would end with a traceback. Its driver loads our universe before it lists its
frontends, and so ours can be added to its list.
"""

import sys
from typing import IO

from xdsl.dialects.builtin import ModuleOp

ENDINGS = ("param", "bin")
"""The endings of file names; `bin` is the ending of a `.param.bin`."""


def add_frontends() -> None:
    """Let xDSL's driver read ncnn's files."""
    from xdsl.tools.command_line_tool import CommandLineTool

    register = CommandLineTool.register_all_frontends

    def register_all_frontends(self: CommandLineTool) -> None:
        register(self)
        for ending in ENDINGS:
            self.available_frontends.setdefault(ending, read)

    CommandLineTool.register_all_frontends = register_all_frontends


def read(stream: IO[bytes]) -> ModuleOp:
    """Return the model in a file, with its weights. End with one message where that fails: xDSL's
    driver would print a traceback."""
    from .errors import USER_ERRORS, UsageError, describe
    from .files import read_model

    path = str(getattr(stream, "name", "stdin"))
    try:
        if not hasattr(stream, "name"):
            raise UsageError("--split-input-file is for IR, not for a .param")
        source = read_model(path)
    except USER_ERRORS as e:
        sys.exit(f"xdsl-opt: error: {describe(e, path)}")
    for message in source.warnings:
        print(f"warning: {message}", file=sys.stderr)
    return source.module
