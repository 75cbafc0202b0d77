"""Run the tests on each mutant. Run by the Python of a copy of the checkout.

The tests of a mutant run in a process that is forked off this one, which has imported the package.
There the mutated functions take the place of the original ones, before anything has run; programs
that the tests start are forked off it in turn (see `warm_processes`). The mutant is in its file,
too, for whatever starts a Python. Mutants of code that runs when it is imported are tested in new
processes.
"""

import gc
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from glob import glob
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .selection import Group, nearest

FAILED = re.compile(r"^(?:FAILED|ERROR|FAIL:|TIMEOUT:) (\S+(?: :: \S+)?)", re.MULTILINE)


def changed_functions(path: str, original: str, mutated: str) -> dict[CodeType, CodeType] | None:
    """Pair the functions that differ in two versions of a file; `None` if code outside of functions
    differs."""
    pairs: dict[CodeType, CodeType] = {}

    def compare(old: CodeType, new: CodeType) -> bool:
        inner = [[c for c in code.co_consts if isinstance(c, CodeType)] for code in (old, new)]
        if len(inner[0]) != len(inner[1]):
            return False
        if old.co_flags & 2:  # a function has locals of its own, a module or class has not
            if old != new:
                pairs[old] = new
        else:
            if bare(old) != bare(new):
                return False
        return all(compare(a, b) for a, b in zip(*inner, strict=True))

    same = compare(compile(original, path, "exec"), compile(mutated, path, "exec"))
    return pairs if same and pairs else None


def bare(code: CodeType) -> CodeType:
    """The code of a module or class without that of its functions, and without its lines."""
    consts = tuple(each for each in code.co_consts if not isinstance(each, CodeType))
    return code.replace(co_consts=consts, co_linetable=b"")


def is_of(code: CodeType, path: str) -> bool:
    return code.co_filename.endswith(f"/ncnn_opt/{path}")


def patch(path: str, pairs: dict[CodeType, CodeType]) -> bool:
    """Replace the code of all functions of a file that have been made; whether there were any."""
    gc.unfreeze()
    done = False
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and is_of(each.__code__, path):
            if new := pairs.get(each.__code__):
                try:
                    each.__code__ = new
                except ValueError:  # it uses other variables of the function around it
                    return False
                done = True
    return done


def arguments(group: Group) -> list[str]:
    """The arguments of the runner, which is to stop at the first failure."""
    if group.runner == "pytest":
        return ["-q", "-x", "-p", "no:cacheprovider", *group.arguments]
    return ["-q", "-j1", "--max-failures=1", *group.arguments]


def run_here(group: Group) -> int:
    """Run tests in this process."""
    # A process that `multiprocessing` spawns would import the main module, and not find it.
    sys.modules["__main__"] = ModuleType("__main__")
    if group.runner == "pytest":
        import pytest

        return int(pytest.main(arguments(group)))
    from lit.main import main  # pyright: ignore

    sys.argv[1:] = arguments(group)
    try:
        main()
    except SystemExit as e:
        return int(e.code or 0)
    return 0


