"""File names of related files: a model is several files, and users name only one of them."""

import os

NO_COMPANION = "none"
"""The value of `--pnnx` for a model without a `.pnnx.param`."""


def weights_beside(path: str) -> str:
    """Return the `.bin` that belongs to a `.param` or `.param.bin`."""
    for ending in (".param.bin", ".param"):
        if path.endswith(ending):
            return path.removesuffix(ending) + ".bin"
    return f"{path}.bin"


def names_beside(path: str) -> str | None:
    """Return the `.id.h` with the names of layers and blobs that was written with a `.param.bin`;
    `None` if there is none."""
    found = path.removesuffix(".bin").removesuffix(".param") + ".id.h"
    return found if path.endswith(".param.bin") and os.path.isfile(found) else None


def pnnx_beside(path: str) -> str | None:
    """Return the `.pnnx.param` that the converter wrote with a `.ncnn.param`; `None` if there is
    none."""
    if not path.endswith(".ncnn.param"):
        return None
    found = path.removesuffix(".ncnn.param") + ".pnnx.param"
    return found if os.path.isfile(found) else None


def companion_of(path: str | None, given: str | None) -> tuple[str | None, bool]:
    """Return the `.pnnx.param` of a model: the `given` one, or the one beside a `.ncnn.param`; and
    whether it was found. With `none` there is none."""
    if given is not None:
        return (None if given == NO_COMPANION else given), False
    found = None if path is None else pnnx_beside(path)
    return found, found is not None


def is_source_model(path: str) -> bool:
    """Whether a path names a model of PyTorch."""
    return path.endswith((".pnnx.param", ".pt", ".pth", ".torchscript"))
