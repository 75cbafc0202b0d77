"""The dialects, passes and frontends for plain `xdsl-opt` (entry point `xdsl.universe`)."""

from ncnn_opt.driver.environment import NCNN_OPT
from ncnn_opt.driver.xdsl_opt import add_frontends

__all__ = ["NCNN_OPT"]

add_frontends()
