"""A program that times native code and the ncnn runtime in one process, for `native.py`.

Reads on standard input `{"model": PARAM, "code": VMFB, "values": FILE.npz, "seconds": S, "seed":
N}`, writes on standard output `{"times": [[SECONDS, SECONDS], …]}`, a row per round: the native
code, and the runtime, here in float32 like the native code. `{"failed": null, "reason": REASON}` if
the runtime refuses the model.
"""

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from ncnn_opt.native.artifact import load as load_code
from ncnn_opt.native.program import Program
from stopwatch import Refused, load, measure


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    # Standard output is for the answer only, not for the runtime's messages.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    ncnn: Any = import_module("ncnn")
    with np.load(request["values"]) as file:
        arrays = {key: file[key] for key in file.files}
    inputs = {name: ncnn.Mat(array).clone() for name, array in arrays.items()}
    program = Program(load_code(request["code"]), "local-sync")

    def native() -> None:
        program(arrays)

    try:
        runs: list[Callable[[], None]] = [native, load(ncnn, request["model"], inputs, half=False)]
        times = measure(runs, request["seconds"], request["seed"])
        json.dump({"times": times}, answer)
    except Refused as e:
        json.dump({"failed": None, "reason": str(e)}, answer)
    answer.flush()
    os._exit(0)  # end without destroying nets and their shared memory in order


if __name__ == "__main__":
    main()
