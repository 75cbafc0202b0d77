# pyright: basic, reportMissingImports=false
"""One architecture, exported and compared with PyTorch. As a program it prints a line of JSON:

python -m benchmarks.sources.one NAME
"""

import json
import logging
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import ncnn_opt

from .models import MODELS


def redraw(module: Any) -> None:
    """Draw the weights anew, such that each sublayer matters: new models have scales of zero and
    nearly uniform attention, which hide errors."""
    for name, value in module.named_parameters():
        if value.dim() > 1 and value.numel():
            value.normal_(0, value[0].numel() ** -0.5)
        elif name.endswith("bias"):
            value.uniform_(-0.3, 0.3)
        else:
            value.uniform_(0.5, 1.5)


def export(name: str) -> dict[str, Any]:
    """Return the result of one export."""
    import torch

    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    module, inputs = MODELS[name]()
    module = module.eval()
    with torch.no_grad():
        redraw(module)
        module(*inputs)
    start = time.monotonic()
    found: dict[str, Any] = {"name": name}
    with tempfile.TemporaryDirectory(prefix="ncnn-opt-sources-") as folder:
        try:
            result = ncnn_opt.export(module, inputs, str(Path(folder, "m.param")), fp16=False)
        except ncnn_opt.NcnnOptError as e:
            found |= {"verdict": "refused", "reason": str(e)}
        else:
            assert result.agreement is not None
            error = max(result.agreement.errors.values())
            route = next(s for s in result.steps if s.startswith("converted with PNNX"))
            layers = next((s for s in result.steps if s.startswith("optimized")), "")
            found |= {"verdict": "agrees" if result else "differs", "error": error}
            found |= {"route": route.rpartition(", ")[2], "layers": layers.rpartition("> ")[2]}
            found |= {"steps": result.steps}
    return {**found, "seconds": round(time.monotonic() - start, 1)}


if __name__ == "__main__":
    print(json.dumps(export(sys.argv[1])))
