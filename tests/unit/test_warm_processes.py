"""Programs that are kept warm do what they do when they are started, and leave nothing behind."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import warm_server
from warm_processes import WARM

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs fork")]

Completed = subprocess.CompletedProcess[Any]

LIT_CONFIG = Path(__file__).parents[1] / "filecheck" / "lit.cfg.py"

SELF = """
import gc, json, locale, os, signal, sys, threading
streams = sys.stdin, sys.stdout, sys.stderr
print(json.dumps({
    "argv": sys.argv,
    "path": sys.path,
    "folder": os.getcwd(),
    "environment": dict(os.environ),
    "streams": [
        (s.name, s.mode, s.encoding, s.errors, s.line_buffering, s.write_through, s.isatty())
        for s in streams
    ],
    "originals": (sys.__stdin__, sys.__stdout__, sys.__stderr__) == streams,
    "files": sorted(f for f in os.listdir("/dev/fd") if os.path.exists(f"/dev/fd/{f}")),
    "signals": [repr(signal.getsignal(s)) for s in sorted(signal.valid_signals())],
    "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    "mask": os.umask(0),
    "garbage": (gc.isenabled(), gc.get_threshold()),
    "encodings": [sys.getfilesystemencoding(), locale.getpreferredencoding(False).lower()],
    "threads": threading.active_count(),
    "read": sys.stdin.read(),
}))
print("ncnn_opt.transforms" in sys.modules)
"""
"""All that a program may find out about its process, and whether that was warm."""

ENVIRONMENTS: dict[str, tuple[dict[str, str], bool]] = {
    "as here": ({}, True),
    "no language": ({"LANG": "", "LC_ALL": ""}, True),
    "other streams": ({"PYTHONIOENCODING": "ascii:replace"}, True),
    "no buffers": ({"PYTHONUNBUFFERED": "1"}, True),
    "buffers": ({"PYTHONUNBUFFERED": ""}, True),
    "modules": ({"PYTHONPATH": "{folder}"}, True),
    "a module of ours": ({"PYTHONPATH": "{folder}/other"}, False),
    "modules of its folder": ({"PYTHONPATH": "."}, False),
    "warnings are errors": ({"PYTHONWARNINGS": "error"}, False),
    "optimized": ({"PYTHONOPTIMIZE": "1"}, False),
    "no UTF-8": ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, False),
}
"""Variables, and whether a warm process can be what Python is with them."""


def run_both(folder: Path, code: str, **options: Any) -> tuple[Completed, Completed]:
    """A program in a warm process, and one that is started."""
    (folder / "program.py").write_text(code)
    command = [sys.executable, "program.py", "an argument", "--and=more"]
    options = {"cwd": folder, "capture_output": True, "timeout": 60, **options}
    return warm_server.run(command, **options), warm_server.start(command, **options)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_process_is_as_one_that_is_started(name: str, tmp_path: Path) -> None:
    (tmp_path / "other" / "ncnn_opt").mkdir(parents=True)
    (tmp_path / "other" / "ncnn_opt" / "__init__.py").touch()
    variables, is_warm = ENVIRONMENTS[name]
    given = {name: value.format(folder=tmp_path) for name, value in variables.items()}
    environment = {**os.environ, **given}
    warm, new = run_both(tmp_path, SELF, env=environment, input="ä\n".encode())
    (told, was_warm), (expected, was_new) = warm.stdout.splitlines(), new.stdout.splitlines()
    assert (was_warm, was_new) == (str(WARM and is_warm).encode(), b"False")
    assert json.loads(told) == json.loads(expected)
    assert warm.stderr == new.stderr == b""


ENDS = {
    "nothing": "",
    "a number": "import sys; sys.exit(3)",
    "a large number": "import sys; sys.exit(259)",
    "a text": "import sys; sys.exit('a text')",
    "none": "import sys; sys.exit(None)",
    "an error": "print('before'); raise ValueError('a text')",
    "a hook": "import sys; sys.excepthook = lambda *a: print(*a[:2]); raise ValueError('a text')",
    "at once": "import os; print('lost'); os._exit(5)",
    "a signal": "import os; print('lost'); os.kill(os.getpid(), 9)",
    "a signal that asks": "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "later": "import atexit; atexit.register(print, 'later'); print('sooner')",
    "a finalizer": "import tempfile; print('kept'); f = tempfile.TemporaryDirectory(dir='.')",
    "a thread": "import threading; threading.Timer(0.1, print, ['later']).start(); print('sooner')",
    "no room": "import os; os.dup2(os.open('/dev/full', os.O_WRONLY), 1); print('lost')",
    "a closed stream": "import sys; sys.stdout.close()",
    "a child": "import os\nif os.fork(): os.wait()\nprint('twice')",
}


@pytest.mark.parametrize("name", ENDS)
def test_the_end_is_that_of_one_that_is_started(name: str, tmp_path: Path) -> None:
    if name == "no room" and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    warm, new = run_both(tmp_path, ENDS[name])
    assert warm.returncode == new.returncode
    assert warm.stdout == new.stdout
    # Of a traceback, the places differ.
    assert warm.stderr.splitlines()[-1:] == new.stderr.splitlines()[-1:]
    assert os.listdir(tmp_path) == ["program.py"]


SPOIL = """
import atexit, json, os, signal, sys, warnings
import ncnn_opt.dialects.ncnn as dialect
from xdsl.dialects.builtin import IntegerType
from xdsl.irdl import Operand

