"""Completion in a shell, and manual pages: both have all options."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from ncnn_opt.tools import completion
from ncnn_opt.transforms.rewriting.passes import PASSES

Command = Callable[..., subprocess.CompletedProcess[str]]
Refused = Callable[..., str]

MANUAL: dict[str, Any] = run_path(str(Path(__file__).parents[3] / "docs/making/manual.py"))
write_pages, pages = MANUAL["main"], MANUAL["pages"]

COMPLETE = """
source {script}
COMP_WORDS=({words})
COMP_CWORD={place}
_shtab_{name}
echo "${{COMPREPLY[@]}}"
"""


def completed(command: Command, folder: Path, *words: str) -> set[str]:
    """What bash offers for the last word."""
    pytest.importorskip("shtab")
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    script = folder / "completion"
    tool = words[0]
    script.write_text(command(["--print-completion", "bash"], tool=tool).stdout)
    code = COMPLETE.format(
        script=script,
        words=" ".join(words),
        place=len(words) - 1,
        name=tool.replace("-", "_"),
    )
    done = subprocess.run(
        ["bash", "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_passes_and_options_are_completed(command: Command, folder: Path) -> None:
    assert completed(command, folder, "ncnn-opt", "--fuse-sw") == {"--fuse-swish"}
    assert completed(command, folder, "ncnn-opt", "--output-") == {
        "--output-dir",
        "--output-file",
        "--output-weights",
    }
    assert completed(command, folder, "ncnn-opt", "--tune", "x") == {"x86"}
    assert completed(command, folder, "ncnn-run", "--engine", "n") == {"numpy", "ncnn"}


def test_files_are_completed(command: Command, folder: Path) -> None:
    assert completed(command, folder, "ncnn-report", "model.pa") == {"model.param"}


@pytest.mark.parametrize("shell", ["zsh", "tcsh"])
def test_other_shells(shell: str, command: Command) -> None:
    pytest.importorskip("shtab")
    assert "fuse-swish" in command(["--print-completion", shell]).stdout


def test_without_shtab(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins
    from argparse import ArgumentParser
    from typing import Any

    from ncnn_opt.driver.errors import UsageError

    real = builtins.__import__

    def refuse(name: str, *rest: Any, **more: Any) -> Any:
        if name == "shtab":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(UsageError, match=r"pip install 'ncnn-opt\[completion\]'"):
        completion.completion_of(ArgumentParser(), "bash")


def test_manual_pages_have_all_options(tmp_path: Path) -> None:
    write_pages(str(tmp_path))
    text = (tmp_path / "ncnn-opt.1").read_text().replace("\\-", "-")
    assert text.startswith('.TH NCNN-OPT 1 "" "ncnn-opt ')
    for word in (*(f"--{name}" for name in PASSES), "--verify-equivalence", "--output-dir", "-O"):
        assert f"\\fB{word}\\fR" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(pages())


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
def test_manual_pages_are_roff(tmp_path: Path) -> None:
    for page in pages().values():
        done = subprocess.run(
            ["groff", "-man", "-ww", "-Tutf8", "-K", "utf8"],
            input=page,
            capture_output=True,
            text=True,
            check=True,
        )
        assert not done.stderr
