"""Time and memory of quantizing the weights of a language model, by each method.

python -m benchmarks.quantize_weights [--blocks 28] [--bits 4] [--block 64] [--folder /tmp]

28 blocks are 1.76 GB. Memory is the peak of all that is resident, mapped files included.
"""

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from .measuring import TOOL, cost, print_table
from .models import decoder

STEPS, WIDTH, SAMPLES = 16, 1024, 16
"""Steps and features of the decoder's input, and the number of calibration samples."""

QUANTIZE = TOOL.with_name("ncnn-quantize")


def write_samples(model: Path, path: Path) -> None:
    """Write random inputs with a few large features."""
    name = model.read_text().splitlines()[2].split()[4]
    rng = np.random.default_rng(0)
    values = rng.standard_normal((SAMPLES, STEPS, WIDTH)) * np.exp(rng.standard_normal(WIDTH))
    arrays: dict[str, Any] = {name: values.astype("f4")}
    np.savez(path, **arrays)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--blocks", type=int, default=28, help="the number of blocks of the decoder"
    )
    parser.add_argument("--bits", default="4")
    parser.add_argument("--block", default="64")
    parser.add_argument("--methods", nargs="*", default=["minmax", "mse", "awq", "gptq"])
    parser.add_argument("--folder", type=Path, help="the folder for generated models")
    args = parser.parse_args()
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory(prefix="ncnn-opt-bench-", dir=args.folder) as name:
        folder = Path(name)
        model = decoder(folder / "decoder.param", args.blocks)
        data, out = folder / "calib.npz", folder / "out.param"
        write_samples(model, data)
        size = model.with_suffix(".bin").stat().st_size
        for method in args.methods:
            command = [QUANTIZE, model, "--weights-only", "--bits", args.bits]
            command += ["--block", args.block, "--method", method, "-o", out]
            command += ["--data", data] if method in ("awq", "gptq") else []
            once = cost(command, runs=1)
            result = out.with_suffix(".bin").stat().st_size
            rows.append(
                [method, f"{once.seconds:.0f}", f"{once.megabytes:.0f}", f"{result / 1e6:,.0f}"]
            )
    title = f"{size / 1e6:,.0f} MB to {args.bits} bits in blocks of {args.block}"
    print_table(title, ["method", "s", "MB of memory", "MB of weights"], rows)


if __name__ == "__main__":
    main()