class Trials:
    """Tests of mutants, in the copy of the checkout that is the working directory."""

    def __init__(self) -> None:
        self._seconds: dict[Group, float] = {}
        """How long each group takes on the original."""
        self._called_at_import = called_at_import()

    def groups(self, path: str) -> Iterator[Group]:
        """The nearest tests."""
        for group in nearest(path):
            found: list[str] = []
            for pattern in group.arguments:
                file, *test = pattern.split("::")
                found += ["::".join([name, *test]) for name in sorted(glob(file))]
            if found:
                yield Group(group.runner, tuple(found))

    def check(self, group: Group) -> None:
        """Run tests on the original, which must pass."""
        if group not in self._seconds:
            start = time.monotonic()
            status, text = self._forked(group, None, 1800)
            self._seconds[group] = time.monotonic() - start
            if status:
                raise SystemExit(f"the tests fail without a mutant: {group}\n{text}")
            print(f"{self._seconds[group]:6.1f} s {' '.join(group.arguments)}", flush=True)

    def run(self, work: dict[str, Any]) -> dict[str, Any]:
        """Test a mutant."""
        path, start = work["path"], time.monotonic()
        file = Path(path)
        original, times = file.read_text("utf-8"), file.stat()
        pairs = changed_functions(path, original, work["source"])
        if pairs and any(old in pairs and is_of(old, path) for old in self._called_at_import):
            pairs = None  # the import would be another one
        outcome, killer = "survived", ""
        for group in self.groups(path):
            self.check(group)
            limit = 15 + 5 * self._seconds[group]
            file.write_text(work["source"], "utf-8")
            os.utime(file, (time.time() + 1000, time.time() + 1000))  # what is compiled is older
            try:
                status, text = (
                    self._forked(group, (path, pairs), limit) if pairs else (PATCH_FAILED, "")
                )
                if status == PATCH_FAILED:
                    status, text = self._new(group, limit)
            finally:
                file.write_text(original, "utf-8")
                os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
            if status == 0:
                continue
            outcome = "timeout" if status is None else "killed"
            killer = next(iter(FAILED.findall(text)), text[-300:])
            break
        rest = {name: work[name] for name in ("key", "path", "line", "operator", "diff")}
        seconds = round(time.monotonic() - start, 1)
        return {"outcome": outcome, "killer": killer, "seconds": seconds, **rest}

    def _forked(
        self, group: Group, change: tuple[str, dict[CodeType, CodeType]] | None, limit: float
    ) -> tuple[int | None, str]:
        output = Path("output.txt")
        if not (pid := os.fork()):
            status = 1
            try:
                os.setsid()
                descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
                os.dup2(descriptor, 1)
                os.dup2(descriptor, 2)
                if change and not patch(*change):
                    status = PATCH_FAILED
                else:
                    status = run_here(group)
                sys.stdout.flush()
            finally:
                os._exit(status)
        return self._awaited(pid, limit), output.read_text(errors="replace")

    def _new(self, group: Group, limit: float) -> tuple[int | None, str]:
        output = Path("output.txt")
        command = [str(Path(sys.executable).parent / group.runner), *arguments(group)]
        with output.open("w") as file:
            process = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True)
            status = self._awaited(process.pid, limit)
            process.returncode = status or 0
        return status, output.read_text(errors="replace")

    def _awaited(self, pid: int, limit: float) -> int | None:
        """The exit status of a process; `None` if it took longer than the limit."""
        end, status = time.monotonic() + limit, None
        while status is None and time.monotonic() < end:
            ended, code = os.waitpid(pid, os.WNOHANG)
            if ended:
                status = os.waitstatus_to_exitcode(code)
            else:
                time.sleep(0.02)
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # also what it has left
        if status is None:
            os.waitpid(pid, 0)
        return status


PATCH_FAILED = 99


def called_at_import() -> set[CodeType]:
    """Import all modules of the package; return the functions that this has called."""
    from warm_processes import modules, warm_up

    called: set[CodeType] = set()

    def note(frame: Any, event: str, _: object) -> None:
        if (
            event == "call"
            and frame.f_code.co_flags & 2
            and "/ncnn_opt/" in frame.f_code.co_filename
        ):
            called.add(frame.f_code)

    sys.setprofile(note)
    try:
        for name in modules():
            with suppress(Exception):  # needs an extra
                __import__(name)
    finally:
        sys.setprofile(None)
    warm_up()
    return called


def main(work: str, results: str) -> None:
    """Test the mutants of a file; append the results to another."""
    sys.path[0] = str(Path("tests/support").resolve())
    trials, parent = Trials(), os.getppid()
    with open(results, "a", encoding="utf-8") as file:
        for line in Path(work).read_text("utf-8").splitlines():
            if os.getppid() != parent:
                return  # nobody waits any more
            result = trials.run(json.loads(line))
            print(json.dumps(result), file=file, flush=True)
            place = f"{result['path']}:{result['line']}"
            print(
                f"{result['outcome']:9}{result['seconds']:6} s {place} {result['killer']}",
                flush=True,
            )


if __name__ == "__main__":
    os.chdir(Path(__file__).parents[2])
    main(*sys.argv[1:])
