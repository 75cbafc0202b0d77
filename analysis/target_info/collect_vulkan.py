"""Collect the layers that have a Vulkan implementation, for each ncnn release, from ncnn's sources.

    python -m ncnn_opt.analysis.target_info.collect_vulkan PATH_TO_NCNN_GIT FOLDER_OF_NEWEST

The newest release has no tag. FOLDER_OF_NEWEST is its unpacked source distribution.

The output, `vulkan.json`, lists for each release the facts that differ from the release before:

- `layers`: by layer type, the C++ conditions under which a layer with a Vulkan implementation runs
  on the CPU instead (`support_vulkan = false` in `src/layer/` and `src/layer/vulkan/`); `null` for
  a type that lost its implementation;
- `int8`: whether a model with an int8 layer may use Vulkan at all (`src/net.cpp`).
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from .collect_releases import NEWEST, TAGS

Read = Callable[[str], str]
"""Returns the text of a file of one revision."""

Facts = dict[str, Any]

ON, OFF = "support_vulkan = true;", "support_vulkan = false;"


def conditions(source: str) -> set[str]:
    """Return the conditions of the blocks that turn Vulkan off."""
    found: set[str] = set()
    for match in re.finditer(re.escape(OFF), source):
        depth, at = 0, match.start()
        while depth <= 0:  # to the brace that opens the block
            at -= 1
            depth += {"{": 1, "}": -1}.get(source[at], 0)
        head = re.search(r"if \(([^{};]*)\)\s*$", source[:at])
        found.add("" if head is None else head[1])
    return found


def facts(names: Collection[str], read: Read) -> Facts:
    """Return all facts of one revision. `names` are the paths of the sources of layers."""
    layers: dict[str, list[str]] = {}
    for layer in re.findall(r"^ncnn_add_layer\((\w+)", read("src/CMakeLists.txt"), re.MULTILINE):
        paths = f"src/layer/{layer.lower()}.cpp", f"src/layer/vulkan/{layer.lower()}_vulkan.cpp"
        sources = [read(path) for path in paths if path in names]
        if any(ON in source for source in sources):
            layers[layer] = sorted(set[str]().union(*map(conditions, sources)))
    return {"layers": layers, "int8": "no int8 gpu support yet" not in read("src/net.cpp")}


def tagged(repository: Path, tag: str) -> Facts:
    """Return the facts of a tag."""

    def git(*words: str) -> str:
        command = ["git", "-C", str(repository), *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    names = git("ls-tree", "-r", "--name-only", tag, "src/layer").split()
    return facts(names, lambda path: git("show", f"{tag}:{path}"))


def unpacked(folder: Path) -> Facts:
    """Return the facts of a source tree."""
    names = {path.relative_to(folder).as_posix() for path in folder.glob("src/layer/**/*.cpp")}
    return facts(names, lambda path: (folder / path).read_text("utf-8"))


def changes(before: Facts, after: Facts) -> Facts:
    """Return the facts that differ from the release before."""
    old: Mapping[str, list[str]] = before.get("layers", {})
    new: Mapping[str, list[str]] = after["layers"]
    layers = {name: off for name, off in new.items() if old.get(name) != off}
    gone = {name: None for name in old if name not in new}
    found: Facts = {"layers": layers | gone} if layers or gone else {}
    return found if before.get("int8") == after["int8"] else found | {"int8": after["int8"]}


def main() -> None:
    """Write `vulkan.json` beside this file."""
    repository, newest = map(Path, sys.argv[1:])
    releases = {tag: tagged(repository, tag) for tag in TAGS} | {NEWEST: unpacked(newest)}
    table: dict[str, Facts] = {}
    before: Facts = {}
    for release, after in releases.items():
        table[release] = changes(before, after)
        before = after
    path = Path(__file__).with_name("vulkan.json")
    path.write_text(json.dumps(table, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
