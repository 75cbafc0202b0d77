"""The folders at the root as one package: `ncnn_opt` and its subpackages.

The build creates a tree of links, `.package/ncnn_opt`. An editable installation puts only this tree
on the path, so that tools that read code without running it (an editor, pyright) find the same
modules as Python. pyproject.toml holds everything else.
"""

import atexit
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from setuptools import find_packages, setup

if sys.version_info < (3, 11):  # noqa: UP036  (pip runs this file before it reads requires-python)
    version = ".".join(map(str, sys.version_info[:3]))
    sys.exit(f"ncnn-opt requires Python 3.11 or newer; this is Python {version}")

import tomllib  # noqa: E402  (older releases of Python lack it)

ROOT = Path(__file__).resolve().parent
TREE = ROOT / ".package" / "ncnn_opt"
NO_PARTS = {"benchmarks", "tests"}
"""Folders with code that are not part of the package."""


def parts() -> dict[str, Path]:
    """Return the folders at the root that are subpackages, by name."""
    folders = {path.parent.name: path.parent for path in sorted(ROOT.glob("[a-z]*/__init__.py"))}
    return {n: path for n, path in folders.items() if n not in {*NO_PARTS, "ncnn_opt"}}


def make_tree() -> None:
    """Update the tree of links. Raise `OSError` on a file system without links."""
    wanted = parts() | {p.name: p for p in (ROOT / "ncnn_opt").iterdir() if p.is_file()}
    TREE.mkdir(parents=True, exist_ok=True)
    for link in TREE.iterdir():  # Python writes compiled files beside the links
        if link.is_symlink() and wanted.get(link.name) != link.resolve():
            link.unlink()
    for name, target in wanted.items():
        if not (TREE / name).is_symlink():
            (TREE / name).symlink_to(os.path.relpath(target, TREE), target.is_dir())


def packages() -> dict[str, str]:
    """Return the folder of each package. (For packages in the tree, its root is enough.)"""
    try:
        make_tree()
    except OSError:
        found = {"ncnn_opt": "ncnn_opt"}
        for name in parts():
            found[f"ncnn_opt.{name}"] = name
            inner = find_packages(str(ROOT / name))
            found |= {f"ncnn_opt.{name}.{p}": f"{name}/{p.replace('.', '/')}" for p in inner}
        return found
    return dict.fromkeys(find_packages(str(TREE.parent)), "") | {"": ".package"}


def description() -> str:
    """Return the README for a package index, without relative links: a link becomes a link to the
    project's source, or only its text."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    source = project.get("urls", {}).get("Source", "").rstrip("/")
    text = (ROOT / "README.md").read_text("utf-8")
    link = rf"[\1]({source}/\2)" if source else r"\1"
    return re.sub(r"\[([^]]*)\]\((?!https:)([^)]*)\)", link, text)


# A build must not reuse files of an earlier build, and must not write into the checkout.
scratch = tempfile.mkdtemp(prefix="ncnn-opt-build-")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)
places = packages()
setup(
    packages=[name for name in places if name],
    long_description=description(),
    long_description_content_type="text/markdown",
    package_dir={name: place for name, place in places.items() if place},
    options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}},
)
