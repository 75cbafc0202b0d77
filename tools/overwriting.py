"""Which `.bin` an output gets, so that no other model loses its weights.

A `.param` and an `.mlir` of one name would share one `.bin`, but they lay it out differently.
"""

import filecmp
import os
import sys

from ..frontends.files import weights_beside
from ..targets.files import OutputFiles
from .errors import UsageError


def weights_beside_mlir(path: str) -> str:
    """The `.bin` that belongs to an `.mlir`."""
    return f"{path.removesuffix('.mlir')}.bin"


def settle_weights(files: OutputFiles, weights: str) -> str:
    """Which file the new weights of an `.mlir` become: `x.bin`, but `x.mlir.bin` if they would
    change the `x.bin` of an ncnn model."""
    stem = weights.removesuffix(".bin")
    taken = any(os.path.exists(f"{stem}{ending}") for ending in (".param", ".param.bin"))
    if not taken or not _would_change(files, weights):
        return weights
    other = f"{stem}.mlir.bin"
    files.retarget(weights, other)
    print(
        f"note: the weights go to '{other}', since '{weights}' belongs to an ncnn model",
        file=sys.stderr,
    )
    return other


def check_unused(files: OutputFiles, path: str, weights: str, input_file: str | None) -> None:
    """Raises `UsageError` if new weights for the model at `path` would replace others that another
    model uses: the input, or one beside them."""
    stem = weights.removesuffix(".bin")
    graphs = {input_file or "", f"{stem}.mlir"}
    if weights == weights_beside(path):  # named after the model, as those of others may be
        graphs |= {f"{stem}.param", f"{stem}.param.bin"}
    real = os.path.realpath(path)
    users = [
        graph
        for graph in sorted(graphs)
        if os.path.isfile(graph) and os.path.realpath(graph) != real and _uses(graph, weights)
    ]
    if users and _would_change(files, weights):
        raise UsageError(
            f"'{users[0]}' refers to '{weights}', which would change; choose another name than "
            f"'{path}', or another one for the weights with --output-weights"
        )


def _uses(graph: str, weights: str) -> bool:
    """Whether the weights of a model are in that file."""
    if graph.endswith(".mlir"):
        return _refers_to(graph, weights)
    return os.path.realpath(weights_beside(graph)) == os.path.realpath(weights)


def _would_change(files: OutputFiles, path: str) -> bool:
    """Whether an existing file is about to be replaced by another content."""
    temporary = files.temporary_of(path)
    if temporary is None or not os.path.isfile(path):
        return False
    return not filecmp.cmp(temporary, path, shallow=False)


def _refers_to(mlir: str, weights: str) -> bool:
    """Whether the text of an `.mlir` names that file."""
    name = f'"{os.path.relpath(weights, os.path.dirname(os.path.abspath(mlir)))}"'.encode()
    try:
        with open(mlir, "rb") as f:
            return any(name in line for line in f)
    except OSError:
        return False
