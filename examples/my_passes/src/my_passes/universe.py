"""The passes that ncnn-opt finds by the entry point, by name, each imported on demand."""

from xdsl.passes import ModulePass
from xdsl.universe import Universe


def _sigmoids() -> type[ModulePass]:
    from .sigmoids import ReplaceSigmoidWithHardSigmoid

    return ReplaceSigmoidWithHardSigmoid


MY_PASSES = Universe(all_passes={"replace-sigmoid-with-hardsigmoid": _sigmoids})