found = [
    len(dialect.FAMILIES) > 50,
    "SPOILT" not in os.environ,
    os.path.exists("program.py"),
    hasattr(IntegerType, "verify"),
    signal.getsignal(signal.SIGTERM) == signal.SIG_DFL,
    sys.getrecursionlimit() == 1000,
    json.dumps is not None,
]
print(*found)
dialect.FAMILIES.clear()
os.environ["SPOILT"] = "1"
del IntegerType.verify
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sys.setrecursionlimit(900)
json.dumps = None
atexit.register(print, "spoilt")
warnings.simplefilter("error")
os.umask(0o777)
os.chdir("/")
"""


def test_nothing_is_left_for_the_next_one(tmp_path: Path) -> None:
    for _ in range(2):
        warm, _ = run_both(tmp_path, SPOIL, text=True)
        assert warm.stdout == "True " * 6 + "True\nspoilt\n", warm.stderr


def test_it_takes_what_it_takes(tmp_path: Path) -> None:
    command = [sys.executable, "program.py"]
    (tmp_path / "program.py").write_text("import time; time.sleep(60)")
    with pytest.raises(subprocess.TimeoutExpired):
        warm_server.run(command, cwd=tmp_path, timeout=0.1)
    with pytest.raises(FileNotFoundError, match="no-such-program"):
        warm_server.run(["no-such-program"], cwd=tmp_path)
    (tmp_path / "program.py").write_text("raise SystemExit(3)")
    with pytest.raises(subprocess.CalledProcessError):
        warm_server.run(command, cwd=tmp_path, check=True)


# -- in lit

IR = "func.func @main(%x: tensor<2xf32>) { func.return }"

PROGRAMS = {
    "crash": "import os; os.kill(os.getpid(), 11)",
    "long": "print('a line\\n' * 100_000, 'the end', sep='')",
    "deaf": "",
}
"""Beside the tests, in `Inputs`."""

PASS, FAIL = True, False

LIT_TESTS = {
    "a check": (PASS, "RUN: ncnn-opt %s | filecheck %s", "CHECK: func.func @main"),
    "a check that fails": (FAIL, "RUN: ncnn-opt %s | filecheck %s", "CHECK: func.func @other"),
    "a not": (FAIL, "RUN: ncnn-opt %s | filecheck %s", "CHECK-NOT: func.func"),
    "a next": (
        FAIL,
        "RUN: ncnn-opt %s | filecheck %s",
        "CHECK: func.func",
        "CHECK-NEXT: func.func",
    ),
    "no input": (FAIL, "RUN: true | filecheck %s", "CHECK: x"),
    "no check": (FAIL, "RUN: ncnn-opt %s | filecheck %s --check-prefix=NONE"),
    "a status": (FAIL, "RUN: ncnn-opt %s --no-such"),
    "a status in a pipe": (
        FAIL,
        "RUN: ncnn-opt %s --no-such | filecheck %s --allow-empty",
        "CHECK-NOT: x",
    ),
    "a status wanted": (PASS, "RUN: not ncnn-opt %s --no-such"),
    "no such status": (FAIL, "RUN: not ncnn-opt %s"),
    "words": (
        PASS,
        "RUN: not ncnn-opt %s --no-such 2>&1 | filecheck %s",
        "CHECK: unknown pass or option '--no-such'",
    ),
    "words elsewhere": (
        FAIL,
        "RUN: not ncnn-opt %s --no-such | filecheck %s",
        "CHECK: unknown pass",
    ),
    "the first line": (FAIL, "RUN: ncnn-opt --no-such %s", "RUN: ncnn-opt %s"),
    "the last line": (FAIL, "RUN: ncnn-opt %s", "RUN: ncnn-opt --no-such %s"),
    "files": (
        PASS,
        "RUN: ncnn-opt %s > %t.a",
        "RUN: ncnn-opt < %t.a -o %t.mlir && ncnn-opt %t.mlir >> %t.a",
        "RUN: cat %t.a | filecheck %s",
        "CHECK: func.func",
        "CHECK: func.func",
        "CHECK-NOT: func.func",
    ),
    "another file": (
        FAIL,
        "RUN: ncnn-opt %s > %t",
        "RUN: ncnn-opt --print-op-generic %s | diff %t -",
    ),
    "the same file": (PASS, "RUN: ncnn-opt %s > %t", "RUN: ncnn-opt %t | diff %t -"),
    "a folder": (PASS, "RUN: mkdir -p %t && cd %t && ncnn-opt %s -o a.mlir", "RUN: cat %t/a.mlir"),
    "variables": (
        PASS,
        "RUN: env PYTHONPATH=. ncnn-opt %s | env PYTHONIOENCODING=ascii filecheck %s",
        "CHECK: @main",
    ),
    "no program": (FAIL, "RUN: no-such-program %s"),
    "a crash": (FAIL, "RUN: python %S/Inputs/crash.py | true"),
    "no status": (FAIL, "RUN: not python %S/Inputs/crash.py"),
    "much": (PASS, "RUN: python %S/Inputs/long.py | filecheck %s", "CHECK: the end"),
    "too much": (PASS, "RUN: python %S/Inputs/long.py | python %S/Inputs/deaf.py"),
}
"""Lines of tests, and whether they must pass."""


def test_lit_means_what_it_means_in_new_processes(tmp_path: Path) -> None:
    """The results are the same with `PROCESSES=new`."""
    (tmp_path / "lit.cfg.py").write_text(
        f"lit_config.load_config(config, {str(LIT_CONFIG)!r})\n"
        f"config.test_source_root = config.test_exec_root = {str(tmp_path)!r}\n"
    )
    (tmp_path / "Inputs").mkdir()
    for name, code in PROGRAMS.items():
        (tmp_path / "Inputs" / f"{name}.py").write_text(code)
    for name, (_, *lines) in LIT_TESTS.items():
        text = "".join(f"// {line}\n" for line in lines)
        (tmp_path / f"{name.replace(' ', '_')}.test").write_text(text + IR)
    lit = Path(sys.executable).with_name("lit")
    command = [lit, "-q", "-j1", "-o", "results.json", "."]
    subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, timeout=300)
    results = json.loads((tmp_path / "results.json").read_text())["tests"]
    passed = {test["name"].split(":: ")[1][:-5]: test["code"] == "PASS" for test in results}
    assert passed == {name.replace(" ", "_"): test[0] for name, test in LIT_TESTS.items()}
