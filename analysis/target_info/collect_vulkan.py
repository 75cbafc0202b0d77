"""Collect the layers that ncnn computes on a GPU from the tagged sources of ncnn.

    python -m ncnn_opt.analysis.target_info.collect_vulkan PATH_TO_NCNN_GIT

The output, `vulkan.json`, lists by release the facts that no older release has, and those that an
older release had and this release lost (`-` before the first word):

- `["layer", TYPE]`: `src/layer/vulkan/TYPE_vulkan.cpp` sets `support_vulkan` in its constructor;
- `["cpu", TYPE, CONDITION]`: with parameters that fulfil the condition, it clears `support_vulkan`,
  and the layer runs on the CPU;
- `["refused", TYPE, CONDITION]`: with such parameters, `create_pipeline` fails with a message, and
  the model does not load.

Conditions are texts of C++; `vulkan.py` has a predicate for each.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .collect_releases import NEWEST, TAGS

Fact = tuple[str, ...]

CLEARED = re.compile(r"if \(([^\n]+)\)\s*\{[^{}]*?support_vulkan = false;")
REFUSED = re.compile(r"if \(([^\n]+)\)\s*\{[^{}]*?not supported by Vulkan[^{}]*?return -1;")


def facts(repository: Path, revision: str) -> Iterator[Fact]:
    """Yield all facts of one revision of ncnn's source."""

    def source(path: str) -> str:
        command = ["git", "-C", str(repository), "show", f"{revision}:{path}"]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.stdout if done.returncode == 0 else ""

    types = re.findall(r"^ncnn_add_layer\((\w+)", source("src/CMakeLists.txt"), re.MULTILINE)
    for layer in types:
        text = source(f"src/layer/vulkan/{layer.lower()}_vulkan.cpp")
        constructor = re.search(rf"{layer}_vulkan::{layer}_vulkan\(\)\s*\{{(.*?)\n\}}", text, re.S)
        if constructor is None or "support_vulkan = true" not in constructor[1]:
            continue
        yield "layer", layer
        yield from (("cpu", layer, condition) for condition in CLEARED.findall(text))
        yield from {("refused", layer, condition) for condition in REFUSED.findall(text)}


def by_release(repository: Path) -> dict[str, list[list[str]]]:
    """Return the new and the lost facts of each release."""
    known: set[Fact] = set()
    found: dict[str, list[list[str]]] = {}
    for release, revision in (*((tag, tag) for tag in TAGS), (NEWEST, "HEAD")):
        now = set(facts(repository, revision))
        lost = [["-" + fact[0], *fact[1:]] for fact in known - now]
        found[release] = sorted([*(list(fact) for fact in now - known), *lost])
        known = now
    return found


def main() -> None:
    """Write `vulkan.json` beside this file."""
    path = Path(__file__).with_name("vulkan.json")
    rows = [
        f" {json.dumps(release)}: [" + ",".join(f"\n  {json.dumps(f)}" for f in new) + "]"
        for release, new in by_release(Path(sys.argv[1])).items()
    ]
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
