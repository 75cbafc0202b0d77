"""What the ncnn runtime does fast, by the family of processors that it runs on.

A table a family, of facts that decide which of two equal forms of a model is faster: which layer
types have code for the processor's vectors, which take several channels kept together, which take
float16, where a fused activation takes longer than one of its own, and how long a layer takes that
another could stand for. Each row says where it is from: ncnn's source, and the benchmark if it was
measured. Nothing here changes what a model computes, and nothing of ours is imported: passes ask,
through `analysis/tuning.py`.

Most ncnn models run on arm, and what is built and tested here runs on x86. `make bench
BENCH="--only processors"` measures the rows of x86; with `--arm` it counts instructions for those
of arm, on an emulated processor, which is a proxy. The source is ncnn's of July 2026 (commit
a4d2ea1), in which the instructions were counted; which layer types have code is what is in
`src/layer/x86` and `src/layer/arm`, and what these set in their constructors. What was measured on
x86 ran in 1.0.20261020.
"""

from .arm import ARM
from .facts import Host, Processor
from .x86 import X86

__all__ = ["ARM", "PROCESSORS", "X86", "Host", "Processor"]

PROCESSORS = {processor.name: processor for processor in (X86, ARM)}
"""The families by name."""

ATTRIBUTE = "ncnn.tune"
"""Of the module: whatever pass runs, in whatever process, finds it there."""

NONE = "none"
"""For no processor: what is fast does not matter."""

CHOICES = (*PROCESSORS, NONE)
"""What a model can be made for."""
