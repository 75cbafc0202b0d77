"""What plain `xdsl-opt` gets from this package (entry point `xdsl.universe`)."""

from ncnn_opt.driver.environment import NCNN_OPT

__all__ = ["NCNN_OPT"]
