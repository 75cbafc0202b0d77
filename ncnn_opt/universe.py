"""The dialects and passes for plain `xdsl-opt` (entry point `xdsl.universe`)."""

from ncnn_opt.driver.environment import NCNN_OPT

__all__ = ["NCNN_OPT"]
