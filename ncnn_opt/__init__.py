"""ncnn-opt: an optimizing compiler for ncnn models, built on xDSL.

    model = ncnn_opt.load("model.param")
    remarks = ncnn_opt.optimize(model)
    ncnn_opt.save(model, "fast.param")

Nothing of xDSL is imported before a model is loaded.
"""

import os
import signal
import sys
from typing import TYPE_CHECKING, Any

_program = os.path.basename(sys.argv[0]) if getattr(sys, "argv", None) else ""
if _program.startswith("ncnn-") and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    # The process of a command that has not started its work: Ctrl-C ends it without a traceback.
    # `tools.process.running` replaces this handler. In other programs nothing changes.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

if TYPE_CHECKING:
    from .api import (
        Blob,
        CompiledModel,
        Layer,
        Model,
        NcnnOptError,
        check,
        compare,
        export,
        export_decoder,
        join,
        load,
        load_compiled,
        make_dynamic,
        optimize,
        passes,
        quantize,
        save,
    )

    __version__: str

__all__ = [
    "Blob",
    "CompiledModel",
    "Layer",
    "Model",
    "NcnnOptError",
    "check",
    "compare",
    "export",
    "export_decoder",
    "join",
    "load",
    "load_compiled",
    "make_dynamic",
    "optimize",
    "passes",
    "quantize",
    "save",
]


def __getattr__(name: str) -> Any:
    """Import an export of this package on its first use. The commands do not need it."""
    if name == "__version__":
        from importlib.metadata import version

        return version("ncnn-opt")
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from . import api

    return getattr(api, name)


def __dir__() -> list[str]:
    """Return the public names. Submodules and the imports of this file are not public."""
    return sorted([*__all__, "__version__"])


_root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
if __name__ != "ncnn_opt":
    # In a checkout this package contains itself: a walk over all packages would not end.
    raise ImportError(f"{__name__} is ncnn_opt")
if os.path.isfile(os.path.join(_root, "dialects", "ncnn", "__init__.py")):
    __path__.append(_root)  # in a checkout the subpackages lie beside this folder
