"""`ncnn-quantize`: what is read is not replaced, nothing is written twice, and that at once."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

Command = Callable[..., subprocess.CompletedProcess[str]]

ROOT = Path(__file__).parents[3]

MISTAKES = {
    "calibrate m.param --data x.npy -o m.bin": "'m.bin' is an input: the result would replace it",
    "calibrate m.param --data x.npy -o x.npy": "'x.npy' is an input: the result would replace it",
    "calibrate m.param --weights w.bin --data x.npy -o w.bin": "'w.bin' is an input",
    "calibrate m.param --list files.txt -o files.txt": "'files.txt' is an input",
    "calibrate m.param --list data=files.txt -o files.txt": "'files.txt' is an input",
    "calibrate m.param --data x.npy -o no/t": "no/t: there is no folder 'no'",
    "m.param --data x.npy -o x.npy": "'x.npy' is an input: the result would replace it",
    "m.param --data x.npy -o m.param": "'m.param' is an input: the result would replace it",
    "m.param --data x.npy -o no/o.param": "no/o.param: there is no folder 'no'",
    "m.param --data x.npy -o o.param --json o.param": "'o.param' would be written twice",
    "m.param --data x.npy -o o.param --html o.bin": "'o.bin' would be written twice",
    "m.param --data x.npy -o o.param --output-table m.bin": "'m.bin' is an input",
    "m.param --data x.npy --classes c.txt --json c.txt -o o.param": "'c.txt' is an input",
    "m.param --data x.npy -o o.param --json no/r.json": "no/r.json: there is no folder 'no'",
    "m.param --data empty.npy -o o.param": "there are no samples in empty.npy",
    "apply m.param --table t -o t": "'t' is an input: the result would replace it",
    "apply m.param --table t -o o.param --output-weights t": "'t' is an input",
    "measure m.param w.param --data x.npy --json w.bin": "'w.bin' is an input",
    "measure m.param w.param --data x.npy --json r --html r": "'r' would be written twice",
    "merge m.param t -o t": "'t' is an input: the result would replace it",
    "m.param --weights-only -o o.param --output-table m.bin": "'m.bin' is an input",
    "m.param --weights-only --table t -o t": "'t' is an input: the result would replace it",
}


@pytest.mark.parametrize("line", MISTAKES)
def test_it_is_said_at_once(line: str, command: Command, folder: Path) -> None:
    for name in ("m", "w"):
        for ending in ("param", "bin"):
            shutil.copy(ROOT / f"examples/small_cnn.{ending}", folder / f"{name}.{ending}")
    np.save(folder / "x.npy", np.zeros((2, 3, 32, 32), "f4"))
    np.save(folder / "empty.npy", np.zeros((0, 3, 32, 32), "f4"))
    for name in ("files.txt", "c.txt", "t"):
        (folder / name).write_text("x.npy\n")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    done = command(line.split(), tool="ncnn-quantize", check=False)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert MISTAKES[line] in done.stderr
    assert before == {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
