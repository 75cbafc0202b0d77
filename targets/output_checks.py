"""The choice of an output's `.bin`, and checks that no output destroys another model's graph or
weights.

A `.param` and an `.mlir` of one name would share one `.bin`, but they lay it out differently.
"""

import filecmp
import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from ..formats.file_names import weights_beside
from .atomic_files import OutputFiles, descriptor_of
from .replacement import SAVED

_REFERENCE = re.compile(rb'(?:#ncnn\.weight<\s*|\{file = )"((?:[^"\\]|\\.)*)"')
"""A reference to a weight of a model, or to a parameter of a lowered one."""
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|.)")


class OutputError(Exception):
    """An output would destroy another file, or its name does not fit its kind."""


class Origin(NamedTuple):
    """The files that a model was read from."""

    graph: str | None = None
    """The graph file; `None` if there is none."""
    weights: str | None = None
    """The weight file; `None` if there is none, or the graph names it."""


def weights_beside_mlir(path: str) -> str:
    """Return the `.bin` that belongs to an `.mlir`."""
    return f"{path.removesuffix('.mlir')}.bin"


def check_outputs(path: str, weights: str, origin: Origin) -> None:
    """Raise `OutputError` if a model at `path` with these weights would replace half of another
    model: a graph by weights, weights by a graph, or through a link only one of both files. A link
    is valid if the other file leads to the same model."""
    if same_place(weights, path):
        raise OutputError(f"'{path}' cannot hold both the model and its weights")
    if origin.graph is not None and same_place(weights, origin.graph):
        raise OutputError(f"'{weights}' is the model: its weights would replace it")
    if origin.weights is not None and same_place(path, origin.weights):
        raise OutputError(f"'{path}' holds the weights of the model: the graph would replace them")
    if path.endswith(".bin") and not path.endswith(".param.bin"):
        raise OutputError(f"'{path}' is a name for weights, not for a graph")
    if weights.endswith((".param", ".param.bin", ".mlir")) and not os.path.isdir(weights):
        raise OutputError(f"'{weights}' is a name for a graph, not for weights")
    _check_links(path, weights)


def check_no_weights(path: str) -> None:
    """Raise `OutputError` if another model's weights are at the default weight path of the model at
    `path`, which is written without weights."""
    weights = weights_beside(path)
    if os.path.lexists(weights):
        raise OutputError(
            f"'{weights}' exists: it would be read as the weights of '{path}', which is written "
            "without weights; write to another name"
        )


def _check_links(path: str, weights: str) -> None:
    links = [name for name in (path, weights) if _is_followed(name)]
    if not links:
        return
    link, place = links[0], os.path.realpath(path)
    target, other = os.path.realpath(link), weights if link == path else path
    if path.endswith(".mlir") and os.path.dirname(place) != os.path.realpath(os.path.dirname(path)):
        # References in the file would be valid from one of the folders only.
        raise OutputError(f"'{path}' is a link to '{place}' in another folder; write to that name")
    own = (weights_beside(place), weights_beside_mlir(place), f"{place}.bin")
    if os.path.realpath(weights) not in own:
        raise OutputError(
            f"'{link}' is a link to '{target}', but '{other}' does not belong to that model: half "
            f"of it would be replaced; write to '{target}' itself, or remove the link"
        )


def _is_followed(path: str) -> bool:
    """Whether a path is a link to an existing or future regular file that is replaced."""
    if not os.path.islink(path) or descriptor_of(path) is not None:
        return False
    return os.path.isfile(path) or not os.path.exists(path)


def is_same_file(path: str, other: str) -> bool:
    """Whether two paths lead to one existing file."""
    return os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)


