"""A copy of the checkout with an environment of its own, which mutants are written to."""

import compileall
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def copy_checkout(target: Path) -> Path:
    """Copy the files that git knows or does not ignore; return the Python that runs the copy.

    Its packages are those of this Python, but for `ncnn_opt`, which is that of the copy.
    """
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in names.split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)
    # The tree of links to the folders of the package, as an editable installation makes it.
    make = "import setuptools, sys; setuptools.setup = lambda **_: None; import setup"
    subprocess.run([sys.executable, "-c", make], cwd=target, check=True, capture_output=True)
    venv.create(target / ".venv", with_pip=False)
    bin_ = target / ".venv" / "bin"
    python = os.path.abspath(sys.executable)
    start = os.fsencode(f"#!{python}\n")
    for script in Path(python).parent.iterdir():
        text = script.read_bytes() if script.is_file() and not script.is_symlink() else b""
        if text.startswith(start) and not (copy := bin_ / script.name).exists():
            copy.write_bytes(b"#!%s/python\n" % os.fsencode(bin_) + text.removeprefix(start))
            copy.chmod(0o755)
    places = [p for p in sys.path if "site-packages" in p and os.path.isdir(p)]
    path = [str(target / ".package"), *places]
    purelib = sysconfig.get_path("purelib", vars={"base": str(target / ".venv")})
    Path(purelib, "copy.pth").write_text("\n".join(path) + "\n")
    compileall.compile_dir(target, quiet=2)
    return bin_ / "python"
