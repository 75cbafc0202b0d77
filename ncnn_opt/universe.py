"""The dialects and passes for plain `xdsl-opt`. The entry point `xdsl.universe` in pyproject.toml
names this module."""

from ncnn_opt.driver.environment import NCNN_OPT

__all__ = ["NCNN_OPT"]
