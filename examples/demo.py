"""`make demo`: optimizes the example classifier and shows what became of it.

    python examples/demo.py [MODEL.param]

Writes `demo/<model>.param` and `.bin`.
"""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
TOOL = Path(sys.executable).with_name("ncnn-opt")


def main() -> None:
    """Show the model before, the rewrites, the model after, and the comparison of their outputs."""
    model = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "small_cnn.param"
    out = Path("demo") / model.name
    out.parent.mkdir(exist_ok=True)

    title(f"1. {model}, as a converter left it")
    show([TOOL, model, "--elide-weights"])
    title(f"2. ncnn-opt -O {model} -o {out} --remarks")
    show([TOOL, "-O", model, "-o", out, "--remarks"])
    title(f"3. {out}: what is left")
    show([TOOL, out, "--elide-weights"])
    title("4. Do both compute the same?")
    compare(model, out)
    print(f"\nThe optimized model: {out} and {out.with_suffix('.bin')}")


def title(text: str) -> None:
    """Print a heading."""
    print(f"\n== {text}\n", flush=True)


def show(command: list[str | Path]) -> None:
    """Run a command and print its output, with long lines cut at the width of the terminal."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in done.stdout.splitlines():
        signature = line.find(" : (")  # types make the lines long and are not needed here
        print(line if signature < 0 else line[:signature])
    sys.stdout.flush()
    if done.returncode:
        sys.exit(done.returncode)


def compare(model: Path, optimized: Path) -> None:
    """Run both models in the ncnn runtime, if it is installed, on the same random input."""
    try:
        ncnn: Any = import_module("ncnn")
    except ImportError:
        print("The ncnn runtime is not installed (pip install 'ncnn-opt[verify]'): not checked.")
        return
    outputs: list[np.ndarray] = []
    for path in (model, optimized):
        net = ncnn.Net()
        net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = False
        net.load_param(str(path))
        net.load_model(str(path.with_suffix(".bin")))
        extractor = net.create_extractor()
        for name in net.input_names():
            shape = input_shape(path, name)
            data = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
            extractor.input(name, ncnn.Mat(data).clone())
        outputs += [np.array(extractor.extract(name)[1]) for name in net.output_names()]
    before, after = outputs[: len(outputs) // 2], outputs[len(outputs) // 2 :]
    for x, y in zip(before, after, strict=True):
        error = np.abs(x - y).max() / np.abs(x).max()
        print(f"before: {np.array2string(x.ravel()[:5], precision=5)} …")
        print(f"after:  {np.array2string(y.ravel()[:5], precision=5)} …")
        print(f"largest difference: {error:.1e} of the largest value")
        if error > 1e-4:
            sys.exit("The outputs differ.")


def input_shape(path: Path, blob: str) -> tuple[int, ...]:
    """Return the row-major extents of an input from the file."""
    from ncnn_opt.formats.param_text import read_param_text

    for layer in read_param_text(path.read_bytes(), str(path)).layers:
        if layer.type == "Input" and blob in layer.tops:
            values = [layer.params[i].as_int() for i in (2, 11, 1, 0) if i in layer.params]
            return tuple(v for v in values if v > 0)
    raise SystemExit(f"{path} says no extents for its input '{blob}'")


if __name__ == "__main__":
    main()
