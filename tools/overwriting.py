"""Which `.bin` an output gets, so that no other model loses its weights.

A `.param` and an `.mlir` of one name would share one `.bin`, but they lay it out differently.
"""

import filecmp
import os
import re
import sys
from collections.abc import Sequence

from ..frontends.files import weights_beside
from ..targets.files import OutputFiles
from ..targets.replacing import SAVED
from .errors import UsageError

_REFERENCE = re.compile(rb'#ncnn\.weight<\s*"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|.)")


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
    model uses: the input, or one of their name beside them, be it one that a killed run has left.
    """
    stem = weights.removesuffix(".bin")
    graphs = {f"{stem}.mlir"}
    if weights in (weights_beside(path), weights_beside_mlir(path)):  # nobody has named it
        graphs |= {f"{stem}.param", f"{stem}.param.bin"}
    if input_file is not None:
        graphs.add(input_file)
    real = os.path.realpath(path)
    others = [graph for graph in sorted(graphs) if os.path.realpath(graph) != real]
    for graph in others:
        left = graph + SAVED
        if os.path.isfile(left) and not os.path.lexists(graph) and _uses(left, graph, weights):
            raise UsageError(
                f"'{left}' was left by a killed run, with weights that '{weights}' would replace; "
                f"rename them back first, or choose another name than '{path}'"
            )
    users = [graph for graph in others if os.path.isfile(graph) and _uses(graph, graph, weights)]
    if users and _would_change(files, weights):
        raise UsageError(
            f"'{users[0]}' refers to '{weights}', which would change; choose another name than "
            f"'{path}', or another one for the weights with --output-weights"
        )


def check_unread(target: str, read: Sequence[str]) -> None:
    """Raises `UsageError` if a result would replace one of the files that it is made of."""
    for path in read:
        if os.path.exists(path) and os.path.exists(target) and os.path.samefile(path, target):
            raise UsageError(f"'{target}' is read: the result would replace it")


def _uses(file: str, graph: str, weights: str) -> bool:
    """Whether the weights of a model that is in `file`, but called `graph`, are in that file."""
    if graph.endswith(".mlir"):
        return _refers_to(file, weights)
    return os.path.realpath(weights_beside(graph)) == os.path.realpath(weights)


def _would_change(files: OutputFiles, path: str) -> bool:
    """Whether an existing file is about to be replaced by another content."""
    temporary = files.temporary_of(path)
    if temporary is None or not os.path.isfile(path):
        return False
    return not filecmp.cmp(temporary, path, shallow=False)


def _refers_to(mlir: str, weights: str) -> bool:
    """Whether the text of an `.mlir` names that file."""
    folder, real = os.path.dirname(os.path.abspath(mlir)), os.path.realpath(weights)
    with open(mlir, "rb") as f:
        names = {name for line in f for name in _REFERENCE.findall(line)}
    paths = (os.path.join(folder, os.fsdecode(_ESCAPE.sub(_unescaped, name))) for name in names)
    return any(os.path.realpath(path) == real for path in paths)


def _unescaped(escape: re.Match[bytes]) -> bytes:
    """The byte that is meant in a string of IR."""
    letter = escape[1]
    if len(letter) == 2:
        return bytes([int(letter, 16)])
    return {b"n": b"\n", b"t": b"\t"}.get(letter, letter)
