"""Several models in one file, side by side (`ncnn-merge`)."""

import os
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp, StringAttr

from ..dialects.ncnn.lookup import model_of
from ..frontends import ReadOptions
from ..targets import Output
from ..targets.output_checks import check_unread
from ..transforms.edits.joining import join
from ..transforms.edits.naming import replace_names
from .errors import UsageError
from .model_files import read_model, write_model


def merge(models: Sequence[tuple[str, str]], param: str, weights: str) -> None:
    """Write models, each a `.param` and its `.bin`, into one. The file's name up to its first dot
    is the prefix of all names. Raises one of `USER_ERRORS`."""
    prefixes = [os.path.basename(path).partition(".")[0] for path, _ in models]
    for prefix, (path, _) in zip(prefixes, models, strict=True):
        if prefixes.count(prefix) > 1:
            raise UsageError(
                f"'{path}': another model has the prefix '{prefix}/', so names would clash; rename "
                "one of the files"
            )
    for path in (param, weights):
        check_unread(path, [file for pair in models for file in pair])
    sources = [read_model(path, ReadOptions(own)) for path, own in models]
    functions = [model_of(source.module) for source in sources]
    for i, (func, prefix) in enumerate(zip(functions, prefixes, strict=True)):
        replace_names(func, lambda n, p=prefix: f"{p}/{n}", lambda n, p=prefix: f"{p}/{n}")
        func.detach()
        func.sym_name = StringAttr("main" if i == 0 else f"model{i + 1}")
    module = ModuleOp(functions)
    join(module, (), apart=True)
    write_model(module, Output(param, weights, sources[0].origin))
