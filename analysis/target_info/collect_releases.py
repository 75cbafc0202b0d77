"""Collect the features that each ncnn release introduced from the tagged sources of ncnn.

    python -m ncnn_opt.analysis.target_info.collect_releases PATH_TO_NCNN_GIT

The output, `releases.json`, lists only features that the oldest supported release lacks:

- layer types: `ncnn_add_layer(…)` in `src/CMakeLists.txt`;
- parameters by id: `pd.get(ID, …)` in `src/layer/TYPE.cpp`;
- values of parameter 0 (`op_type`) of BinaryOp and UnaryOp, and of Reduction's `operation`: the
  enumerations in their headers;
- strings and comma-separated arrays as parameter values: `src/paramdict.cpp`.

Features that no tag has belong to the first release after the last tag.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

TAGS = (
    "20240102",
    "20240410",
    "20240820",
    "20241226",
    "20250428",
    "20250503",
    "20250916",
    "20260113",
    "20260526",
)
"""The tags from the oldest supported release on. The wheel of 20260113 is called 20260114."""

NEWEST = "20261020"
"""The newest release. It has no tag: the source of July 2026 stands for it."""

ENUMERATIONS = ("BinaryOp", "UnaryOp", "Reduction")

Feature = tuple[str, ...]
"""`("layer", TYPE)`, `("parameter", TYPE, ID)`, `("value", TYPE, ID, VALUE)`, `("file", NAME)`."""


def features(repository: Path, revision: str) -> Iterator[Feature]:
    """Yield all features of one revision of ncnn's source."""

    def source(path: str) -> str:
        command = ["git", "-C", str(repository), "show", f"{revision}:{path}"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    types = re.findall(r"^ncnn_add_layer\((\w+)", source("src/CMakeLists.txt"), re.MULTILINE)
    for layer in types:
        yield "layer", layer
        for number in set(re.findall(r"pd\.get\((\d+)", source(f"src/layer/{layer.lower()}.cpp"))):
            yield "parameter", layer, number
    for layer in ENUMERATIONS:
        header = source(f"src/layer/{layer.lower()}.h")
        for number in re.findall(r"\w+_\w+\s*=\s*(\d+)", header):
            yield "value", layer, "0", number
    reader = source("src/paramdict.cpp")
    if "vstr_is_string" in reader:
        yield "file", "string"
    if "// 3=0.1,0.2" in reader:
        yield "file", "array without a negative id"


def introduced(repository: Path) -> dict[str, list[list[str]]]:
    """Return, by release, the features that the releases before it lack."""
    known: set[Feature] = set(features(repository, TAGS[0]))
    found: dict[str, list[list[str]]] = {TAGS[0]: []}
    for release, revision in (*((tag, tag) for tag in TAGS[1:]), (NEWEST, "HEAD")):
        now = set(features(repository, revision))
        found[release] = sorted(list(feature) for feature in now - known)
        known |= now
    return found


def main() -> None:
    """Write `releases.json` beside this file."""
    path = Path(__file__).with_name("releases.json")
    rows = [
        f" {json.dumps(release)}: [" + ",".join(f"\n  {json.dumps(f)}" for f in new) + "]"
        for release, new in introduced(Path(sys.argv[1])).items()
    ]
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
