"""Performance facts about the ncnn runtime, for each family of processors.

There is one table per family. Its facts decide which of two equivalent forms of a model is faster:
the layer types with vector code, with support for packed channels and for float16, the activations
that are slower when fused, and the relative time of layers that can replace each other. Each row
names its source: a place in ncnn's source, and the benchmark if it was measured. These facts never
change the results of a model. The package imports nothing of ours; passes query it through
`analysis/tuning_facts.py`.

Most ncnn models run on arm; our tests run on x86. `make bench BENCH="--only processors"` measures
the rows of x86. With `--arm` it counts instructions on an emulated arm processor, as a proxy for
time. The source is ncnn of July 2026 (commit a4d2ea1); the instructions were counted in the same
source. The layer types with vector code are those in `src/layer/x86` and `src/layer/arm`, with the
flags that their constructors set. The times on x86 were measured with release 1.0.20261020.
"""

from collections.abc import Mapping
from functools import cache

from .arm import ARM
from .facts import HostLayer, Processor
from .x86 import X86

__all__ = ["ARM", "PROCESSORS", "VULKAN", "X86", "HostLayer", "Processor", "parse_choices"]

PROCESSORS = {processor.name: processor for processor in (X86, ARM)}
"""The families by name."""

ATTRIBUTE = "ncnn.tune"
"""The module attribute with the family, so that every later pass in any process finds it."""

VULKAN = "vulkan"
"""A Vulkan device: rewrites do not depend on the speed of processors, but keep work on the device
(`vulkan.py`)."""

NONE = "none"
"""No family: rewrites do not depend on speed."""

CHOICES = (*PROCESSORS, VULKAN, NONE)
"""The values of `--tune`."""

REWRITES = {
    "activation": "activations in layers",
    "sdpa": "SDPA in place of products",
    "attention": "MultiHeadAttention or SDPA",
    "padding": "padded channels of depthwise convolutions",
    "matmul": "MatMul as one Gemm",
    "convolution-1d": "1-D convolutions as 2-D convolutions",
}
"""The rewrites that depend on the processor, with descriptions. A module can be tuned for a family
for each of them: `ncnn.tune = "sdpa=x86,padding=none"`. All others are then as without tuning."""


@cache
def parse_choices(text: str) -> Mapping[str, str] | None:
    """Return the choice for each rewrite in a text `REWRITE=CHOICE,…`; `None` for another text."""
    pairs = [pair.partition("=") for pair in text.split(",")]
    if all(name in REWRITES and choice in CHOICES for name, _, choice in pairs):
        return {name: choice for name, _, choice in pairs}
    return None