def same_place(path: str, other: str) -> bool:
    """Whether two paths lead to the same directory entry, so that renaming a file to one changes
    the other. (Two hard links of a file do not.)"""
    if os.path.realpath(path) == os.path.realpath(other):
        return True
    if not is_same_file(path, other):
        return False
    a, b = os.path.realpath(path), os.path.realpath(other)
    if os.path.basename(a) != os.path.basename(b):
        # Names that differ in case only, on a case-insensitive file system.
        return os.stat(a).st_nlink == 1
    return os.path.samefile(os.path.dirname(a), os.path.dirname(b))  # a folder mounted twice


def choose_weight_file(files: OutputFiles, weights: str) -> str:
    """Return the weight file of a new `.mlir`: `x.bin`, or `x.mlir.bin` if the former is the `.bin`
    of an ncnn model and would change."""
    stem = weights.removesuffix(".bin")
    taken = any(os.path.exists(f"{stem}{ending}") for ending in (".param", ".param.bin"))
    if not taken or not _would_change(files, weights):
        return weights
    other = f"{stem}.mlir.bin"
    files.retarget(weights, other)
    return other


def check_unused(files: OutputFiles, path: str, weights: str, origin: Origin) -> None:
    """Raise `OutputError` if new weights for the model at `path` would replace weights that another
    model uses: the input, or a model of the same name beside them (or beside a link's target),
    including one left by a killed run."""
    stems = [weights.removesuffix(".bin")]
    if os.path.islink(weights):
        stems.append(os.path.realpath(weights).removesuffix(".bin"))
    endings = [".mlir"]
    place = os.path.realpath(path)
    if os.path.realpath(weights) in (weights_beside(place), weights_beside_mlir(place)):
        endings += [".param", ".param.bin"]  # the name is a default
    graphs = {stem + ending for stem in stems for ending in endings}
    users = {graph: None if graph.endswith(".mlir") else weights_beside(graph) for graph in graphs}
    if origin.graph is not None:
        users[origin.graph] = origin.weights
    others = [user for user in sorted(users.items()) if not same_place(user[0], path)]
    for graph, own in others:
        left = graph + SAVED
        if os.path.isfile(left) and not os.path.lexists(graph) and _uses(left, own, weights):
            raise OutputError(
                f"'{left}' was left by a killed run, with weights that '{weights}' would replace; "
                f"rename them back first, or choose another name than '{path}'"
            )
    found = [graph for graph, own in others if os.path.isfile(graph) and _uses(graph, own, weights)]
    if found and _would_change(files, weights):
        raise OutputError(
            f"'{found[0]}' refers to '{weights}', which would change; choose another name than "
            f"'{path}', or another one for the weights with --output-weights"
        )


def check_unread(target: str, read: Sequence[str]) -> None:
    """Raise `OutputError` if a result would replace one of its inputs."""
    for path in read:
        if is_same_file(path, target):
            raise OutputError(f"'{target}' is an input: the result would replace it")


def _uses(file: str, own: str | None, weights: str) -> bool:
    """Whether the model whose graph is in `file` has its weights in that file. `own` is the `.bin`
    of a `.param`; IR names its weight files."""
    if own is not None and same_place(own, weights):
        return True
    folder, real = os.path.dirname(os.path.abspath(file)), os.path.realpath(weights)
    with open(file, "rb") as f:
        names = {name for line in f for name in _REFERENCE.findall(line)}
    paths = (os.path.join(folder, os.fsdecode(_ESCAPE.sub(_unescaped, name))) for name in names)
    return any(os.path.realpath(path) == real for path in paths)


def _would_change(files: OutputFiles, path: str) -> bool:
    """Whether an existing file will be replaced by different content."""
    temporary = files.temporary_of(path)
    if temporary is None or not os.path.isfile(path):
        return False
    return not filecmp.cmp(temporary, path, shallow=False)


def _unescaped(escape: re.Match[bytes]) -> bytes:
    """Return the byte for an escape in an IR string."""
    letter = escape[1]
    if len(letter) == 2:
        return bytes([int(letter, 16)])
    return {b"n": b"\n", b"t": b"\t"}.get(letter, letter)
