"""Models of Ultralytics: the module that their own export to ncnn would convert."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from ..interpreters.errors import RunError
from .errors import UsageError

FORMAT = "ncnn"
"""Ultralytics' name of the format."""


def is_ultralytics(module: Any) -> bool:
    """Whether this is a model of Ultralytics: it has a method `export(format=…)` and the module of
    PyTorch as `model`."""
    return callable(getattr(module, "export", None)) and callable(getattr(module, "model", None))


def prepared(model: Any, inputs: Sequence[Any]) -> Any:
    """Return a copy of the module of a model of Ultralytics, prepared for its export to ncnn: with
    fused layers, and without the training outputs and the selection of the best boxes, which ncnn
    lacks. The model's own export converts at a size of its own, writes into the working folder and
    installs packages, so it is not called. Raises `RunError` and `UsageError`."""
    _check_size(model.model, inputs)
    try:
        module = deepcopy(model.model).cpu().float().eval()
        # `fuse` removes the unused head, so the head is selected before.
        for part in [module, *module.modules()]:
            if getattr(part, "end2end", False):
                part.end2end = False
        if callable(getattr(module, "fuse", None)):
            module = module.fuse(verbose=False)
        for part in module.modules():
            # Heads have these attributes; other modules have no `export`.
            if isinstance(getattr(part, "export", None), bool):
                part.export, part.format, part.dynamic, part.shape = True, FORMAT, False, None
            if callable(getattr(part, "forward_split", None)):
                part.forward = part.forward_split
    except Exception as e:  # any error of another package
        raise RunError(f"Ultralytics cannot prepare the model: {e}") from e
    for parameter in module.parameters():
        parameter.requires_grad = False
    return module


def _check_size(module: Any, inputs: Sequence[Any]) -> None:
    """Raise `UsageError` for an image whose size the model does not take."""
    if len(inputs) != 1 or inputs[0].ndim != 4:
        raise UsageError(
            "a model of Ultralytics has one input: a tensor of images, batch x channels x height x "
            "width"
        )
    strides: Any = getattr(module, "stride", None)
    if not hasattr(strides, "numel") or not strides.numel():
        return
    stride, size = int(strides.max()), tuple(inputs[0].shape[2:])
    if any(n % stride for n in size):
        near = " x ".join(str(max(round(n / stride), 1) * stride) for n in size)
        raise UsageError(
            f"the model takes images whose height and width are multiples of {stride}, not "
            f"{size[0]} x {size[1]}: use {near}"
        )
